"""The command from outside: flags, addresses, what goes wrong at start."""

import os
import re
import subprocess
import time

import pytest

from board import ROOT, binary
from raw import Raw, ask


def run(*arguments, home, prefix=()):
    return subprocess.run([*prefix, binary(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10, cwd=home,
                          env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home)})


def refusal(*arguments, home, prefix=()):
    """The one line of a start that could not be."""
    result = run(*arguments, home=home, prefix=prefix)
    lines = (result.stdout + result.stderr).strip().splitlines()
    assert result.returncode not in (0, None) and result.returncode > 0, "an exit status, not a signal"
    assert len(lines) == 1, lines
    return lines[0]


def test_F25_a_taken_port(server, tmp_path):
    line = refusal("example", "--listen", f"127.0.0.1:{server.port}", "--public", ROOT / "Public", home=tmp_path)
    assert str(server.port) in line
    assert ask(server, target="/healthz").status == 200


@pytest.mark.parametrize("make", ["missing", "a file", "unreadable", "without a page"])
def test_a_missing_or_unreadable_public_folder(tmp_path, make):
    folder = tmp_path / "page"
    if make == "a file":
        folder.write_text("")
    elif make != "missing":
        folder.mkdir()
    if make == "unreadable":
        (folder / "index.html").write_text("x")
        folder.chmod(0)
    # Root reads everything, unless it gives that up.
    prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    line = refusal("example", "--listen", "127.0.0.1:0", "--public", folder, home=tmp_path, prefix=prefix)
    assert str(folder) in line


def test_public_is_not_found_by_luck(tmp_path):
    """Without --public the folder beside the working directory is taken, else the error says what to give."""
    result = run("example", "--listen", "127.0.0.1:x", home=tmp_path)
    assert result.returncode > 0


@pytest.mark.parametrize("arguments", [
    ["--nonsense"], ["--listen"], ["--listen", "nonsense"], ["--listen", "127.0.0.1"], ["--listen", "127.0.0.1:99999"], ["--listen", "256.0.0.1:80"],
    ["--listen", "[::1:80"], ["--listen", "unix:"], ["--limit", "connections"], ["--limit", "connections=x"], ["--limit", "connections=-1"],
    ["--limit", "nonsense=1"], ["--limit", "=1"], ["--limit", "connections=99999999999999999999"], ["--base", "/a b/"],
    ["--trusted-proxy", "nonsense"], ["--trusted-proxy", "10.0.0.0/33"], ["--host", "bad host"], ["--host", "x:99999"], ["extra"],
])
def test_a_bad_flag_is_named_in_one_line(tmp_path, arguments):
    line = refusal("example", "--public", ROOT / "Public", *arguments, home=tmp_path)
    assert arguments[0] in line or arguments[-1] in line


def test_an_unknown_command_and_none(tmp_path):
    assert "fly" in refusal("fly", home=tmp_path)
    assert run(home=tmp_path).returncode != 0


def test_help_names_every_flag(tmp_path):
    result = run("example", "--help", home=tmp_path)
    assert result.returncode == 0
    for flag in ("--listen", "--public", "--base", "--host", "--trusted-proxy", "--state", "--limit", "--allow-unauthenticated"):
        assert flag in result.stdout, flag
    for limit in ("connections", "connectionsPerAddress", "handshakesPerSecond", "pressesPerSecond", "messageBytes", "headerBytes", "bodyBytes",
                  "requestSeconds", "outboxBytes"):
        assert limit in result.stdout, limit


def listening(server):
    """The local addresses that the process listens on, from the kernel's tables."""
    inodes = {match.group(1) for name in os.listdir(f"/proc/{server.pid}/fd")
              if (match := re.match(r"socket:\[(\d+)\]", _link(f"/proc/{server.pid}/fd/{name}")))}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in open(f"/proc/{server.pid}/net/{table}").read().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                found.add(fields[1].split(":")[0])
    return found


def _link(path):
    try:
        return os.readlink(path)
    except FileNotFoundError:
        return ""


def test_F26_only_what_was_asked_for_is_bound(start):
    assert listening(start(listen="127.0.0.1:0")) == {"0100007F"}
    assert listening(start(listen="[::1]:0")) == {"00000000000000000000000001000000"}
    both = start(listen=["127.0.0.1:0", "[::1]:0"])
    assert listening(both) == {"0100007F", "00000000000000000000000001000000"}


def test_F26_every_address_answers(start, tmp_path):
    path = f"{tmp_path}/board.sock"
    server = start(listen=["127.0.0.1:0", "[::1]:0", f"unix:{path}"])
    assert ask(server, target="/healthz").status == 200
    server.port = int(re.search(r"\[::1\]:(\d+)", server.output).group(1))
    server.host = "::1"
    with Raw(server) as connection:
        connection.host = f"[::1]:{server.port}"
        assert connection.ask(target="/healthz").status == 200
    with Raw(path=path) as connection:
        assert connection.ask(target="/").status == 200
    with Raw(path=path) as connection:
        assert connection.upgrade().status == 101
        assert connection.read_until('"hello"')


def test_F27_a_socket_file_left_behind_is_taken_over_and_a_live_one_is_not(start, tmp_path):
    path = f"{tmp_path}/board.sock"
    first = start(listen=f"unix:{path}")
    first.process.kill()
    first.process.wait()
    second = start(listen=f"unix:{path}")
    with Raw(path=path) as connection:
        assert connection.ask(target="/healthz").status == 200
    line = refusal("example", "--listen", f"unix:{path}", "--public", ROOT / "Public", home=tmp_path)
    assert "board.sock" in line
    second.terminate()
    assert second.wait() == 0 and not os.path.exists(path), "the file goes with its server"


def test_a_file_that_is_no_socket_is_never_removed(tmp_path):
    (tmp_path / "precious").write_text("keep")
    refusal("example", "--listen", f"unix:{tmp_path}/precious", "--public", ROOT / "Public", home=tmp_path)
    assert (tmp_path / "precious").read_text() == "keep"


@pytest.mark.parametrize("limit", ["256", "1073741816"])
def test_F24_any_descriptor_limit_is_survived(start, limit):
    top = int(re.search(r"Max open files\s+\d+\s+(\d+)", open("/proc/self/limits").read()).group(1))
    server = start(prefix=["prlimit", f"--nofile={min(int(limit), top)}"])
    assert ask(server, target="/healthz").status == 200


def test_ready_is_quick_and_small(start):
    begin = time.monotonic()
    server = start()
    assert time.monotonic() - begin < 1, "the target is 0.1 s; make bench measures it"
    assert server.resident() < 60 * 1024, "KiB; the target is 25 MiB in a release build"
