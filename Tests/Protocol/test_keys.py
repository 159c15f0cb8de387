"""Idempotency: one key, one run, whatever the socket does."""

import asyncio

import pytest

from client import client


async def test_D3_the_same_key_twice_is_one_run(server):
    async with client(server) as tab:
        first, second = await tab.send("press", button="like", key="k"), await tab.send("press", button="like", key="k")
        accepted, duplicate = await tab.answer(first), await tab.answer(second)
        assert (accepted["result"], duplicate["result"]) == ("accepted", "duplicate") and duplicate["run"] == accepted["run"]
        assert "outcome" not in duplicate, "it still runs"
        await tab.ended(accepted["run"])
        assert len({each["run"] for each in tab.runs}) == 1


async def test_D3_two_keys_at_once_are_one_run_and_one_busy(server):
    async with client(server) as tab:
        first, second = await tab.send("press", button="like", key="a"), await tab.send("press", button="like", key="b")
        accepted, busy = await tab.answer(first), await tab.answer(second)
        assert (accepted["result"], busy["result"], busy["reason"], busy["run"]) == ("accepted", "rejected", "busy", accepted["run"])


async def test_B51_the_socket_drops_before_the_ack_and_the_same_key_finds_the_run(server):
    async with client(server) as watcher:
        async with client(server) as lost:
            await lost.send("press", button="submit", key="intent")
            lost.socket.transport.abort()  # no close frame, the ack is never read
        run = (await watcher.phase("submit", "pending", "spinning"))["run"]["run"]
        async with client(server) as again:
            ack = await again.press("submit", key="intent")
            assert (ack["result"], ack["run"]) == ("duplicate", run) and "outcome" not in ack
        await watcher.phase("submit", "success")
        assert watcher.buttons["submit"]["last"]["run"] == run, "one run"


async def test_B52_the_same_key_after_the_end_brings_the_outcome(server):
    async with client(server) as tab:
        run = (await tab.press("noop", key="intent"))["run"]
        await tab.ended(run)
        async with client(server) as again:
            ack = await again.press("noop", key="intent")
            assert (ack["result"], ack["run"], ack["outcome"]) == ("duplicate", run, "succeeded")
            await again.settle()
            assert not again.runs, "no new run"


async def test_B54_one_key_means_one_intent(server):
    async with client(server) as tab:
        run = (await tab.press("always-fails", key="k"))["run"]
        await tab.phase("always-fails", "failure")
        other_verb = await tab.request("retry", button="always-fails", run=run, key="k")
        assert (other_verb["result"], other_verb["reason"]) == ("rejected", "key_reused")
        elsewhere = await tab.press("noop", key="k")
        assert elsewhere["result"] == "accepted" and elsewhere["run"] != run, "the key belongs to its button"


async def test_a_retry_has_its_own_key(server):
    async with client(server) as tab:
        run = (await tab.press("always-fails"))["run"]
        await tab.phase("always-fails", "failure")
        first = await tab.request("retry", button="always-fails", run=run, key="again")
        second = await tab.request("retry", button="always-fails", run=run, key="again")
        assert (first["result"], second["result"], second["run"]) == ("accepted", "duplicate", first["run"])
        assert (await tab.press("always-fails", key="again"))["reason"] == "key_reused"


async def test_a_refusal_is_remembered_so_a_re_sent_press_cannot_start_late(server):
    async with client(server) as tab:
        run = (await tab.press("like"))["run"]
        refused = await tab.press("like", key="late")
        assert refused["reason"] == "busy"
        await tab.ended(run)
        await tab.phase("like", "success")
        again = await tab.press("like", key="late")
        assert (again["result"], again["reason"]) == ("rejected", "busy"), "the answer of then"
        assert (await tab.press("like", key="fresh"))["result"] == "accepted"


async def test_B86_thousands_of_refused_keys_do_not_displace_an_accepted_one(start):
    server = start("--limit", "pressesPerSecond=0")
    async with client(server) as tab:
        run = (await tab.press("noop", key="kept"))["run"]
        await tab.ended(run)
        for batch in range(50):
            identifiers = [await tab.send("press", button="sold-out", key=f"r{batch}-{index}") for index in range(100)]
            identifiers += [await tab.send("press", button="noop", key=f"r{batch}-{index}", arguments={"x": 1}) for index in range(100)]
            for each in identifiers:
                assert (await tab.answer(each))["result"] == "rejected"
            tab.messages.clear()
        ack = await tab.press("noop", key="kept")
        assert (ack["result"], ack["run"]) == ("duplicate", run)


async def test_lookup_asks_without_pressing(server):
    async with client(server) as tab:
        unknown = await tab.request("lookup", button="like", key="k")
        assert (unknown["result"], unknown["reason"]) == ("rejected", "unknown_key")
        run = (await tab.press("like", key="k"))["run"]
        running = await tab.request("lookup", button="like", key="k")
        assert (running["result"], running["run"]) == ("duplicate", run) and "outcome" not in running
        await tab.ended(run)
        over = await tab.request("lookup", button="like", key="k")
        assert (over["result"], over["run"], over["outcome"]) == ("duplicate", run, "succeeded")
        assert (await tab.request("lookup", button="noop", key="k"))["reason"] == "unknown_key"
        assert len({each["run"] for each in tab.runs}) == 1


async def test_B55_after_a_restart_the_key_is_looked_up_and_unknown_without_a_store(start):
    first = start()
    async with client(first) as tab:
        await tab.press("submit", key="intent")
    first.terminate()
    assert first.wait() == 0
    async with client(start()) as tab:
        assert tab.hello["durable"] is False, "so the page says: outcome unknown"
        assert (await tab.request("lookup", button="submit", key="intent"))["reason"] == "unknown_key"


@pytest.mark.parametrize("key", ["", "x" * 129, 7, ["k"]])
async def test_a_malformed_key_is_a_bad_field(server, key):
    async with client(server) as tab:
        answer = await tab.press("noop", key=key)
        assert (answer["type"], answer["code"]) == ("error", "bad_field")


async def test_keys_of_the_longest_length_and_any_text_work(server):
    async with client(server) as tab:
        for key in ("x" * 128, "ключ ☃ \"\\\n"):
            await tab.phase("noop", "idle")
            first = await tab.press("noop", key=key)
            assert first["result"] == "accepted"
            await tab.ended(first["run"])
            assert (await tab.press("noop", key=key))["run"] == first["run"]


async def test_two_sockets_with_one_key_are_one_run(server):
    async with client(server) as one, client(server) as two:
        acks = await asyncio.gather(one.press("like", key="k"), two.press("like", key="k"))
        assert sorted(ack["result"] for ack in acks) == ["accepted", "duplicate"] and len({ack["run"] for ack in acks}) == 1
