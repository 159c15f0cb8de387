"""Presses: one run, one answer, the same states for everyone."""

import asyncio
import json

from client import client, clients


def running_together(messages):
    """The most runs of any button that were active at once, by the run messages in their order."""
    active, most = set(), 0
    for message in messages:
        if message["change"] == "started":
            active.add(message["run"])
        elif message["change"] == "ended":
            active.discard(message["run"])
        most = max(most, len(active))
    return most


async def test_ack_then_run_events_then_state(server):
    async with client(server) as tab:
        ack = await tab.press("submit")
        assert ack["result"] == "accepted" and len(ack["run"]) == 26
        await tab.phase("submit", "spinning")
        kinds = [(message["type"], message.get("change")) for message in tab.messages[2:5]]
        assert kinds == [("ack", None), ("run", "started"), ("state", None)]
        started = tab.runs[0]
        assert started["run"] == started["root"] == ack["run"] and started["attempt"] == 1
        assert started["button"] == "submit" and started["client"] == tab.hello["client"]


async def test_B1_a_fast_action_never_spins(server):
    async with client(server) as tab:
        await tab.press("quick")
        await tab.phase("quick", "success")
        assert tab.buttons["quick"]["last"]["outcome"] == "succeeded"
        hold = tab.buttons["quick"]["holdLeftMs"]
        assert 1500 < hold <= 2000
        await tab.phase("quick", "idle")
        assert tab.phases("quick") == ["pending", "success", "idle"]


async def test_B4_a_slow_action_spins_and_then_shows_its_success(server):
    async with client(server) as tab:
        run = (await tab.press("submit"))["run"]
        button = await tab.phase("submit", "spinning")
        assert 150 <= button["run"]["elapsedMs"] < 1000
        button = await tab.phase("submit", "success")
        assert button["last"]["run"] == run and 2000 <= button["last"]["durationMs"] < 3500
        await tab.phase("submit", "idle")
        assert list(dict.fromkeys(tab.phases("submit"))) == ["pending", "spinning", "success", "idle"]


async def test_B3_the_run_message_does_not_wait_for_the_shortest_spinner(server):
    """Like takes 400 ms: its end is told at once, the success is shown when the spinner has been shown 300 ms."""
    async with client(server) as tab:
        run = (await tab.press("like"))["run"]
        await tab.phase("like", "success")
        order = [message.get("change") or message["buttons"][0]["phase"] for message in tab.messages if message["type"] in ("run", "state")]
        assert order[0] == "started" and order.index("ended") < order.index("success")
        ended = await tab.ended(run)
        assert ended["outcome"] == "succeeded" and 400 <= ended["durationMs"] < 1500


async def test_B8_without_holds_a_press_goes_from_pending_to_idle(server):
    async with client(server) as tab:
        run = (await tab.press("noop"))["run"]
        await tab.phase("noop", "idle")
        await tab.ended(run)
        await tab.settle()
        assert tab.phases("noop") == ["pending", "idle"]
        assert (await tab.ended(run))["outcome"] == "succeeded"


async def test_B7_without_a_spinner_the_button_is_pending_to_the_end(server):
    async with client(server) as tab:
        await tab.press("silent")
        await tab.phase("silent", "success")
        assert tab.phases("silent") == ["pending", "success"]


async def test_progress_comes_in_order(server):
    async with client(server) as tab:
        run = (await tab.press("place-order"))["run"]
        await tab.ended(run)
        await tab.phase("place-order", "success")
        told = [button["run"]["completed"] for message in tab.messages if message["type"] == "state"
                for button in message["buttons"] if "completed" in button.get("run", {})]
        totals = {button["run"]["total"] for message in tab.messages if message["type"] == "state"
                  for button in message["buttons"] if "total" in button.get("run", {})}
        assert told == sorted(told) and {1, 2, 3} <= set(told) and totals == {4}


async def test_B14_two_presses_in_one_batch_start_one_run(server):
    async with client(server) as tab:
        first, second = await tab.send("press", button="submit"), await tab.send("press", button="submit")
        accepted, busy = await tab.answer(first), await tab.answer(second)
        assert accepted["result"] == "accepted"
        assert (busy["result"], busy["reason"], busy["run"]) == ("rejected", "busy", accepted["run"])
        assert busy["button"]["run"]["by"] == tab.hello["user"]["name"], "D8: told who started it"


async def test_B15_two_sockets_press_at_once(server):
    async with client(server) as one, client(server) as two:
        acks = await asyncio.gather(one.press("like"), two.press("like"))
        assert sorted(ack["result"] for ack in acks) == ["accepted", "rejected"]
        assert len({ack["run"] for ack in acks}) == 1
        await asyncio.gather(one.phase("like", "success"), two.phase("like", "success"))
        states = [[(button["rev"], button["phase"]) for message in tab.messages if message["type"] == "state" for button in message["buttons"]]
                  for tab in (one, two)]
        assert states[0] == states[1]


async def test_B16_busy_while_still_pending(server):
    async with client(server) as one, client(server) as two:
        run = (await one.press("submit"))["run"]
        assert (await two.phase("submit", "pending"))["phase"] == "pending"
        refusal = await two.press("submit")
        assert (refusal["result"], refusal["reason"], refusal["run"]) == ("rejected", "busy", run)
        assert "spinning" not in two.phases("submit"), "refused before any spinner"


