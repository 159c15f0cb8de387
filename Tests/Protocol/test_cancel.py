"""Cancelling."""

import json

from client import client
from raw import Raw, frame


async def test_B30_a_cancelled_run_is_no_failure_and_the_spinner_goes_at_once(server):
    async with client(server) as tab:
        run = (await tab.press("heavy-update"))["run"]
        await tab.phase("heavy-update", "spinning")
        assert (await tab.request("cancel", button="heavy-update", run=run))["result"] == "ok"
        ended = await tab.ended(run)
        button = await tab.phase("heavy-update", "idle")
        assert ended["outcome"] == "cancelled" and ended["durationMs"] < 3000
        assert button["failures"] == 0 and button["last"]["outcome"] == "cancelled" and "error" not in button
        assert "cancelling" in [each["change"] for each in tab.runs]
        assert "success" not in tab.phases("heavy-update") and "failure" not in tab.phases("heavy-update")


async def test_B31_cancel_twice_is_ok_twice_and_stale_after_the_end(server):
    async with client(server) as tab:
        run = (await tab.press("heavy-update"))["run"]
        await tab.phase("heavy-update", "spinning")
        with Raw(server).open() as other:  # both in one segment: an action that obeys is gone before a second one comes
            cancel = frame('{"type":"cancel","id":1,"button":"heavy-update","run":"%s"}' % run)
            other.send(cancel + cancel)
            acks = [json.loads(other.read_until('"ack"')) for _ in range(2)]
            assert [ack["result"] for ack in acks] == ["ok", "ok"]
        await tab.ended(run)
        await tab.phase("heavy-update", "idle")
        revision = tab.buttons["heavy-update"]["rev"]
        assert (await tab.request("cancel", button="heavy-update", run=run))["reason"] == "stale"
        await tab.settle()
        assert tab.buttons["heavy-update"]["rev"] == revision, "nothing changed"
        assert [each["change"] for each in tab.runs] == ["started", "cancelling", "ended"]


async def test_anyone_may_cancel_and_without_a_run_it_means_the_active_one(server):
    async with client(server) as presser, client(server) as other:
        run = (await presser.press("heavy-update"))["run"]
        assert (await other.request("cancel", button="heavy-update"))["result"] == "ok"
        assert (await presser.ended(run))["outcome"] == "cancelled"
        await presser.phase("heavy-update", "idle")
        assert (await other.request("cancel", button="heavy-update"))["reason"] == "stale", "nothing left to cancel"


async def test_cancel_of_a_wrong_run_is_stale_and_the_run_goes_on(server):
    async with client(server) as tab:
        run = (await tab.press("like"))["run"]
        assert (await tab.request("cancel", button="like", run="0" * 26))["reason"] == "stale"
        assert (await tab.ended(run))["outcome"] == "succeeded"


async def test_cancel_of_a_button_that_cannot_be_cancelled(server):
    async with client(server) as tab:
        assert tab.buttons["no-way-back"]["cancellable"] is False and tab.buttons["heavy-update"]["cancellable"] is True
        run = (await tab.press("no-way-back"))["run"]
        ack = await tab.request("cancel", button="no-way-back", run=run)
        assert (ack["result"], ack["reason"], ack["run"]) == ("rejected", "not_cancellable", run)
        assert (await tab.ended(run))["outcome"] == "succeeded"


async def test_B35_a_timeout_is_a_failure_that_names_it(server):
    async with client(server) as tab:
        run = (await tab.press("time-limit"))["run"]
        ended = await tab.ended(run)
        assert (ended["outcome"], ended["error"]["code"]) == ("failed", "timeout") and 2000 <= ended["durationMs"] < 3500
        button = await tab.phase("time-limit", "failure")
        assert button["retryable"] is True and button["timeoutMs"] == 2000


async def test_a_second_cancel_of_a_stuck_run_abandons_it_and_its_action_blocks_presses(server):
    async with client(server) as tab:
        run = (await tab.press("slow-to-stop"))["run"]
        await tab.phase("slow-to-stop", "spinning")
        assert (await tab.request("cancel", button="slow-to-stop", run=run))["result"] == "ok"
        await tab.until(lambda: tab.buttons["slow-to-stop"].get("run", {}).get("stuck"))
        assert (await tab.request("cancel", button="slow-to-stop", run=run))["result"] == "ok"
        ended = await tab.ended(run)
        assert (ended["outcome"], ended["orphaned"]) == ("cancelled", True)
        assert (await tab.press("slow-to-stop"))["reason"] == "orphan_running"


async def test_cancel_of_an_unknown_button(server):
    async with client(server) as tab:
        assert (await tab.request("cancel", button="no-such-button"))["reason"] == "unknown_button"
