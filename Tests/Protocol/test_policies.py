"""What a press of a busy button does: restart, parallel, and ten presses at once under every policy."""

import asyncio

import pytest

from client import client, clients
from runs import cancel, running_together, started, story


async def test_B20_parallel_runs_share_one_busy_period_and_one_success(server):
    async with client(server) as tab:
        runs = []
        for _ in range(3):
            ack = await tab.press("three-at-once")
            assert ack["result"] == "accepted"
            runs.append(ack["run"])
        await tab.phase("three-at-once", "success")
        assert [story(tab.runs, run) for run in runs] == 3 * [["started", "succeeded"]]
        assert list(dict.fromkeys(tab.phases("three-at-once"))) == ["pending", "spinning", "success"]
        shown = next(index for index, each in enumerate(tab.messages) if each["type"] == "state"
                     for button in each["buttons"] if button["id"] == "three-at-once" and button["phase"] == "success")
        ends = [index for index, each in enumerate(tab.messages) if each.get("change") == "ended"]
        assert len(ends) == 3 and max(ends) < shown


async def test_B22_a_press_beyond_the_parallel_runs_is_busy(server):
    async with client(server) as tab:
        runs = [(await tab.press("three-at-once"))["run"] for _ in range(3)]
        refused = await tab.press("three-at-once")
        assert (refused["result"], refused["reason"], refused["run"]) == ("rejected", "busy", runs[0])
        assert (refused["button"]["policy"], refused["button"]["max"]) == ("parallel", 3)
        await cancel(tab, "three-at-once", runs[1])
        assert (await tab.press("three-at-once"))["result"] == "accepted", "one has ended, one may start"
        await cancel(tab, "three-at-once", runs[0], runs[2])


async def test_B76_a_restart_stops_the_old_run_and_starts_the_new_one_without_a_pause(server):
    async with client(server) as tab:
        old = (await tab.press("start-over"))["run"]
        await tab.phase("start-over", "spinning")
        ack = await tab.press("start-over")
        assert ack["result"] == "held" and ack["position"] == 1, "until the old action has ended"
        await tab.phase("start-over", "success")
        assert story(tab.runs, old) == ["started", "cancelling", "superseded"]
        assert story(tab.runs, ack["run"]) == ["held", "started", "succeeded"]
        assert list(dict.fromkeys(tab.phases("start-over"))) == ["pending", "spinning", "success"], "no idle between"
        assert running_together(tab.runs, hands_over=True) == 1 and tab.buttons["start-over"]["failures"] == 0


async def test_B76_a_further_press_supersedes_the_one_that_waits(server):
    async with client(server) as tab:
        identifiers = [await tab.send("press", button="start-over") for _ in range(3)]
        first, second, third = [(await tab.answer(each))["run"] for each in identifiers]
        await tab.until(lambda: third in started(tab.runs))
        await tab.ended(first)
        assert story(tab.runs, second) == ["held", "superseded"], "its action is never called"
        await cancel(tab, "start-over", third)


POLICIES = [
    ("submit", {"accepted": 1, "busy": 9}, 1),
    ("queue-up", {"accepted": 1, "held": 9}, 1),
    ("keep-the-first", {"accepted": 1, "held": 1, "queue_full": 8}, 1),
    ("keep-the-newest", {"accepted": 1, "held": 9}, 1),
    ("start-over", {"accepted": 1, "held": 9}, 1),
    ("three-at-once", {"accepted": 3, "busy": 7}, 3),
]


@pytest.mark.parametrize(("button", "expected", "together"), POLICIES)
async def test_D10_ten_simultaneous_presses_under_each_policy(server, button, expected, together):
    async with client(server) as watcher, clients(server, 10) as tabs:
        await watcher.request("subscribe", topic="runs")
        acks = await asyncio.gather(*(tab.press(button) for tab in tabs))
        counts = {}
        for ack in acks:
            outcome = ack.get("reason", ack["result"])
            counts[outcome] = counts.get(outcome, 0) + 1
        assert counts == expected
        taken = {ack["run"] for ack in acks if ack["result"] != "rejected"}
        for run in taken:
            await watcher.request("cancel", button=button, run=run)  # `stale` for those that were superseded
        ended = lambda: {each["run"] for each in watcher.runs if each["change"] == "ended"}
        await watcher.until(lambda: ended() == taken)
        hands_over = expected.get("held", 0) > 0
        assert 1 <= running_together(watcher.runs, hands_over) <= together
        if button in ("keep-the-newest", "start-over"):
            outcomes = [each["outcome"] for each in watcher.runs if each["change"] == "ended"]
            assert outcomes.count("superseded") == {"keep-the-newest": 8, "start-over": 9}[button]
