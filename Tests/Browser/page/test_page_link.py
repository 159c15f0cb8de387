"""The connection as the page shows it: live, lost, back; and what is said aloud."""

import re

import pytest
from playwright.async_api import expect

import boards
from fake_server import FakeServer
from steps import box, bring_to, leave, main, note, tap, until

SPOKEN = "[document.querySelector('#status').textContent, document.querySelector('#alert').textContent]"


@pytest.fixture
def server():
    return FakeServer(*boards.one_button())


def apart(one, two):
    return any(
        first[edge] + first[size] <= second[edge]
        for first, second in ((one, two), (two, one)) for edge, size in (("x", "width"), ("y", "height")))


def link(page):
    return page.locator("html")


async def test_B49_a_late_joiner_sees_the_success_and_hears_nothing(server, open_board):
    server.end("deploy")
    async with open_board(server, clock=True) as page:
        await page.clock.run_for(1_000)
        await expect(box(page)).to_have_attribute("data-phase", "success")
        await expect(box(page)).not_to_have_attribute("data-moved", "")
        server.change("deploy", phase="idle")
        await page.clock.run_for(1_000)
        await expect(box(page)).to_have_attribute("data-phase", "idle")
        assert await page.evaluate(SPOKEN) == ["", ""]


async def test_B48_a_late_joiner_sees_the_spinner_at_once(server, open_board):
    server.start("deploy", "spinning", by="bob", client="x", elapsedMs=2_000)
    async with open_board(server) as page:
        await expect(box(page)).to_have_attribute("data-phase", "spinning")
        await expect(note(page)).to_have_text(re.compile("^Running [23]\u00a0s – started by bob$"))


async def test_M1_the_presser_hears_running_and_done_once(server, open_board):
    async with open_board(server, clock=True) as page:
        await tap(page)
        await until(server.presses)
        server.start("deploy", "spinning")
        await page.clock.run_for(200)
        await expect(page.locator("#status")).to_have_text("Deploy: running")
        server.end("deploy")
        await page.clock.run_for(600)
        await expect(page.locator("#status")).to_have_text("Deploy: done")


async def test_M1_a_failure_is_an_alert_for_the_presser_only(server, open_board):
    async with open_board(server) as page:
        server.start("deploy", "spinning", by="bob", client="x", run="theirs")
        server.end("deploy", "failure", "failed", run="theirs", error="theirs")
        await expect(box(page)).to_have_attribute("data-phase", "failure")
        await main(page).click()
        await until(lambda: server.presses("retry"))
        server.end("deploy", "failure", "failed", error="mine")
        await expect(page.locator("#alert")).to_have_text("Deploy failed: mine")


async def test_R5_a_lost_connection_shows_within_a_second_and_disables(server, open_board):
    async with open_board(server, clock=True) as page:
        server.start("deploy", "spinning")
        server.accepts = False
        await server.drop()
        await page.clock.run_for(490)
        await expect(link(page)).to_have_attribute("data-link", "interrupted")
        await page.clock.run_for(30)
        await expect(link(page)).to_have_attribute("data-link", "stale")
        await expect(page.locator("#link")).to_have_text("Reconnecting")
        await page.clock.run_for(50)
        await expect(main(page)).to_have_attribute("aria-disabled", "true")
        await expect(box(page).locator(".icon")).to_have_attribute("data-glyph", "dash")
        await expect(note(page)).to_have_text("Connection lost – last known: running")
        await page.clock.run_for(200)
        await expect(page.locator("#status")).to_have_text("Connection lost. Trying again.")


async def test_R5_a_server_that_falls_silent_is_noticed_after_two_missed_pings(server, open_board):
    async with open_board(server, clock=True) as page:
        await page.clock.run_for(15_100)
        await until(lambda: server.presses("ping"))
        await expect(link(page)).to_have_attribute("data-link", "live")
        server.pongs, server.accepts = False, False
        for _ in range(3):
            await page.clock.run_for(15_000)
        await page.clock.run_for(1_000)
        await expect(link(page)).to_have_attribute("data-link", "stale")


async def test_M2_the_loss_is_said_once_not_with_every_attempt(server, open_board):
    async with open_board(server, clock=True) as page:
        await page.evaluate("""() => {
            window.heard = []
            new MutationObserver(() => heard.push(document.querySelector("#status").textContent))
                .observe(document.querySelector("#status"), { childList: true })
        }""")
        server.refuses = True
        await server.drop()
        for _ in range(8):
            await page.clock.run_for(2_000)
        assert len(server.opened) >= 4, "it did try"
        server.refuses = False
        tried = len(server.opened)
        while len(server.opened) == tried:  # the test's own deadline bounds this
            await page.clock.run_for(2_000)
        await until(lambda: server.sockets)
        await page.clock.run_for(1_000)
        await expect(link(page)).to_have_attribute("data-link", "live")
        heard = [text for text in await page.evaluate("heard") if text]
        assert heard == ["Connection lost. Trying again.", "Connected again."]


async def test_R6_the_indicator_covers_no_button_and_tells_the_return_at_once(server, open_board):
    async with open_board(server, viewport={"width": 320, "height": 640}) as page:
        await bring_to(page, server, "stale")
        indicator = await page.locator("#link").bounding_box()
        for button in await page.locator("main button:visible").all():
            place = await button.bounding_box()
            assert apart(indicator, place)
        await leave(page, server, "stale")
        await expect(page.locator("#link")).to_have_text("Live", timeout=1_000)


