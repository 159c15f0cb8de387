"""The installer on machines that lack things: a path of our own with pretended programs, so nothing is installed here."""

import shutil
import subprocess

import pytest

from board import ROOT

TOOLS = "bash env sed head sort grep dirname cat mkdir printf sha256sum rm ls true".split()


class Machine:
    def __init__(self, folder):
        self.bin, self.log = folder / "bin", folder / "log"
        self.bin.mkdir()
        self.log.touch()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.program("swift", 'echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"')
        self.program("id", "echo 0")

    def program(self, name, script):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        path.chmod(0o755)

    def recorded(self, name, then="exit 0"):
        self.program(name, f'echo "{name} $*" >>{self.log}; {then}')

    def complete(self):
        """Everything that a build needs is there."""
        plugins = self.bin.parent / "lib"
        plugins.mkdir()
        (plugins / "libwebsockets-evlib_ev.so").touch()
        self.program("cc", "exit 0")
        self.program("pkg-config", f"echo {plugins}")

    def bootstrap(self, stage="build"):
        return subprocess.run([self.bin / "bash", ROOT / "Tests/Support/bootstrap", stage], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={"PATH": str(self.bin)}, timeout=20)

    @property
    def calls(self):
        return self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_a_complete_machine_is_left_alone(machine):
    machine.complete()
    machine.recorded("apt-get")
    result = machine.bootstrap()
    assert (result.returncode, result.stdout, result.stderr, machine.calls) == (0, "", "", [])


def test_what_is_missing_is_named_with_its_reason_and_installed_as_root(machine):
    machine.recorded("apt-get")
    result = machine.bootstrap()
    assert result.returncode == 0, result.stderr
    assert "libev-dev: the event loop" in result.stdout
    assert machine.calls == [
        "apt-get update -qq",
        "apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends build-essential pkg-config libwebsockets-dev libwebsockets-evlib-ev libev-dev zlib1g-dev"]


def test_only_what_is_missing_is_installed(machine):
    machine.complete()
    machine.program("cc", 'read -r line; [ "$line" != "#include <ev.h>" ]')
    machine.recorded("apt-get")
    assert machine.bootstrap().returncode == 0
    assert machine.calls[-1].endswith("--no-install-recommends libev-dev")


def test_another_user_installs_through_sudo(machine):
    machine.program("id", "echo 1000")
    machine.recorded("apt-get")
    machine.recorded("sudo", 'exec "$@"')
    assert machine.bootstrap().returncode == 0
    assert [call.split()[0] for call in machine.calls] == ["sudo", "apt-get", "sudo", "apt-get"]


def test_without_sudo_the_command_to_run_as_root_is_told(machine):
    machine.program("id", "echo 1000")
    machine.recorded("apt-get")
    result = machine.bootstrap()
    assert result.returncode == 1 and "run as root: apt-get install build-essential" in result.stderr and machine.calls == []


def test_without_apt_the_packages_are_named(machine):
    result = machine.bootstrap()
    assert result.returncode == 1 and "no apt-get here" in result.stderr and "libwebsockets-dev" in result.stderr


def test_a_failed_installation_is_a_failure(machine):
    machine.recorded("apt-get", '[ "$1" = update ]')
    assert machine.bootstrap().returncode != 0


@pytest.mark.parametrize("version, answer", [(None, "no Swift toolchain"), ("5.10", "Swift 5.10 is too old"), ("6.1", "too old")])
def test_a_missing_or_old_toolchain_says_how_to_get_one(machine, version, answer):
    machine.complete()
    machine.program("swift", f'echo "Swift version {version} (x)"')
    if version is None:
        (machine.bin / "swift").unlink()
    result = machine.bootstrap()
    assert result.returncode == 1 and answer in result.stderr and "swift.org/install" in result.stderr


@pytest.mark.parametrize("version", ["6.2", "6.3.1", "6.10", "7.0"])
def test_newer_toolchains_are_taken(machine, version):
    machine.complete()
    machine.program("swift", f'echo "Swift version {version} (x)"')
    assert machine.bootstrap().returncode == 0
