"""Rate limits, undo and automatic retries as scripts see them."""

import asyncio

from client import client, clients
from runs import cancel, story


async def rung(tab):
    """Rings once and waits for the end."""
    ack = await tab.press("ring-twice")
    assert ack["result"] == "accepted"
    await tab.ended(ack["run"])
    return ack["run"]


async def test_D11_a_rate_limit_counts_over_all_and_shows_one_countdown(server):
    async with clients(server, 3) as tabs:
        for tab in tabs[:2]:
            await rung(tab)
        acks = [await tab.press("ring-twice") for tab in tabs]
        assert [(each["result"], each["reason"]) for each in acks] == 3 * [("rejected", "rate_limited")]
        assert all(15_000 < each["retryAfterMs"] <= 20_000 for each in acks)
        for tab in tabs:
            await tab.phase("ring-twice", "success")
        shown = [tab.buttons["ring-twice"] for tab in tabs]
        assert shown[0] == shown[1] == shown[2], "one frame, one countdown"
        assert 15_000 < shown[0]["retryAfterMs"] <= 20_000
        assert shown[0]["enabled"] is True, "that is business of its own"
        async with client(server) as late:
            assert 15_000 < late.buttons["ring-twice"]["retryAfterMs"] <= shown[0]["retryAfterMs"]


async def test_D11_the_limit_lifts_by_itself_when_it_said(server):
    async with client(server) as tab:
        await rung(tab)
        assert "retryAfterMs" not in tab.buttons["ring-twice"], "one press is still free"
        await rung(tab)
        refused = await tab.press("ring-twice")
        clock = asyncio.get_running_loop().time
        told, since = refused["retryAfterMs"] / 1000, clock()
        await tab.until(lambda: "retryAfterMs" not in tab.buttons["ring-twice"], seconds=25)
        assert abs(clock() - since - told) < 1
        await rung(tab)


async def test_D12_a_limit_is_a_button_s_own(server):
    async with client(server) as tab:
        await rung(tab)
        await rung(tab)
        assert (await tab.press("ring-twice"))["reason"] == "rate_limited"
        assert (await tab.press("quick"))["result"] == "accepted"


async def test_a_countdown_is_told_and_a_press_can_be_taken_back(server):
    async with client(server) as tab, client(server) as other:
        ack = await tab.press("send-letter")
        assert (ack["result"], ack["position"]) == ("held", 1)
        held = await other.phase("send-letter", "held")
        (waiting,) = held["queue"]
        assert waiting["for"] == "countdown" and 4_000 < waiting["leftMs"] <= 5_000 and waiting["run"] == ack["run"]
        assert "run" not in held and held["queued"] == 1
        refused = await other.press("send-letter")
        assert (refused["result"], refused["reason"]) == ("rejected", "busy")
        assert (await other.request("cancel", button="send-letter"))["result"] == "ok"
        assert (await tab.ended(ack["run"]))["outcome"] == "cancelled"
        await other.phase("send-letter", "idle")
        assert story(tab.runs, ack["run"]) == ["held", "cancelled"], "its action is never called"
        assert other.buttons["send-letter"]["failures"] == 0


async def test_a_countdown_that_nobody_stops_starts_the_run(server):
    async with client(server) as tab:
        ack = await tab.press("send-letter")
        clock = asyncio.get_running_loop().time
        pressed = clock()
        await tab.until(lambda: [each for each in tab.runs if each["change"] == "started"])
        assert 4.5 < clock() - pressed < 7
        await tab.phase("send-letter", "success")
        assert list(dict.fromkeys(tab.phases("send-letter"))) == ["held", "pending", "spinning", "success"]
        assert story(tab.runs, ack["run"]) == ["held", "started", "succeeded"]


async def test_B46_automatic_retries_show_one_run_and_one_success(server):
    async with client(server) as tab:
        run = (await tab.press("stubborn-upload"))["run"]
        await tab.phase("stubborn-upload", "success")
        told = [(each["change"], each["attempt"]) for each in tab.runs if each["run"] == run]
        assert told == [("started", 1), ("retrying", 1), ("started", 2), ("retrying", 2), ("started", 3), ("ended", 3)]
        retrying = [each["error"] for each in tab.runs if each["change"] == "retrying"]
        assert {each["code"] for each in retrying} == {"thrown"} and all(each["run"] == run for each in retrying)
        phases = list(dict.fromkeys(tab.phases("stubborn-upload")))
        assert phases == ["pending", "spinning", "success"], "no failure in between"
        runs = [each["run"] for message in tab.messages if message["type"] == "state"
                for each in message["buttons"] if each["id"] == "stubborn-upload" and "run" in each]
        assert {each["of"] for each in runs} == {3}
        assert list(dict.fromkeys(each["attempt"] for each in runs)) == [1, 2, 3]
        assert tab.buttons["stubborn-upload"]["failures"] == 0


async def test_B46_a_cancel_between_two_attempts_ends_at_once(server):
    async with client(server) as tab:
        run = (await tab.press("stubborn-upload"))["run"]
        await tab.until(lambda: [each for each in tab.runs if each["change"] == "retrying"])
        await cancel(tab, "stubborn-upload", run)
        assert story(tab.runs, run) == ["started", "retrying", "cancelled"], "there was nothing to stop"
        button = await tab.phase("stubborn-upload", "idle")
        assert button["failures"] == 0 and button["last"]["outcome"] == "cancelled"
