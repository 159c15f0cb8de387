"""Run messages: one's own unasked, all on request."""

from client import client


async def test_a_press_brings_its_own_run_messages_and_nobody_elses(server):
    async with client(server) as presser, client(server) as other:
        run = (await presser.press("like"))["run"]
        ended = await presser.ended(run)
        assert [each["change"] for each in presser.runs] == ["started", "ended"]
        assert ended["outcome"] == "succeeded" and ended["durationMs"] >= 400 and ended["by"] == presser.hello["user"]["name"]
        assert presser.runs[0]["event"] < presser.runs[1]["event"]
        await other.phase("like", "success")
        assert not other.runs


async def test_watch_false_turns_them_off(server):
    async with client(server) as tab:
        assert (await tab.press("like", watch=False))["result"] == "accepted"
        await tab.phase("like", "success")
        await tab.settle()
        assert not tab.runs


async def test_a_retry_brings_its_run_messages(server):
    async with client(server) as presser, client(server) as other:
        run = (await presser.press("flaky"))["run"]
        await other.phase("flaky", "failure")
        retry = (await other.request("retry", button="flaky", run=run))["run"]
        assert (await other.ended(retry))["attempt"] == 2
        await presser.phase("flaky", "success")
        await presser.settle()
        assert {each["run"] for each in presser.runs} == {run}


async def test_subscribe_runs_brings_everyones(server):
    async with client(server) as watcher, client(server) as presser:
        answer = await watcher.request("subscribe", topic="runs")
        assert answer["result"] == "ok" and answer.get("gap", False) is False
        runs = []
        for button in ("noop", "always-fails"):
            runs.append((await presser.press(button))["run"])
            await watcher.ended(runs[-1])
        assert [(each["run"], each["change"], each.get("outcome")) for each in watcher.runs] == [
            (runs[0], "started", None), (runs[0], "ended", "succeeded"), (runs[1], "started", None), (runs[1], "ended", "failed")]
        events = [each["event"] for each in watcher.runs]
        assert events == sorted(set(events))


async def test_a_subscriber_who_presses_gets_each_message_once(server):
    async with client(server) as tab:
        await tab.request("subscribe", topic="runs")
        run = (await tab.press("noop"))["run"]
        await tab.ended(run)
        await tab.settle()
        assert [each["change"] for each in tab.runs] == ["started", "ended"]


async def test_unsubscribe_ends_it(server):
    async with client(server) as watcher, client(server) as presser:
        await watcher.request("subscribe", topic="runs")
        await presser.press("noop")
        await watcher.until(lambda: len(watcher.runs) == 2)
        assert (await watcher.request("unsubscribe", topic="runs"))["result"] == "ok"
        await presser.phase("noop", "idle")
        assert (await presser.press("noop"))["result"] == "accepted"
        await presser.phase("noop", "idle")
        await watcher.settle()
        assert len(watcher.runs) == 2
        own = (await watcher.press("quick"))["run"]
        await watcher.ended(own)


async def test_subscribing_after_an_event_replays_what_followed(server):
    async with client(server) as first:
        await first.request("subscribe", topic="runs")
        runs = [(await first.press(button))["run"] for button in ("noop", "always-fails")]
        for run in runs:
            await first.ended(run)
        log, last = first.hello["log"], first.runs[1]["event"]
    async with client(server) as again:
        answer = await again.request("subscribe", topic="runs", log=log, after=last)
        assert answer["result"] == "ok" and answer.get("gap", False) is False
        await again.until(lambda: len(again.runs) == len(first.runs) - 2)
        assert again.runs == first.runs[2:]


async def test_another_log_is_a_gap_and_starts_with_the_oldest_kept(server):
    async with client(server) as presser:
        await presser.ended((await presser.press("noop"))["run"])
    async with client(server) as tab:
        answer = await tab.request("subscribe", topic="runs", log="of-another-life", after=7)
        assert (answer["result"], answer["gap"]) == ("ok", True)
        await tab.until(lambda: len(tab.runs) == 2)
        assert tab.runs == presser.runs


async def test_an_unknown_topic_is_a_bad_field(server):
    async with client(server) as tab:
        answer = await tab.request("subscribe", topic="weather")
        assert (answer["type"], answer["code"]) == ("error", "bad_field")


async def test_ping_is_answered_with_its_id(server):
    async with client(server) as tab:
        for identifier in (0, 2**53, "x" * 128, ""):
            await tab.socket.send('{"type":"ping","id":%s}' % (f'"{identifier}"' if isinstance(identifier, str) else identifier))
            assert await tab.receive() == {"type": "pong", "id": identifier}
        await tab.socket.send('{"type":"ping"}')
        assert await tab.receive() == {"type": "pong"}
