"""Policies the whole way: a real server and real tabs."""

from playwright.async_api import expect

from client import client
from runs import started, story
from test_live import button, live, press_target


def note(page, identifier):
    return button(page, identifier).locator(".note .text")


async def test_B23_B34_two_tabs_queue_see_each_other_and_one_leaves_the_queue(server, browser):
    async with browser() as open_tab, client(server) as script:
        await script.request("subscribe", topic="runs")
        one, two = await open_tab(server.url), await open_tab(server.url)
        for tab in (one, two):
            await live(tab)
        await press_target(one, "queue-up").click()
        await expect(button(two, "queue-up")).to_have_attribute("data-phase", "spinning")
        await press_target(two, "queue-up").click()
        await expect(note(two, "queue-up")).to_contain_text("yours is next")
        count = button(one, "queue-up").get_by_role("button", name="1 waiting for Queue up")
        await expect(count).to_be_visible()
        await button(two, "queue-up").locator("> .waiting").click()
        await two.get_by_role("button", name="Cancel position 1, pressed by you").click()
        await expect(two.get_by_role("dialog")).to_contain_text("Nobody waits any more.")
        await expect(count).to_be_hidden()
        await expect(button(one, "queue-up")).to_have_attribute("data-phase", "success")
        await script.until(lambda: len([each for each in script.runs if each["change"] == "ended"]) == 2)
        (first,) = started(script.runs)
        (second,) = {each["run"] for each in script.runs} - {first}
        assert story(script.runs, first) == ["started", "succeeded"] and story(script.runs, second) == ["held", "cancelled"]


async def test_a_press_can_be_undone_from_another_tab(server, browser):
    async with browser() as open_tab, client(server) as script:
        await script.request("subscribe", topic="runs")
        one, two = await open_tab(server.url), await open_tab(server.url)
        for tab in (one, two):
            await live(tab)
        await press_target(one, "send-letter").click()
        for tab in (one, two):
            await expect(note(tab, "send-letter")).to_contain_text("Starts in")
        await button(two, "send-letter").get_by_role("button", name="Undo Send letter").click()
        for tab in (one, two):
            await expect(button(tab, "send-letter")).to_have_attribute("data-phase", "idle")
        await script.until(lambda: [each for each in script.runs if each["change"] == "ended"])
        assert [each.get("outcome", each["change"]) for each in script.runs] == ["held", "cancelled"]


async def test_B28_a_blocked_button_opens_again_by_itself(server, browser):
    async with browser() as open_tab:
        one, two = await open_tab(server.url), await open_tab(server.url)
        for tab in (one, two):
            await live(tab)
        await press_target(one, "back-up").click()
        await expect(note(two, "restore")).to_have_text("Waiting for Back up to end")
        await expect(press_target(two, "restore")).to_have_attribute("aria-disabled", "true")
        await expect(press_target(two, "restore")).not_to_have_attribute("aria-disabled", "true")
        await press_target(two, "restore").click()
        await expect(button(one, "restore")).to_have_attribute("data-phase", "spinning")


async def test_D11_the_same_countdown_on_two_tabs(server, browser):
    async with browser() as open_tab, client(server) as script:
        one, two = await open_tab(server.url), await open_tab(server.url)
        for tab in (one, two):
            await live(tab)
        for _ in range(2):
            await script.ended((await script.press("ring-twice"))["run"])
        for tab in (one, two):
            await expect(button(tab, "ring-twice")).to_have_attribute("data-phase", "limited")
        texts = [int((await note(tab, "ring-twice").inner_text()).split()[2]) for tab in (one, two)]
        assert abs(texts[0] - texts[1]) <= 1 and 10 < min(texts) <= 20, "read one after the other"
