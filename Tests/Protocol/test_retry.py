"""Failures, retries, dismissals."""

import asyncio

from client import client


async def failed(tab, button):
    """Presses a button that fails; returns the failed run."""
    run = (await tab.press(button))["run"]
    await tab.phase(button, "failure")
    return run


async def test_B5_a_failure_is_told_at_once_and_shown_with_its_message(server):
    async with client(server) as tab:
        run = await failed(tab, "always-fails")
        ended = await tab.ended(run)
        button = tab.buttons["always-fails"]
        assert ended["outcome"] == "failed" and ended["error"]
        assert button["error"]["run"] == run and button["error"]["message"] and button["error"]["needs"] == []
        assert button["failures"] == 1 and button["retryable"] is True and button["last"]["outcome"] == "failed"


async def test_B37_a_long_error_is_capped(server):
    async with client(server) as tab:
        await failed(tab, "always-fails")
        assert 100 < len(tab.buttons["always-fails"]["error"]["message"].encode()) <= 4096


async def test_B40_a_retry_is_a_new_run_of_the_same_root(server):
    async with client(server) as tab:
        first = await failed(tab, "flaky")
        ack = await tab.request("retry", button="flaky", run=first)
        assert ack["result"] == "accepted" and ack["run"] != first
        ended = await tab.ended(ack["run"])
        assert (ended["attempt"], ended["root"], ended["outcome"]) == (2, first, "succeeded")
        button = await tab.phase("flaky", "success")
        assert button["failures"] == 0


async def test_B10_a_new_run_clears_the_error_and_only_its_success_shows(server):
    async with client(server) as tab:
        first = await failed(tab, "flaky")
        retry = await tab.request("retry", button="flaky", run=first)
        await tab.phase("flaky", "success", "idle")
        shown = [button for message in tab.messages[tab.messages.index(retry):] if message["type"] == "state" for button in message["buttons"]]
        assert shown and all("error" not in button for button in shown)


async def test_B41_two_tabs_retry_and_one_run_starts(server):
    async with client(server) as one, client(server) as two:
        run = await failed(one, "flaky")
        await two.phase("flaky", "failure")
        acks = await asyncio.gather(*(tab.request("retry", button="flaky", run=run) for tab in (one, two)))
        accepted = [ack for ack in acks if ack["result"] == "accepted"]
        stale = [ack for ack in acks if ack["result"] == "rejected"]
        assert len(accepted) == 1 and stale[0]["reason"] == "stale"
        assert stale[0]["button"]["phase"] in ("pending", "spinning"), "the refusal brings the new state"
        await one.ended(accepted[0]["run"]) if acks[0]["result"] == "accepted" else await two.ended(accepted[0]["run"])


async def test_B42_a_retry_of_an_old_run_is_stale(server):
    async with client(server) as tab:
        first = await failed(tab, "flaky")
        second = (await tab.request("retry", button="flaky", run=first))["run"]
        await tab.ended(second)
        await tab.phase("flaky", "success", "idle")
        for run in (first, second, "0" * 26):
            ack = await tab.request("retry", button="flaky", run=run)
            assert (ack["result"], ack["reason"]) == ("rejected", "stale") and ack["button"]["id"] == "flaky"


async def test_B43_a_fresh_press_after_a_failure_is_a_new_root(server):
    async with client(server) as tab:
        first = await failed(tab, "always-fails")
        second = (await tab.press("always-fails"))["run"]
        ended = await tab.ended(second)
        assert (ended["attempt"], ended["root"]) == (1, second) and second != first
        await tab.phase("always-fails", "failure")
        await tab.until(lambda: tab.buttons["always-fails"]["failures"] == 2)


async def test_retry_while_it_runs_is_stale(server):
    async with client(server) as tab:
        first = await failed(tab, "always-fails")
        second = (await tab.request("retry", button="always-fails", run=first))["run"]
        assert (await tab.request("retry", button="always-fails", run=first))["reason"] == "stale"
        assert (await tab.request("retry", button="always-fails", run=second))["reason"] == "stale"
        await tab.ended(second)


async def test_dismiss_goes_to_idle_for_everyone(server):
    async with client(server) as one, client(server) as two:
        run = await failed(one, "always-fails")
        assert (await two.request("dismiss", button="always-fails", run=run))["result"] == "ok"
        await asyncio.gather(one.phase("always-fails", "idle"), two.phase("always-fails", "idle"))
        assert one.buttons["always-fails"]["last"]["run"] == run, "the outcome is still told as the last"
        assert (await one.request("dismiss", button="always-fails", run=run))["reason"] == "stale"


async def test_a_dismissed_failure_can_still_be_retried(server):
    async with client(server) as tab:
        run = await failed(tab, "flaky")
        await tab.request("dismiss", button="flaky", run=run)
        ack = await tab.request("retry", button="flaky", run=run)
        assert ack["result"] == "accepted"
        assert (await tab.ended(ack["run"]))["attempt"] == 2


async def test_B83_dismissing_a_failure_that_was_replaced_is_stale(server):
    async with client(server) as tab:
        old = await failed(tab, "always-fails")
        new = (await tab.press("always-fails"))["run"]
        await tab.until(lambda: tab.buttons["always-fails"].get("error", {}).get("run") == new)
        ack = await tab.request("dismiss", button="always-fails", run=old)
        assert ack["reason"] == "stale" and ack["button"]["phase"] == "failure"
        assert tab.buttons["always-fails"]["phase"] == "failure"
