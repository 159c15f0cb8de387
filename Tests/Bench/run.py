"""`make bench`: the release build against its targets, each figure beside its target.

The comparison with the floor and the peers is made by the tool in the folder that BENCH names (a load generator in C, a
broadcast that does nothing but send(), peers in other languages), all in one run, so that only ratios matter.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from idle import IdleClients
from process import ROOT, Process

BENCH = Path(os.environ.get("BENCH", ROOT.parent / "shared/bench"))
PRESS = '{"type":"press","id":%d,"button":"noop"}'
CLIENTS, MANY, FEW = 1000, 5000, 10
LIMITS = ["--limit", "pressesPerSecond=0", "--limit", "connections=0"]
FIGURE = re.compile(r"([\w/]+)=([\d.]+)")


def report(name, value, unit, target):
    verdict = "ok" if value <= target else "too high"
    print(f"  {name:<58} {value:9.2f} {unit:<6} target ≤ {target:g} {unit:<6} {verdict}", flush=True)


def figures(line):
    return {name: float(value) for name, value in FIGURE.findall(line)}


def build_load(folder):
    target = folder / "load"
    subprocess.run(["cc", "-O2", "-o", target, BENCH / "load.c"], check=True)
    return target


def load(tool, server, *arguments):
    command = ["taskset", "-c", "1", tool, "--port", server.port, "--path", "/ws", "--trigger", PRESS, "--pid", server.pid, *arguments]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"the load generator gave up: {result.stderr.strip()}")
    return figures(result.stdout)


def frame_payload(tool):
    """The payload bytes of an average frame of a press, for the floor and the peers to send as many."""
    with Process(*LIMITS) as server:
        average = load(tool, server, "--clients", CLIENTS, "--rounds", 50, "--needle", '"phase":"idle"')["bytes/frame"]
    return round(average) - (4 if average > 129 else 2)


def compare(tool):
    payload = frame_payload(tool)
    print(f"\nBroadcast to {CLIENTS} clients, two frames of {payload} bytes a round")
    command = f"{ROOT}/.build/release/pushboard example --public {ROOT}/Public {' '.join(LIMITS)} --listen 127.0.0.1:{{port}}"
    result = subprocess.run(
        [BENCH / "compare", "-c", str(CLIENTS), "-f", "2", "-b", str(payload), f'pushboard=/ws|{PRESS}|"phase":"idle"|{command}'],
        capture_output=True, text=True, env={**os.environ, "PATH": f"{ROOT}/.build/venv/bin:{os.environ['PATH']}"})
    print(result.stdout + result.stderr, end="")
    rows = {}
    for line in result.stdout.splitlines():
        if "cpu_us/frame" in line:
            rows.setdefault(line.split()[0], []).append(figures(line))
    middle = {name: {key: statistics.median(row[key] for row in found) for key in ("cpu_us/frame", "p50")} for name, found in rows.items()}
    floor, own = middle.pop("floor"), middle.pop("pushboard")
    report("CPU per delivered frame, as a ratio to the floor", own["cpu_us/frame"] / floor["cpu_us/frame"], "", 1.3)
    report("round p50, as a ratio to the floor", own["p50"] / floor["p50"], "", 1.3)
    for name, peer in middle.items():
        report(f"CPU per delivered frame, as a ratio to {name}", own["cpu_us/frame"] / peer["cpu_us/frame"], "", 1)


def acknowledgement(tool):
    """The ack of a press while others are idle: it must not depend on how many they are."""
    print("\nThe ack of a press (median of three runs, in turn)")
    times = {FEW: [], MANY: []}
    for _ in range(3):
        for clients, found in times.items():
            with Process(*LIMITS) as server:
                found.append(load(tool, server, "--clients", clients, "--rounds", 40, "--only-one", "--needle", '"type":"ack"', "--pause-ms", 150)["p50"])
    few, many = statistics.median(times[FEW]), statistics.median(times[MANY])
    print(f"  p50 {few:.3f} ms with {FEW} clients, {many:.3f} ms with {MANY}")
    report(f"ack with {MANY} idle clients, as a ratio to {FEW}", many / few, "", 2)


def idle():
    print("\nIdle")
    with Process(*LIMITS) as server:
        report("CPU with nobody connected, over 10 s", server.processor_percent(10), "%", 0)
    with Process(*LIMITS) as server:
        with IdleClients(server.port, CLIENTS):
            time.sleep(1)  # the allocator and the greeting have settled
            few = server.anonymous_kib()
    with Process(*LIMITS) as server:
        with IdleClients(server.port, MANY):
            time.sleep(1)
            many = server.anonymous_kib()
            report(f"CPU with {MANY} idle clients, over 45 s (two rounds of pings)", server.processor_percent(45), "%", 0.5)
    report(f"anonymous memory per idle client, ({MANY} - {CLIENTS}) / {MANY - CLIENTS}", (many - few) / (MANY - CLIENTS), "KiB", 4)


def start():
    print("\nStart (median of ten)")
    ready, resident = [], []
    for _ in range(10):
        with Process() as server:
            ready.append(server.seconds_to_ready * 1000)
            resident.append(server.resident_kib() / 1024)
    report("ready after exec", statistics.median(ready), "ms", 100)
    report("resident at start", statistics.median(resident), "MiB", 25)


def main():
    if not (BENCH / "compare").exists():
        sys.exit(f"make bench needs the comparison tool: {BENCH}/compare is missing; name its folder with BENCH=…")
    folder = ROOT / ".build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    tool = build_load(folder)
    start()
    idle()
    acknowledgement(tool)
    compare(tool)


if __name__ == "__main__":
    main()
