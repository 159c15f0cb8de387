"""The measured server: a release build pinned to processor 0, and what the kernel says about it."""

import os
import re
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Process:
    def __init__(self, *options):
        command = ["taskset", "-c", "0", ROOT / ".build/release/pushboard", "example", "--listen", "127.0.0.1:0", "--public", ROOT / "Public", *options]
        begin = time.monotonic()
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                break
        else:
            raise SystemExit("the server did not start")
        self.seconds_to_ready = time.monotonic() - begin
        self.port, self.pid = int(found.group(1)), self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(15)
        self.process.stdout.close()

    def _status(self, name):
        return int(re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text()).group(1))

    def anonymous_kib(self):
        return self._status("RssAnon")

    def resident_kib(self):
        return self._status("VmRSS")

    def processor_seconds(self):
        """Time on a processor, in the kernel too, of all threads that are or were, in steps of usually 10 ms."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def processor_percent(self, seconds):
        before, begin = self.processor_seconds(), time.monotonic()
        time.sleep(seconds)
        return 100 * (self.processor_seconds() - before) / (time.monotonic() - begin)