async def test_B17_many_sockets_never_two_runs_at_once(server):
    async with client(server) as watcher, clients(server, 100) as tabs:
        assert (await watcher.request("subscribe", topic="runs"))["result"] == "ok"

        async def ten(tab):
            return [await tab.press("quick") for _ in range(10)]

        acks = [ack for answers in await asyncio.gather(*map(ten, tabs)) for ack in answers]
        accepted = {ack["run"] for ack in acks if ack["result"] == "accepted"}
        refused = [ack for ack in acks if ack["result"] == "rejected"]
        assert len(acks) == 1000 and len(accepted) + len(refused) == 1000
        assert {ack["reason"] for ack in refused} == {"busy"} and {ack["run"] for ack in refused} <= accepted
        await watcher.until(lambda: {each["run"] for each in watcher.runs if each["change"] == "ended"} >= accepted)
        assert running_together(watcher.runs) == 1
        assert {each["run"] for each in watcher.runs} == accepted


async def test_F3_a_flood_of_presses_runs_one_and_refuses_the_rest_with_state(server):
    async with clients(server, 100) as tabs:
        async def flood(tab):
            identifiers = [await tab.send("press", button="submit") for _ in range(10)]
            return [await tab.answer(each) for each in identifiers]

        acks = [ack for answers in await asyncio.gather(*map(flood, tabs)) for ack in answers]
        accepted = [ack for ack in acks if ack["result"] == "accepted"]
        assert len(accepted) == 1 and len(acks) == 1000
        for ack in acks:
            if ack["result"] == "rejected":
                assert ack["reason"] == "busy" and ack["run"] == accepted[0]["run"] and ack["button"]["phase"] in ("pending", "spinning")
        await asyncio.gather(*(tab.phase("submit", "success") for tab in tabs))
        final = {json.dumps({**tab.buttons["submit"], "holdLeftMs": 0}) for tab in tabs}
        assert len(final) == 1, "I7: everyone ends with the same state"


async def test_B18_a_double_click_of_a_page_starts_one_run(server):
    async with client(server) as tab:
        first = await tab.press("quick", origin="dom")
        await tab.ended(first["run"])
        second = await tab.press("quick", origin="dom")
        assert (second["result"], second["reason"]) == ("rejected", "double_press")
        await tab.settle()
        assert len({each["run"] for each in tab.runs}) == 1


async def test_a_script_has_no_double_press_guard(server):
    async with client(server) as tab:
        for _ in range(3):
            ack = await tab.press("quick")
            assert ack["result"] == "accepted"
            await tab.ended(ack["run"])


async def test_B19_a_second_press_in_the_success_hold_starts_again(server):
    async with client(server) as tab:
        first = (await tab.press("quick"))["run"]
        await tab.phase("quick", "success")
        second = (await tab.press("quick"))["run"]
        assert second != first
        await tab.phase("quick", "pending")
        await tab.ended(second)


async def test_B50_the_presser_leaves_and_the_run_goes_on(server):
    async with client(server) as watcher:
        async with client(server) as presser:
            run = (await presser.press("like"))["run"]
        button = await watcher.phase("like", "success")
        assert button["last"]["run"] == run and button["last"]["outcome"] == "succeeded"


async def test_R1_three_tabs_and_a_script_see_pending_spinning_success(server):
    async with clients(server, 4) as everyone:
        run = (await everyone[3].press("submit"))["run"]
        for each in everyone:
            await each.phase("submit", "success")
            assert list(dict.fromkeys(each.phases("submit"))) == ["pending", "spinning", "success"]
            assert each.buttons["submit"]["last"]["run"] == run


async def test_press_of_what_is_not_there_or_disabled(server):
    async with client(server) as tab:
        unknown = await tab.press("no-such-button")
        assert (unknown["result"], unknown["reason"]) == ("rejected", "unknown_button") and "button" not in unknown
        disabled = await tab.press("sold-out")
        assert (disabled["result"], disabled["reason"]) == ("rejected", "disabled")
        assert disabled["button"]["disabledReason"] and "run" not in disabled
        await tab.settle()
        assert not tab.runs and not [message for message in tab.messages if message["type"] == "state"], "no state changed"


async def test_arguments_of_a_button_without_any_are_refused(server):
    async with client(server) as tab:
        ack = await tab.press("noop", arguments={"surprise": 1})
        assert (ack["result"], ack["reason"]) == ("rejected", "bad_arguments") and ack["fields"][0]["name"] == "surprise"
        assert (await tab.press("noop", arguments={}))["result"] == "accepted"


async def test_items_that_change_in_one_turn_leave_in_one_frame(server):
    async with client(server) as watcher, client(server) as presser:
        for button in ("like", "submit", "place-order"):  # three frames that reach the server in one read
            await presser.send("press", button=button)
        await watcher.until(lambda: all(watcher.buttons[each]["phase"] != "idle" for each in ("like", "submit", "place-order")))
        frames = [message for message in watcher.messages if message["type"] == "state"]
        assert len(frames) <= 3


async def test_rate_limit_of_a_connection_is_told_and_not_remembered(start):
    server = start("--limit", "pressesPerSecond=5")
    async with client(server) as tab, client(server) as other:
        assert tab.hello["limits"]["pressesPerSecond"] == 5
        identifiers = [await tab.send("press", button="sold-out", key=f"k{index}") for index in range(8)]
        acks = [await tab.answer(each) for each in identifiers]
        limited = [ack for ack in acks if ack["reason"] == "rate_limited"]
        assert [ack["reason"] for ack in acks[:5]] == ["disabled"] * 5 and len(limited) == 3
        assert all(0 < ack["retryAfterMs"] <= 1000 for ack in limited)
        assert (await other.press("sold-out"))["reason"] == "disabled", "another connection is not limited"
        await asyncio.sleep(limited[-1]["retryAfterMs"] / 1000)  # the server said how long
        assert (await tab.press("sold-out", key="k7"))["reason"] == "disabled"