async def test_R10_what_may_be_old_is_grey_until_the_snapshot(server, open_board):
    grey = "getComputedStyle(document.querySelector('main')).filter"
    async with open_board(server) as page:
        assert await page.evaluate(grey) == "none"
        await bring_to(page, server, "stale")
        assert await page.evaluate(grey) == "grayscale(1)"
        await leave(page, server, "stale")
        assert await page.evaluate(grey) == "none"


@pytest.mark.parametrize("event", [
    "dispatchEvent(new Event('online'))", "document.dispatchEvent(new Event('visibilitychange'))"])
async def test_R9_coming_back_tries_again_at_once(server, open_board, event):
    async with open_board(server, clock=True) as page:
        server.refuses = True
        await server.drop()
        for _ in range(8):
            await page.clock.run_for(2_000)
        tried = len(server.opened)
        server.refuses = False
        await page.evaluate(event)
        await until(lambda: len(server.opened) == tried + 1)
        await page.clock.run_for(50)
        await expect(link(page)).to_have_attribute("data-link", "live")


async def test_R9_a_restored_tab_resyncs_before_it_is_believed(server, open_board):
    async with open_board(server) as page:
        server.accepts = False
        await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        await expect(link(page)).to_have_attribute("data-link", "stale")
        await until(lambda: len(server.opened) == 2)


async def test_R2_R8_resuming_says_where_it_was_and_shows_what_was_missed(server, open_board):
    async with open_board(server) as page:
        seq = server.seq
        server.refuses = True
        await server.drop()
        await expect(link(page)).to_have_attribute("data-link", "stale")
        server.end("deploy", "failure", "failed", error="while you were away")
        server.refuses = False
        await page.evaluate("dispatchEvent(new Event('online'))")
        await expect(note(page)).to_have_text("while you were away")
        assert server.opened[-1].endswith(f"?epoch=epoch-1&seq={seq}")
        server.change("deploy", phase="idle", error=None)
        await expect(box(page)).to_have_attribute("data-phase", "idle")


async def test_P5_a_socket_that_does_not_open_is_explained_within_five_seconds(server, open_board):
    server.refuses = True
    async with open_board(server, clock=True, live=False) as page:
        await page.clock.run_for(2_000)
        await expect(page.locator("main")).to_have_text("Connecting to the board…")
        await page.clock.run_for(3_000 + 50)  # and one drawing
        await expect(page.locator("main")).to_contain_text("reverse proxy")
        server.refuses = False
        await page.evaluate("dispatchEvent(new Event('online'))")
        await until(lambda: server.sockets)
        await page.clock.run_for(100)
        await expect(box(page)).to_be_visible()


async def test_P1_P2_under_a_sub_path_the_socket_is_there_too(server, open_board):
    async with open_board(server, path="a/b/") as page:
        assert re.fullmatch(r"ws://127\.0\.0\.1:\d+/a/b/ws", server.opened[0])
        await tap(page)
        await until(server.presses)


async def test_a_newer_page_is_loaded_once_nobody_loses_anything(open_board):
    server = FakeServer(*boards.one_button(confirm="Sure?"))
    async with open_board(server, clock=True) as page:
        await page.evaluate("window.old = true")
        await tap(page)
        await expect(page.get_by_role("dialog")).to_be_visible()
        server.assets = "assets-2"
        await server.drop()
        while await page.locator("#renewal").is_hidden():
            await page.clock.run_for(100)
        await expect(page.locator("#renewal")).to_contain_text("The page has been updated.")
        await page.clock.run_for(30_000)
        assert await page.evaluate("window.old"), "not while a question is open"
        async with page.expect_navigation():
            await page.get_by_role("button", name="Cancel").click()
            await page.clock.resume()
        await expect(link(page)).to_have_attribute("data-link", "live")
        await expect(page.locator("#renewal")).to_be_hidden()


async def test_an_empty_board_explains_itself(open_board):
    server = FakeServer(*boards.board("Nothing"))
    async with open_board(server) as page:
        await expect(page.get_by_role("heading", name="Nothing to press yet")).to_be_visible()
        await expect(page).to_have_title("Nothing")


async def test_pages_are_chosen_by_the_fragment_and_a_button_may_stand_twice(open_board):
    board, buttons = boards.board("Two pages", ("First", [boards.button("deploy", "Deploy")]))
    again = {"title": "Again", "items": ["deploy", "deploy"]}
    board["pages"].append({"id": "more", "title": "More", "sections": [again]})
    server = FakeServer(board, buttons)
    async with open_board(server) as page:
        await expect(page.locator(".main:visible")).to_have_count(1)
        await page.get_by_role("link", name="More").click()
        await expect(page.locator(".main:visible")).to_have_count(2)
        await expect(page.get_by_role("link", name="More")).to_have_attribute("aria-current", "page")
        server.start("deploy", "spinning")
        await expect(page.locator("[data-phase=spinning]")).to_have_count(3)
        ids = await page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
        assert len(ids) == len(set(ids))


async def test_a_board_that_changes_keeps_the_nodes_and_the_focus(open_board):
    board, buttons = boards.board("One", ("Actions", [boards.button("one", "One"), boards.button("two", "Two")]))
    turned, _ = boards.board("Other", ("Actions", buttons[::-1]), ("New", []))
    server = FakeServer(board, buttons)
    async with open_board(server) as page:
        await main(page, "two").focus()  # the one that moves
        await main(page, "two").evaluate("button => { button.mark = true }")
        server.send({"type": "state", "seq": 99, "buttons": [], "panels": [], "gone": [], "board": turned})
        await expect(page).to_have_title("Other")
        await expect(page.locator(".main").first).to_be_focused()
        assert await page.locator(".main").first.evaluate("button => button.mark")
