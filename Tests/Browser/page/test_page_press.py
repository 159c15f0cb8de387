"""Pressing: once, by every means, and never lost or doubled."""

import pytest
from playwright.async_api import expect

import boards
from fake_server import FakeServer
from steps import PHASES, box, bring_to, heard_all, leave, main, note, tap, until


@pytest.fixture
def server():
    return FakeServer(*boards.one_button())


async def test_B18_D2_a_double_click_is_one_press_without_an_error(server, open_board):
    async with open_board(server) as page:
        await tap(page, click_count=2, delay=5)
        await until(server.presses)
        server.end("deploy")
        await expect(box(page)).to_have_attribute("data-phase", "success")
        await expect(note(page)).to_have_text("Done in 1.2 s")
        assert len(server.presses()) == 1


async def test_B18_the_second_click_of_a_double_click_is_none_also_after_a_fast_end(server, open_board):
    async with open_board(server, clock=True) as page:
        await tap(page)
        await until(server.presses)
        server.end("deploy")
        await page.clock.run_for(100)
        await expect(box(page)).to_have_attribute("data-phase", "success")
        await main(page).dispatch_event("click", {"detail": 2})
        await heard_all(page)
        assert len(server.presses()) == 1
        await page.clock.run_for(400)
        await main(page).dispatch_event("click", {"detail": 2})
        await until(lambda: len(server.presses()) == 2)
        assert len({press["key"] for press in server.presses()}) == 2


@pytest.mark.parametrize("key", ["Enter", "Space"])
async def test_B69_a_key_held_down_is_one_press(server, open_board, key):
    async with open_board(server, clock=True) as page:
        await main(page).focus()
        for _ in range(30):
            await page.keyboard.down(key)
            await page.clock.run_for(70)
            if server.presses() and server.buttons["deploy"]["phase"] == "pending":
                server.end("deploy", phase="idle")
        await page.keyboard.up(key)
        await until(server.presses)
        await page.clock.run_for(1_000)
        await heard_all(page)
        assert len(server.presses()) == 1


async def test_B69_a_screen_readers_click_works(server, open_board):
    async with open_board(server) as page:
        await main(page).evaluate("button => button.click()")
        await until(server.presses)


async def test_B68_focus_stays_on_the_button_in_every_phase(server, open_board):
    async with open_board(server) as page:
        await main(page).focus()
        for phase in PHASES:
            await bring_to(page, server, phase)
            await expect(main(page)).to_be_focused()
            await leave(page, server, phase)


async def test_B68_focus_goes_to_the_button_when_its_cancel_disappears(server, open_board):
    async with open_board(server) as page:
        server.start("deploy", "spinning", elapsedMs=2_000)
        await box(page).locator(".cancel").focus()
        server.end("deploy")
        await expect(main(page)).to_be_focused()
        server.end("deploy", "failure", "failed", error="no")
        await box(page).locator(".details").focus()
        server.start("deploy", "pending")
        await expect(main(page)).to_be_focused()


async def test_B58_an_answer_without_a_change_ends_the_sending_look(server, open_board):
    server.answers = False
    async with open_board(server) as page:
        await tap(page)
        await expect(box(page)).to_have_attribute("data-phase", "sending")
        await expect(box(page).locator(".icon")).to_have_attribute("data-glyph", "spinner")
        server.answer(server.presses()[0])
        await expect(box(page)).to_have_attribute("data-phase", "idle")
        await expect(main(page)).not_to_have_attribute("aria-disabled", "true")


async def test_B62_no_answer_is_said_after_five_seconds_and_the_next_snapshot_decides(server, open_board):
    server.answers = False
    async with open_board(server, clock=True) as page:
        await tap(page)
        await until(server.presses)
        await page.clock.run_for(4_900)
        await expect(note(page)).to_have_text("")
        await page.clock.run_for(200)
        await expect(note(page)).to_have_text("No answer – the next snapshot decides.")
        await until(lambda: server.presses("snapshot"))
        server.send(server.snapshot())
        await page.clock.run_for(50)
        await expect(box(page)).to_have_attribute("data-phase", "idle")


