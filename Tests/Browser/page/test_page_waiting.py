"""Runs that wait, block, count down and are tried again, as a person sees them."""

import pytest
from playwright.async_api import expect

import boards
from fake_server import FakeServer
from scenes import waiting, waiting_board
from steps import box, heard_all, main, note, tap, until


@pytest.fixture
def server():
    return FakeServer(*boards.one_button(policy="queue", max=2))


def badge(page, identifier="deploy"):
    return box(page, identifier).locator("> .waiting")


async def test_a_busy_queue_takes_presses_and_a_full_one_does_not(server, open_board):
    async with open_board(server) as page:
        server.answers = False
        server.start("deploy", "spinning", by="bob", client="x")
        await expect(note(page)).to_contain_text("started by bob")
        await expect(main(page)).not_to_have_attribute("aria-disabled", "true")
        await main(page).click()
        await until(lambda: len(server.presses()) == 1)
        server.answer(server.presses()[0], "held", run="mine", position=2)
        server.change("deploy", queued=2, queue=[waiting("w1"), waiting("mine", "alice", "client-1")])
        await expect(note(page)).to_have_text("Running 0\u00a0s – started by bob; yours is number 2; no more may wait")
        await expect(main(page)).to_have_attribute("aria-disabled", "true")
        await expect(main(page)).to_be_focused()
        await tap(page)
        await expect(note(page)).to_have_text("Not started: too many are waiting already.")
        await heard_all(page)
        assert len(server.presses()) == 1


async def test_a_press_that_is_held_is_said_with_its_place(server, open_board):
    async with open_board(server) as page:
        server.answers = False
        await main(page).click()
        await until(server.presses)
        server.answer(server.presses()[0], "held", run="mine", position=1)
        server.change("deploy", phase="held", queued=1, queue=[waiting("mine", "alice", "client-1")])
        await expect(page.locator("#status")).to_have_text("Deploy: waiting, position 1")
        await expect(note(page)).to_have_text("Waiting, position 1 – pressed by you")
        await expect(box(page).locator(".icon")).to_have_attribute("data-glyph", "clock")


async def test_B34_the_list_of_those_that_wait_cancels_each_and_stays_true(server, open_board):
    async with open_board(server) as page:
        server.start("deploy", "spinning", by="bob", client="x")
        first, own = waiting("w1"), waiting("mine", "alice", "client-1")
        server.change("deploy", queued=2, queue=[first, own])
        await expect(badge(page)).to_have_accessible_name("2 waiting for Deploy")
        await badge(page).click()
        dialog = page.get_by_role("dialog", name="Waiting for Deploy")
        lines = dialog.get_by_role("listitem")
        await expect(lines).to_have_text(["1. bobCancel", "2. youCancel"])
        await dialog.get_by_role("button", name="Cancel position 2, pressed by you").click()
        await until(lambda: server.presses("cancel"))
        assert [(each["run"], each["button"]) for each in server.presses("cancel")] == [("mine", "deploy")]
        await expect(lines.nth(1).get_by_role("button")).to_have_attribute("aria-disabled", "true")
        await expect(lines.nth(1).get_by_role("button")).to_be_focused()
        server.change("deploy", queued=1, queue=[first])
        await expect(lines).to_have_text(["1. bobCancel"])
        await expect(dialog.get_by_role("button", name="Close")).to_be_focused()
        server.change("deploy", queued=0, queue=[])
        await expect(dialog).to_contain_text("Nobody waits any more.")
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        assert not server.presses(), "the badge lies on the button and does not press it"


async def test_the_list_moves_no_focus_when_others_leave(server, open_board):
    async with open_board(server) as page:
        server.start("deploy", "spinning", by="bob", client="x")
        queue = [waiting("w1"), waiting("w2", "carol"), waiting("w3", "dave")]
        server.change("deploy", queued=23, queue=queue)
        await badge(page).click()
        lines = page.get_by_role("listitem")
        await lines.nth(1).get_by_role("button").focus()
        await expect(page.get_by_role("dialog")).to_contain_text("And 20 more.")
        server.change("deploy", queued=2, queue=queue[1:])
        await expect(lines).to_have_text(["1. carolCancel", "2. daveCancel"])
        await expect(lines.nth(0).get_by_role("button")).to_be_focused()


async def test_a_badge_that_goes_gives_the_focus_to_its_button(server, open_board):
    async with open_board(server) as page:
        server.start("deploy", "spinning", by="bob", client="x")
        server.change("deploy", queued=1, queue=[waiting("w1")])
        await badge(page).focus()
        server.change("deploy", queued=0, queue=[])
        await expect(badge(page)).to_be_hidden()
        await expect(main(page)).to_be_focused()


