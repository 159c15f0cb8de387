"""Groups: at most one button of a group is busy, and the others say which."""

from client import client
from runs import cancel, started, story


def states(tab, button):
    """The states of a button in their order."""
    return [each for message in tab.messages if message["type"] == "state" for each in message["buttons"] if each["id"] == button]


async def test_B28_the_others_of_a_group_are_blocked_until_it_ends(server):
    async with client(server) as tab, client(server) as other:
        run = (await tab.press("back-up"))["run"]
        blocked = await other.until(lambda: "blocked" in other.buttons["restore"] and other.buttons["restore"])
        assert blocked["blocked"] == {"button": "back-up", "run": run}
        assert (blocked["phase"], blocked["group"], blocked["enabled"]) == ("idle", "database", True), "no spinner"
        refused = await other.press("restore")
        assert (refused["result"], refused["reason"], refused["run"]) == ("rejected", "group_busy", run)
        assert refused["button"]["blocked"]["button"] == "back-up"
        await tab.ended(run)
        await other.until(lambda: "blocked" not in other.buttons["restore"])
        assert set(other.phases("restore")) == {"idle"}
        assert (await other.press("restore"))["result"] == "accepted"


async def test_B28_a_queue_waits_for_the_other_button_and_is_not_blocked(server):
    async with client(server) as tab:
        first = (await tab.press("restore"))["run"]
        ack = await tab.press("back-up")
        assert (ack["result"], ack["position"]) == ("held", 1)
        held = await tab.phase("back-up", "held")
        assert "blocked" not in held and "run" not in held
        assert [(each["run"], each["for"]) for each in held["queue"]] == [(ack["run"], "slot")]
        await tab.until(lambda: ack["run"] in started(tab.runs))
        assert started(tab.runs) == [first, ack["run"]]
        assert (await tab.ended(first))["outcome"] == "succeeded"
        told = [(each["run"], each["change"]) for each in tab.runs]
        assert told.index((first, "ended")) <= told.index((ack["run"], "started")) + 1, "it waited for the end"
        await tab.until(lambda: "blocked" in tab.buttons["restore"])
        await cancel(tab, "back-up", ack["run"])


async def test_B84_the_group_stays_blocked_until_the_last_that_waited(server):
    async with client(server) as tab:
        first = await tab.press("back-up")
        assert (await tab.press("restore"))["reason"] == "group_busy"
        second = await tab.press("back-up")
        assert (second["result"], second["position"]) == ("held", 1)
        await tab.ended(first["run"])
        assert (await tab.press("restore"))["reason"] == "group_busy"
        await tab.ended(second["run"])
        await tab.until(lambda: "blocked" not in tab.buttons["restore"])
        seen = [each.get("blocked", {}).get("run") for each in states(tab, "restore")]
        assert seen == [first["run"], second["run"], None], "never free in between"
