"""What a connection gets unasked, and what it gets after it was away."""

import asyncio
import time

import pytest
import websockets

from client import Client, client, clients, connect

EXPECTED_BUTTONS = {
    "like", "quick", "submit", "place-order", "heavy-update", "flaky", "always-fails", "delete-everything", "sold-out", "silent", "noop"}


async def resume(server, previous, stack_query=""):
    return client(server, f"?epoch={previous.hello['epoch']}&seq={previous.seq}{stack_query}")


async def test_hello_says_who_where_and_the_limits(server):
    async with client(server) as tab:
        hello = tab.hello
        assert hello["pingMs"] == 15000
        assert hello["limits"] == {"messageBytes": 65536, "pressesPerSecond": 50}
        assert hello["durable"] is False and hello["log"] == hello["epoch"], "without a store the log lives as long as the epoch"
        assert abs(hello["time"] - time.time() * 1000) < 5000
        assert hello["assets"] and hello["server"] and hello["client"]


async def test_every_connection_gets_its_own_client_id(server):
    async with clients(server, 3) as tabs:
        assert len({tab.hello["client"] for tab in tabs}) == 3
        assert len({tab.hello["epoch"] for tab in tabs}) == 1


async def test_snapshot_is_the_whole_board(server):
    async with client(server) as tab:
        snapshot = tab.snapshot
        placed = [item for page in snapshot["board"]["pages"] for section in page["sections"] for item in section["items"]]
        assert snapshot["epoch"] == tab.hello["epoch"] and snapshot["resumed"] is False and snapshot["panels"] == []
        assert set(placed) == set(tab.buttons), "every placed item is there and nothing else"
        assert EXPECTED_BUTTONS <= set(tab.buttons) and len(tab.buttons) >= 16
        assert all(button["phase"] == "idle" and button["seq"] <= snapshot["seq"] for button in tab.buttons.values())


async def test_the_example_board_shows_what_the_design_names(server):
    async with client(server) as tab:
        buttons = tab.buttons
        assert buttons["delete-everything"]["role"] == "destructive" and "confirm" in buttons["delete-everything"]
        assert buttons["sold-out"]["enabled"] is False and buttons["sold-out"]["disabledReason"]
        assert buttons["heavy-update"]["cancellable"] is True
        assert any(button["size"] == "large" and button["style"] == "prominent" for button in buttons.values())
        assert any(button["width"] == "fill" for button in buttons.values())


async def test_a_new_epoch_after_a_restart(start):
    first, second = start(), start()
    async with client(first) as one, client(second) as two:
        assert one.hello["epoch"] != two.hello["epoch"]


@pytest.mark.parametrize("offered, chosen", [(None, None), (["pushboard.v1"], "pushboard.v1"), (["other", "pushboard.v1"], "pushboard.v1")])
async def test_subprotocol_is_spoken_when_offered_or_when_none_is(server, offered, chosen):
    async with connect(server, subprotocols=offered) as socket:
        assert socket.subprotocol == chosen
        await Client(socket).greeting()


@pytest.mark.parametrize("offered", [["pushboard.v2"], ["chat", "pushboard.v10"], ["PUSHBOARD.V1"], ["xpushboard.v1"]])
async def test_only_other_subprotocols_get_400(server, offered):
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with connect(server, subprotocols=offered):
            pass
    assert refusal.value.response.status_code == 400


async def test_a_name_in_the_address_is_shown_as_who_pressed(server):
    async with client(server, "?name=Al%C3%ADce") as alice, client(server) as other:
        run = (await alice.press("submit"))["run"]
        shown = (await other.phase("submit", "pending", "spinning"))["run"]
        assert shown["run"] == run and shown["by"] == alice.hello["user"]["name"]
        assert "Alíce" in shown["by"] and shown["client"] == alice.hello["client"]


async def test_without_a_name_the_user_is_a_guest(server):
    async with client(server) as tab:
        assert tab.hello["user"]["name"].startswith("guest") and tab.hello["user"]["roles"] == []


@pytest.mark.parametrize("query", ["?name=" + "x" * 65, "?name=%ff", "?name=%00", "?name=%1b%5b31m"])
async def test_a_bad_name_is_refused_or_never_shown(server, query):
    try:
        async with client(server, query) as tab:
            name = tab.hello["user"]["name"]
            assert len(name) <= 70 and all(character.isprintable() for character in name)
    except websockets.InvalidStatus as refusal:
        assert refusal.response.status_code == 400