async def test_B56_R5_a_press_while_offline_explains_itself_and_is_never_sent(server, open_board):
    async with open_board(server) as page:
        await bring_to(page, server, "stale")
        await tap(page)
        await expect(note(page)).to_have_text("Not sent: there is no connection. Press again once it is back.")
        await leave(page, server, "stale")
        await expect(box(page)).to_have_attribute("data-phase", "idle")
        await tap(page)
        await until(server.presses)
        assert len(server.presses()) == 1, "only the press after the reconnect"


async def test_B51_an_unanswered_press_is_sent_again_under_its_key(server, open_board):
    server.answers = False
    async with open_board(server) as page:
        await tap(page)
        await until(server.presses)
        await server.drop()
        await until(lambda: len(server.presses()) == 2)
        first, again = server.presses()
        assert first == again
        server.answer(again, "duplicate", run="run-of-deploy")
        await expect(box(page)).to_have_attribute("data-phase", "idle")


async def test_B55_after_a_restart_the_press_is_looked_up_and_its_outcome_may_be_unknown(server, open_board):
    server.answers = False
    async with open_board(server) as page:
        await tap(page)
        await until(server.presses)
        server.epoch = "epoch-2"
        await server.drop()
        await until(lambda: server.presses("lookup"))
        lookup = server.presses("lookup")[0]
        assert lookup["key"] == server.presses()[0]["key"]
        server.answer(lookup, "rejected", reason="unknown_key")
        await expect(box(page)).to_have_attribute("data-phase", "unknown")
        await expect(note(page)).to_contain_text("Outcome unknown")
        await expect(page.locator("#alert")).to_contain_text("Outcome unknown")
        await tap(page)
        await expect(page.locator("dialog[open]")).to_be_visible()
        await heard_all(page)
        assert len(server.presses()) == 1, "nothing is pressed again by itself"
        await page.keyboard.press("Escape")
        await box(page).locator(".details").click()
        await page.get_by_role("button", name="Dismiss").click()
        await expect(box(page)).to_have_attribute("data-phase", "idle")


async def test_B37_an_error_is_shown_as_text_and_whole_in_its_details(server, open_board):
    async with open_board(server) as page:
        error = "<img src=x onerror=alert(1)> " + "long " * 100 + "end"
        server.end("deploy", "failure", "failed", error=error)
        await expect(note(page)).to_contain_text("<img src=x")
        await box(page).get_by_role("button", name="Details of Deploy").click()
        await expect(page.locator("dialog pre")).to_have_text(error)
        assert await page.locator("main img, dialog img").count() == 0
        await page.keyboard.press("Escape")
        await expect(box(page).locator(".details")).to_be_focused()


async def test_B83_dismissing_from_the_details_names_the_run(server, open_board):
    async with open_board(server) as page:
        server.end("deploy", "failure", "failed", run="run-7", error="no")
        await box(page).locator(".details").click()
        await page.get_by_role("button", name="Dismiss").click()
        await until(lambda: server.presses("dismiss"))
        assert server.presses("dismiss")[0]["run"] == "run-7"


async def test_B40_a_press_on_a_failed_button_retries_the_run_that_is_shown(server, open_board):
    async with open_board(server) as page:
        server.end("deploy", "failure", "failed", run="run-7", error="no")
        await main(page).get_by_text("Retry: Deploy").click()
        await until(lambda: server.presses("retry"))
        assert server.presses("retry")[0]["run"] == "run-7"


async def test_B44_what_cannot_be_retried_does_not_say_retry(server, open_board):
    async with open_board(server) as page:
        server.end("deploy", "failure", "failed", error="no")
        server.change("deploy", retryable=False)
        await expect(main(page)).to_have_accessible_name("Deploy")
        await expect(main(page).get_by_text("Retry")).to_be_hidden()


async def test_a_destructive_button_asks_first_and_starts_at_cancel(open_board):
    server = FakeServer(*boards.one_button(role="destructive", confirm="It will be gone."))
    async with open_board(server) as page:
        await main(page).focus()
        await page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Deploy?")
        await expect(dialog).to_contain_text("It will be gone.")
        await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(dialog).to_be_hidden()
        await expect(main(page)).to_be_focused()
        await heard_all(page)
        assert not server.presses()
        await page.keyboard.press("Enter")
        await dialog.get_by_role("button", name="Deploy", exact=True).click()
        await until(server.presses)
        await expect(main(page)).to_be_focused()
        assert len(server.presses()) == 1