@pytest.mark.parametrize("look", [{}, {"iconOnly": True}, {"label": "Synchronise every repository with its upstream"}])
@pytest.mark.parametrize("width", [320, 1024])
async def test_B70_the_box_is_the_same_with_and_without_those_that_wait(open_board, look, width):
    server = FakeServer(*boards.one_button(**{"policy": "queue", "max": 16, **look}))
    sizes = "element => [element, element.querySelector('.main')].map((each) => each.getBoundingClientRect().toJSON())"
    async with open_board(server, viewport={"width": width, "height": 600}) as page:
        server.start("deploy", "spinning")
        await expect(box(page)).to_have_attribute("data-phase", "spinning")
        before = await box(page).evaluate(sizes)
        server.change("deploy", queued=12, queue=[waiting(f"w{number}") for number in range(12)])
        await expect(badge(page)).to_have_text("12")
        for one, two in zip(before, await box(page).evaluate(sizes), strict=True):
            assert two == pytest.approx(one, abs=0.5)


async def test_the_count_covers_no_letter_of_the_label(open_board):
    server = waiting_board()
    async with open_board(server, viewport={"width": 320, "height": 800}) as page:
        for identifier in ("queue-up", "keep-the-first", "check-stock"):
            count, label = await badge(page, identifier).bounding_box(), await box(page, identifier).locator(".labels").bounding_box()
            assert label["x"] + label["width"] <= count["x"], identifier


async def test_a_countdown_counts_and_undo_takes_the_press_back(open_board):
    server = FakeServer(*boards.one_button())
    async with open_board(server, clock=True) as page:
        server.answers = False
        await main(page).click()
        await page.clock.run_for(20)
        await until(server.presses)
        server.answer(server.presses()[0], "held", run="mine", position=1)
        server.change("deploy", phase="held", queued=1, queue=[waiting("mine", "alice", "client-1", left=5_000)])
        await page.clock.run_for(20)
        await expect(note(page)).to_have_text("Starts in 5\u00a0s – pressed by you")
        await expect(main(page)).to_have_attribute("aria-disabled", "true")
        await page.clock.run_for(100)
        await expect(page.locator("#status")).to_have_text("Deploy: starts in 5\u00a0s unless undone")
        await page.clock.run_for(2_000)
        await expect(note(page)).to_have_text("Starts in 3\u00a0s – pressed by you")
        undo = box(page).get_by_role("button", name="Undo Deploy")
        await undo.click()
        await until(lambda: server.presses("cancel"))
        assert server.presses("cancel")[0]["run"] == "mine"
        server.end("deploy", "idle", "cancelled", run="mine", queued=0, queue=[])
        await page.clock.run_for(700)
        await expect(page.locator("#status")).to_have_text("Deploy: cancelled")
        await expect(undo).to_be_hidden()
        await expect(main(page)).to_be_focused()


async def test_B28_a_blocked_button_keeps_its_icon_and_names_the_other(open_board):
    board, buttons = boards.board("Group", ("Database", [
        boards.button("back-up", "Back up", icon="database"), boards.button("restore", "Restore", icon="star")]))
    server = FakeServer(board, buttons)
    async with open_board(server) as page:
        server.start("back-up", "spinning", by="bob", client="x")
        server.change("restore", blocked={"button": "back-up", "run": "run-of-back-up"})
        await expect(box(page, "restore")).to_have_attribute("data-phase", "blocked")
        await expect(box(page, "restore").locator(".icon")).to_have_attribute("data-glyph", "own")
        await expect(main(page, "restore")).to_have_attribute("aria-disabled", "true")
        await expect(main(page, "restore")).to_have_accessible_description("Waiting for Back up to end")
        await tap(page, "restore")
        await expect(note(page, "restore")).to_have_text("Not started: it waits for Back up to end.")
        await heard_all(page)
        assert not server.presses()
        server.end("back-up")
        server.change("restore", blocked=None)
        await expect(box(page, "restore")).to_have_attribute("data-phase", "idle")
        await expect(main(page, "restore")).not_to_have_attribute("aria-disabled", "true")


async def test_D11_a_rate_limit_counts_down_on_every_tab_alike(open_board):
    server = FakeServer(*boards.one_button())
    async with open_board(server, clock=True) as one, open_board(server, clock=True) as two:
        server.change("deploy", retryAfterMs=12_000)
        for page in (one, two):
            await page.clock.run_for(20)
            await expect(note(page)).to_have_text("Again in 12\u00a0s")
            await expect(main(page)).to_have_attribute("aria-disabled", "true")
            await page.clock.run_for(7_000)
            await expect(note(page)).to_have_text("Again in 5\u00a0s")
            await tap(page)
            await page.clock.run_for(20)
            await expect(note(page)).to_have_text("Not started: too often. Again in 5\u00a0s.")
        await heard_all(page)
        assert not server.presses()
        await two.clock.run_for(8_100)
        await expect(main(two)).not_to_have_attribute("aria-disabled", "true")
        await expect(box(two)).to_have_attribute("data-phase", "idle")


async def test_B46_an_automatic_retry_counts_its_attempts(open_board):
    server = FakeServer(*boards.one_button())
    async with open_board(server) as page:
        server.start("deploy", "spinning", by="bob", client="x", of=3)
        await expect(note(page)).to_contain_text("attempt 1 of 3")
        server.progress("deploy", attempt=2)
        await expect(note(page)).to_contain_text("attempt 2 of 3")
        await expect(box(page)).to_have_attribute("data-phase", "spinning")