async def test_resume_with_nothing_changed_brings_nothing(server):
    async with client(server) as first:
        pass
    async with await resume(server, first) as again:
        assert again.snapshot["resumed"] is True and again.snapshot["buttons"] == []
        assert again.snapshot["board"] == first.snapshot["board"], "the board is whole also when resumed"
        assert again.snapshot["seq"] == first.seq


async def test_R2_resume_brings_what_changed_meanwhile(server):
    async with client(server) as first, client(server) as other:
        await first.socket.close()
        await other.press("always-fails")
        await other.phase("always-fails", "failure")
        async with await resume(server, first) as again:
            assert again.snapshot["resumed"] is True
            assert [button["id"] for button in again.snapshot["buttons"]] == ["always-fails"]
            assert again.buttons["always-fails"]["phase"] == "failure" and again.buttons["always-fails"]["error"]["message"]


async def test_B88_an_item_that_changed_earlier_is_not_lost_by_a_later_one(server):
    """A client whose seq covers the older change but not the newer ones gets exactly the newer ones, wherever they stand."""
    async with client(server) as watcher, client(server) as presser:
        seen = []
        for button in ("always-fails", "silent", "noop"):
            await presser.press(button)
            await watcher.phase(button, "failure", "success", "idle")
            await presser.settle()
            await watcher.settle()
            seen.append((watcher.seq, dict(watcher.buttons)))
        for seq, known in seen:
            async with client(server, f"?epoch={watcher.hello['epoch']}&seq={seq}") as again:
                now = {**known, **again.buttons}
                async with client(server) as fresh:
                    same = {name: (button["rev"], button["phase"]) for name, button in now.items()}
                    assert same == {name: (button["rev"], button["phase"]) for name, button in fresh.buttons.items()}


async def test_resume_sends_again_what_has_a_running_clock(server):
    async with client(server) as first:
        await first.press("submit")
        await first.phase("submit", "spinning")
        await first.settle()
        async with await resume(server, first) as again:
            assert again.snapshot["resumed"] is True
            assert [button["id"] for button in again.snapshot["buttons"]] == ["submit"]
            assert again.buttons["submit"]["run"]["elapsedMs"] >= first.buttons["submit"]["run"]["elapsedMs"]


@pytest.mark.parametrize("query", ["?epoch={epoch}&seq=999999999", "?epoch=other&seq=1", "?seq=1", "?epoch={epoch}", "?epoch={epoch}&seq=-1", "?epoch={epoch}&seq=x"])
async def test_resume_that_cannot_be_brings_the_whole(server, query):
    async with client(server) as first:
        pass
    async with client(server, query.format(epoch=first.hello["epoch"])) as again:
        assert again.snapshot["resumed"] is False and len(again.buttons) == len(first.buttons)


async def test_snapshot_on_request_brings_ack_then_the_whole(server):
    async with client(server) as tab:
        identifier = await tab.send("snapshot")
        ack = await tab.answer(identifier)
        assert ack["result"] == "ok"
        snapshot = await tab.read_snapshot()
        assert snapshot["resumed"] is False and {button["id"] for button in snapshot["buttons"]} == set(tab.buttons)


async def test_R3_an_end_that_nobody_saw_is_in_the_first_snapshot(server):
    async with client(server) as presser:
        run = (await presser.press("always-fails"))["run"]
    deadline = time.monotonic() + 10
    while True:  # nobody is connected in between: a look is all there is
        async with client(server) as late:
            if late.buttons["always-fails"]["phase"] == "failure":
                assert late.buttons["always-fails"]["error"]["run"] == run
                return
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_B48_a_late_joiner_sees_the_run_as_it_is(server):
    async with client(server) as presser:
        run = (await presser.press("submit"))["run"]
        async with client(server) as early:
            assert early.buttons["submit"]["phase"] in ("pending", "spinning")
            await early.phase("submit", "spinning")
        await presser.phase("submit", "spinning")
        async with client(server) as late:
            assert late.buttons["submit"]["phase"] == "spinning" and late.buttons["submit"]["run"]["run"] == run


async def test_B49_a_joiner_in_the_hold_sees_the_rest_of_it(server):
    async with client(server) as presser:
        await presser.press("quick")
        await presser.phase("quick", "success")
        async with client(server) as late:
            assert late.buttons["quick"]["phase"] == "success"
            assert 0 < late.buttons["quick"]["holdLeftMs"] <= 2000
            await late.phase("quick", "idle")
