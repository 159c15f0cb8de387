"""Starts the `pushboard example` command and reads what it says. The clients are in client.py and raw.py."""

import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY = re.compile(r"ready at (http://[^\s/]+:\d+/\S*|unix:\S+)")


def binary():
    return str((ROOT / os.environ.get("PUSHBOARD", ".build/release/pushboard")).absolute())


class Server:
    """One server process. `listen` may name several addresses; port 0 asks for a free one."""

    def __init__(self, *options, home, listen="127.0.0.1:0", public=ROOT / "Public", environment=None, prefix=()):
        addresses = [listen] if isinstance(listen, str) else listen
        listening = [part for address in addresses for part in ("--listen", address)]
        Path(home).mkdir(parents=True, exist_ok=True)
        self.addresses_wanted = len(addresses)
        self.lines = []
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [*prefix, binary(), "example", *listening, "--public", str(public), *map(str, options)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=home, text=True, errors="replace",
            env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), **(environment or {})})
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self.lines.append(None)  # the end: nobody waits for more
            self._changed.notify_all()

    @property
    def output(self):
        return "\n".join(line for line in self.lines if line is not None)

    def wait_for(self, found, seconds=10):
        """What `found(lines)` returns as soon as it is true; fails when the server ends or the time is over."""
        limit = time.monotonic() + seconds
        with self._changed:
            while True:
                if result := found([line for line in self.lines if line is not None]):
                    return result
                left = limit - time.monotonic()
                if self.lines[-1:] == [None] or left <= 0:
                    raise AssertionError(f"the server did not say it:\n{self.output}")
                self._changed.wait(left)

    def ready(self):
        """Waits until every address is named, and keeps them."""
        def addresses(lines):
            named = [match for line in lines for match in READY.findall(line)]
            return named if len(named) >= self.addresses_wanted else None

        self.addresses = self.wait_for(addresses)
        self.url = next((each for each in self.addresses if each.startswith("http")), None)
        if self.url:
            host, self.port = re.match(r"http://(.*):(\d+)/", self.url).groups()
            self.port, self.host = int(self.port), host.strip("[]")
        return self

    @property
    def pid(self):
        return self.process.pid

    @property
    def origin(self):
        return f"http://{self.host}:{self.port}"

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds=10):
        """The exit status once the process has ended."""
        status = self.process.wait(seconds)
        self._reader.join(5)
        return status

    def stop(self):
        """Ends the process if it still runs; returns what was wrong about it."""
        faults = []
        if self.process.poll() is None:
            self.terminate()
            try:
                if (status := self.wait(15)) != 0:
                    faults.append(f"the server ended with {status} after SIGTERM")
            except subprocess.TimeoutExpired:
                self.process.kill()
                faults.append("the server did not end within 15 s of SIGTERM")
        self._reader.join(5)
        self.process.stdout.close()
        if "Fatal error" in self.output:
            faults.append("the server crashed")
        return [f"{fault}\n{self.output}" for fault in faults]

    def resident(self):
        """Resident memory in KiB."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text()).group(1))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def eventually(condition, what, seconds=5):
    """Waits for something that no message announces (a descriptor count, a closed port)."""
    limit = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < limit, f"not within {seconds} s: {what}"
        time.sleep(0.01)
    return value
