"""Presses that wait for a slot: who waits, in which order, and who does not."""

import asyncio

from client import client
from runs import cancel, started, story


async def pressed(tab, button, *results):
    """Presses once per expected result; returns the answers."""
    answers = [await tab.press(button) for _ in results]
    assert [each["result"] for each in answers] == list(results)
    return answers


async def test_B23_a_queue_is_strictly_first_in_first_out_and_keeps_spinning(server):
    async with client(server) as tab:
        first, second, third = await pressed(tab, "queue-up", "accepted", "held", "held")
        assert "position" not in first and (second["position"], third["position"]) == (1, 2)
        runs = [each["run"] for each in (first, second, third)]
        waiting = await tab.until(lambda: tab.buttons["queue-up"]["queued"] == 2 and tab.buttons["queue-up"])
        assert [each["run"] for each in waiting["queue"]] == runs[1:]
        assert all(each["for"] == "slot" and "leftMs" not in each for each in waiting["queue"])
        assert waiting["run"]["run"] == runs[0] and waiting["policy"] == "queue" and waiting["max"] == 16
        await tab.until(lambda: tab.buttons["queue-up"]["phase"] == "success", seconds=20)
        assert started(tab.runs) == runs
        assert [story(tab.runs, run) for run in runs] == [["started", "succeeded"]] + 2 * [["held", "started", "succeeded"]]
        assert list(dict.fromkeys(tab.phases("queue-up"))) == ["pending", "spinning", "success"], "one busy period"
        assert (tab.buttons["queue-up"]["queued"], tab.buttons["queue-up"]["queue"]) == (0, [])


async def test_B24_the_newest_displaces_the_one_that_waits(server):
    async with client(server) as tab:
        acks = await pressed(tab, "keep-the-newest", "accepted", "held", "held")
        first, displaced, newest = (each["run"] for each in acks)
        assert acks[2]["position"] == 1
        assert (await tab.ended(displaced))["outcome"] == "superseded"
        button = await tab.until(lambda: "last" in tab.buttons["keep-the-newest"] and tab.buttons["keep-the-newest"])
        assert button["last"]["run"] == displaced and button["last"]["outcome"] == "superseded"
        assert (button["queued"], button["queue"][0]["run"], button["policy"]) == (1, newest, "queue-last")
        assert "max" not in button
        await cancel(tab, "keep-the-newest", first)
        await tab.until(lambda: newest in started(tab.runs))
        assert story(tab.runs, displaced) == ["held", "superseded"], "its action is never called"
        await cancel(tab, "keep-the-newest", newest)


async def test_B25_the_one_that_waits_is_kept_and_the_newcomer_refused(server):
    async with client(server) as tab:
        acks = await pressed(tab, "keep-the-first", "accepted", "held", "rejected")
        first, waiting = acks[0]["run"], acks[1]["run"]
        assert (acks[2]["reason"], acks[2]["run"]) == ("queue_full", first)
        assert [each["run"] for each in acks[2]["button"]["queue"]] == [waiting]
        await cancel(tab, "keep-the-first", first)
        await tab.until(lambda: waiting in started(tab.runs))
        assert (await tab.press("keep-the-first"))["result"] == "held", "there is room again"
        await cancel(tab, "keep-the-first", *(each["run"] for each in tab.buttons["keep-the-first"]["queue"]), waiting)


async def test_B26_a_full_queue_refuses_and_leaves_the_others_alone(server):
    async with client(server) as tab:
        acks = await pressed(tab, "queue-up", "accepted", *16 * ["held"])
        assert [each["position"] for each in acks[1:]] == list(range(1, 17))
        refused = await tab.press("queue-up")
        assert (refused["result"], refused["reason"]) == ("rejected", "queue_full") and "position" not in refused
        waiting = [each["run"] for each in acks[1:]]
        assert refused["button"]["queued"] == 16 and [each["run"] for each in refused["button"]["queue"]] == waiting
        await cancel(tab, "queue-up", *waiting, acks[0]["run"])
        assert started(tab.runs) == [acks[0]["run"]]