async def test_a_harmless_question_starts_at_yes_and_repeats_the_label(open_board):
    server = FakeServer(*boards.one_button(confirm="Sure?"))
    async with open_board(server) as page:
        await tap(page)
        await expect(page.get_by_role("dialog").get_by_role("button", name="Deploy", exact=True)).to_be_focused()
        await page.keyboard.press("Enter")
        await until(server.presses)


async def test_an_open_question_survives_pushes_and_a_reconnect(open_board):
    server = FakeServer(*boards.one_button(confirm={"message": "Sure?", "word": "deploy"}))
    async with open_board(server) as page:
        await tap(page)
        field = page.get_by_label("Type deploy to go on")
        await expect(field).to_be_focused()
        await field.press_sequentially("dep")
        server.change("deploy", description="Other")
        await server.drop()
        await until(lambda: len(server.opened) == 2)
        await expect(page.locator("html")).to_have_attribute("data-link", "live")
        await expect(field).to_have_value("dep")
        await expect(field).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(field).to_be_visible()
        await field.press_sequentially("loy")
        await page.keyboard.press("Enter")
        await until(server.presses)


async def test_R19_an_unknown_outcome_asks_before_it_is_tried_again(server, open_board):
    async with open_board(server) as page:
        server.end("deploy", "unknown", "unknown", run="run-7", error="gone")
        await main(page).get_by_text("Retry: Deploy").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        await dialog.get_by_role("button", name="Retry: Deploy").click()
        await until(lambda: server.presses("retry"))


async def test_cancel_comes_after_a_second_and_ends_the_run_that_is_shown(server, open_board):
    async with open_board(server, clock=True) as page:
        server.start("deploy", "spinning", run="run-3")
        await page.clock.run_for(50)
        await expect(box(page)).to_have_attribute("data-phase", "spinning")
        await page.clock.run_for(900)
        await expect(box(page).locator(".cancel")).to_be_hidden()
        await page.clock.run_for(100)
        await box(page).get_by_role("button", name="Cancel Deploy").click()
        await until(lambda: server.presses("cancel"))
        assert server.presses("cancel")[0]["run"] == "run-3"


async def test_a_press_needs_no_secure_context(server, open_board):
    """A LAN name over plain http has neither of these."""
    script = "delete Crypto.prototype.randomUUID; delete Navigator.prototype.clipboard"
    async with open_board(server, script=script) as page:
        assert await page.evaluate("crypto.randomUUID === undefined && navigator.clipboard === undefined")
        await tap(page)
        await until(server.presses)


async def test_D17_nothing_moves_under_a_pressed_pointer_and_a_tap_right_after_a_move_is_ignored(open_board):
    one, two = boards.button("one", "One"), boards.button("two", "Two")
    board, buttons = boards.board("Two", ("Actions", [one, two]))
    turned, _ = boards.board("Two", ("Actions", [two, one]))
    server = FakeServer(board, buttons)
    order = "[...document.querySelectorAll('.async-button')].map((each) => each.dataset.button).join()"
    async with open_board(server, clock=True) as page:
        await main(page, "one").hover()
        await page.mouse.down()
        server.send({"type": "state", "seq": 99, "buttons": [], "panels": [], "gone": [], "board": turned})
        await page.clock.run_for(100)
        assert await page.evaluate(order) == "one,two"
        await page.mouse.up()
        await until(server.presses)
        assert server.presses()[0]["button"] == "one"
        await page.clock.run_for(50)
        assert await page.evaluate(order) == "two,one"
        await tap(page, "two")
        await heard_all(page)
        assert len(server.presses()) == 1, "it may have been meant for what stood there"
        await page.clock.run_for(300)
        await tap(page, "two")
        await until(lambda: len(server.presses()) > 1)
        assert [press["button"] for press in server.presses()] == ["one", "two"]
