"""What every Python test shares: coroutines run to a deadline, servers start on free ports and must end cleanly."""

import asyncio
import inspect
import os
from pathlib import Path

import pytest

pytest.register_assert_rewrite("board", "client", "raw", "runs", "wire")

from board import ROOT, Server  # noqa: E402  after the line above, so that their assertions explain themselves too

DEADLINE = 120  # seconds for one test; a test that waits for what never comes fails here at the latest


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), DEADLINE))
    return True


def pytest_sessionstart():
    binary = Path(os.environ.get("PUSHBOARD", ROOT / ".build/release/pushboard"))
    if not binary.exists():
        pytest.exit(f"{binary} is missing: build first, or run make protocol", returncode=2)


@pytest.fixture
def start(tmp_path):
    """Starts servers: `start("--limit", "connections=5")`. Whatever still runs when the test ends must exit 0 on SIGTERM."""
    yield from starting(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Starts servers for the tests of a module that only ask and change nothing."""
    yield from starting(tmp_path_factory.mktemp("shared"))


def starting(folder):
    servers = []

    def starter(*options, **named):
        server = Server(*options, home=folder / f"home-{len(servers)}", **named)
        servers.append(server)
        return server.ready()

    yield starter
    faults = [fault for server in servers for fault in server.stop()]
    assert not faults, "\n".join(faults)


@pytest.fixture
def server(start):
    return start()