async def test_B26_a_failure_flushes_the_queue_that_asks_for_it(server):
    async with client(server) as tab:
        acks = await pressed(tab, "assembly-line", "accepted", "held", "held", "rejected")
        assert acks[3]["reason"] == "queue_full" and acks[3]["button"]["max"] == 2
        failed, *flushed = (each["run"] for each in acks[:3])
        button = await tab.phase("assembly-line", "failure")
        assert button["error"]["run"] == failed and button["queued"] == 0
        assert [story(tab.runs, run) for run in flushed] == 2 * [["held", "cancelled"]], "never started"


async def test_B34_a_cancelled_waiting_run_is_never_started(server):
    async with client(server) as tab, client(server) as other:
        acks = await pressed(tab, "queue-up", "accepted", "held", "held")
        running, cancelled, last = (each["run"] for each in acks)
        await other.until(lambda: other.buttons["queue-up"]["queued"] == 2)
        assert (await other.request("cancel", button="queue-up", run=cancelled))["result"] == "ok"
        await other.until(lambda: [each["run"] for each in other.buttons["queue-up"]["queue"]] == [last])
        await tab.ended(cancelled)
        assert story(tab.runs, cancelled) == ["held", "cancelled"]
        assert (await other.request("cancel", button="queue-up", run=cancelled))["reason"] == "stale"
        await cancel(tab, "queue-up", running)
        await tab.until(lambda: last in started(tab.runs))
        assert started(tab.runs) == [running, last]
        await cancel(tab, "queue-up", last)


async def test_a_cancel_without_a_run_means_the_active_one_not_those_that_wait(server):
    async with client(server) as tab:
        acks = await pressed(tab, "queue-up", "accepted", "held")
        assert (await tab.request("cancel", button="queue-up"))["result"] == "ok"
        assert (await tab.ended(acks[0]["run"]))["outcome"] == "cancelled"
        await tab.until(lambda: acks[1]["run"] in started(tab.runs))
        await cancel(tab, "queue-up", acks[1]["run"])


async def test_D8_those_who_wait_are_named_to_everyone_also_to_who_comes_later(server):
    async with client(server, "?name=Ann") as ann, client(server, "?name=Bob") as bob:
        running = (await ann.press("queue-up"))["run"]
        ack = await bob.press("queue-up")
        assert (ack["result"], ack["position"]) == ("held", 1)
        async with client(server) as late:
            button = late.buttons["queue-up"]
            assert (button["run"]["by"], button["run"]["run"]) == (ann.hello["user"]["name"], running)
            assert button["run"]["elapsedMs"] >= 0
            assert [(each["by"], each["run"]) for each in button["queue"]] == [(bob.hello["user"]["name"], ack["run"])]
            assert button["queue"][0]["client"] == bob.hello["client"]
        await cancel(bob, "queue-up", ack["run"])
        await cancel(ann, "queue-up", running)


async def test_B51_a_held_press_sent_again_under_its_key_waits_once(server):
    async with client(server) as tab:
        running = (await tab.press("queue-up"))["run"]
        held = await tab.press("queue-up", key="mine")
        again = await tab.press("queue-up", key="mine")
        assert (held["result"], again["result"], again["run"]) == ("held", "duplicate", held["run"])
        await tab.settle()
        assert tab.buttons["queue-up"]["queued"] == 1
        await cancel(tab, "queue-up", held["run"], running)
        assert (await tab.request("lookup", button="queue-up", key="mine"))["outcome"] == "cancelled"


async def test_presses_of_one_batch_wait_in_their_order(server):
    async with client(server) as tab:
        identifiers = [await tab.send("press", button="queue-up") for _ in range(4)]
        acks = await asyncio.gather(*[tab.answer(identifiers[0])])
        acks += [await tab.answer(each) for each in identifiers[1:]]
        assert [each.get("position") for each in acks] == [None, 1, 2, 3]
        await cancel(tab, "queue-up", *(each["run"] for each in reversed(acks)))
