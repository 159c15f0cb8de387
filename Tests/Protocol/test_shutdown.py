"""SIGTERM: presses refused, runs stopped while clients watch, goodbye, 1001, exit 0."""

import asyncio
import signal

import pytest

from board import eventually
from client import client, clients
from raw import Raw, frame


async def test_F14_everyone_sees_the_runs_end_then_goodbye_then_1001(start):
    server = start()
    async with clients(server, 100) as tabs:
        assert (await tabs[0].request("subscribe", topic="runs"))["result"] == "ok"
        runs = [(await tabs[0].press(button))["run"] for button in ("heavy-update", "place-order", "submit")]
        server.terminate()
        codes = await asyncio.gather(*(tab.closed() for tab in tabs))
        assert {code for code, _ in codes} == {1001}
        for tab in tabs:
            assert tab.messages[-1]["type"] == "goodbye" and tab.messages[-1]["reason"] == "shutting_down"
        ended = {each["run"]: each["outcome"] for each in tabs[0].runs if each["change"] == "ended"}
        assert set(ended) == set(runs) and set(ended.values()) <= {"cancelled", "succeeded"}
    assert server.wait() == 0


async def test_a_shutdown_with_nothing_running_is_quick(start):
    server = start()
    async with client(server) as tab:
        server.terminate()
        code, _ = await tab.closed(2)
        assert code == 1001
    assert server.wait(2) == 0


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
async def test_a_server_without_clients_ends_at_once(start, end):
    server = start()
    server.process.send_signal(end)
    assert server.wait(2) == 0


async def test_while_draining_presses_are_refused_keys_answered_and_nobody_new_comes_in(start):
    """A run that ignores its cancel keeps the server draining long enough to look at it."""
    server = start()
    alive, ready = Raw(server), Raw(server)
    assert alive.ask(target="/healthz").status == ready.ask(target="/readyz").status == 200
    async with client(server) as tab:
        stubborn = (await tab.press("slow-to-stop", key="before"))["run"]
        await tab.phase("slow-to-stop", "spinning")
        server.terminate()
        await tab.until(lambda: tab.buttons["slow-to-stop"].get("run", {}).get("cancelling"))
        refused = await tab.press("noop", key="during")
        assert (refused["result"], refused["reason"]) == ("rejected", "shutting_down")
        known = await tab.press("slow-to-stop", key="before")
        assert (known["result"], known["run"]) == ("duplicate", stubborn), "keys are still answered"
        assert alive.ask(target="/healthz").status == 200 and ready.ask(target="/readyz").status == 503
        alive.socket.close()
        ready.socket.close()
        with pytest.raises(ConnectionRefusedError):
            Raw(server)
        server.terminate()
        assert (await tab.closed())[0] == 1001
    assert server.wait() == 0


async def test_F15_a_second_sigterm_ends_at_once(start):
    server = start()
    async with client(server) as tab:
        await tab.press("slow-to-stop")
        await tab.phase("slow-to-stop", "spinning")
        server.terminate()
        await tab.until(lambda: tab.buttons["slow-to-stop"].get("run", {}).get("cancelling"))
        server.terminate()
        code, _ = await tab.closed(2)
        assert code == 1001 and tab.messages[-1]["type"] == "goodbye"
    assert server.wait(2) == 0


async def test_B39_an_action_that_outlives_the_grace_is_told_as_unknown_and_the_exit_is_clean(start):
    server = start()
    async with client(server) as tab:
        run = (await tab.press("slow-to-stop"))["run"]
        await tab.phase("slow-to-stop", "spinning")
        server.terminate()
        ended = await tab.ended(run)
        assert (ended["outcome"], ended["error"]["code"]) == ("unknown", "interrupted"), "nobody will see its end"
        assert (await tab.closed())[0] == 1001
    assert server.wait() == 0


async def test_a_client_that_never_reads_does_not_hold_the_exit_up(start):
    server = start()
    with Raw(server) as silent, Raw(server) as flooding:
        silent.open()
        flooding.open()
        flooding.send(frame('{"type":"snapshot"}') * 200)  # answers that nobody reads
        server.terminate()
        assert server.wait(6) == 0


async def test_half_open_requests_do_not_hold_the_exit_up(start):
    server = start()
    with Raw(server) as nothing, Raw(server) as half:
        half.send("GET / HTTP/1.1\r\nHost: ")
        eventually(lambda: server.descriptors() > 2, "both connections accepted")
        server.terminate()
        assert server.wait(4) == 0
        nothing.to_end()


async def test_R2_the_same_port_can_be_bound_at_once_after_the_end(start):
    first = start()
    async with client(first) as tab:
        first.terminate()
        await tab.closed()
    assert first.wait() == 0
    second = start(listen=f"127.0.0.1:{first.port}")
    async with client(second) as tab:
        assert second.port == first.port and tab.hello["epoch"]
