"""The whole way: a real server, real Chromium tabs, a script; what one presses, all see."""

import asyncio
import os
import re

import pytest
from playwright.async_api import expect

from board import ROOT
from client import client

# Playwright's own patience for one expectation, in milliseconds.
expect.set_options(timeout=10_000)


def button(page, identifier):
    return page.locator(f'.async-button[data-button="{identifier}"]')


def press_target(page, identifier):
    return button(page, identifier).locator("> button").first


async def click_though_disabled(page, identifier):
    """A person may click a button that says it is disabled; Playwright would wait for it."""
    await press_target(page, identifier).click(force=True)


async def record(page, identifier):
    """Notes every phase that the button shows from now on, in the page itself."""
    await expect(button(page, identifier)).to_have_attribute("data-phase", "idle")
    await button(page, identifier).evaluate("""element => {
        element.seen = [element.dataset.phase]
        new MutationObserver(() => {
            if (element.seen.at(-1) !== element.dataset.phase) element.seen.push(element.dataset.phase)
        }).observe(element, { attributes: true, attributeFilter: ["data-phase"] })
    }""")


async def recorded(page, identifier):
    return await button(page, identifier).evaluate("element => element.seen")


async def live(page):
    """The newest snapshot has been drawn."""
    await expect(page.locator("html")).to_have_attribute("data-link", "live")
    await expect(press_target(page, "noop")).not_to_have_attribute("aria-disabled", "true")


async def test_R1_one_press_shows_in_three_tabs_and_a_script(server, browser):
    async with browser() as open_tab, client(server) as script:
        tabs = [await open_tab(server.url) for _ in range(3)]
        for tab in tabs:
            await live(tab)
            await record(tab, "submit")
        await press_target(tabs[0], "submit").click()
        for tab in tabs:
            await expect(button(tab, "submit")).to_have_attribute("data-phase", "success")
        await script.phase("submit", "success")
        for tab in tabs:
            phases = [phase for phase in await recorded(tab, "submit") if phase != "sending"]
            assert phases == ["idle", "pending", "spinning", "success"]
        assert list(dict.fromkeys(script.phases("submit"))) == ["pending", "spinning", "success"]


async def test_R1_a_scripts_press_shows_in_a_tab_with_its_name(server, browser):
    async with browser() as open_tab, client(server, "?name=deploy-bot") as script:
        tab = await open_tab(server.url)
        await live(tab)
        await script.press("submit")
        await expect(button(tab, "submit")).to_have_attribute("data-phase", "spinning")
        await expect(button(tab, "submit").locator(".note")).to_contain_text("deploy-bot")
        await expect(button(tab, "submit")).to_have_attribute("data-phase", "success")


async def test_D1_a_reload_in_mid_run_shows_the_run_and_starts_no_second(server, browser):
    async with browser() as open_tab, client(server) as script:
        await script.request("subscribe", topic="runs")
        tab = await open_tab(server.url)
        await live(tab)
        await press_target(tab, "heavy-update").click()
        await expect(button(tab, "heavy-update")).to_have_attribute("data-phase", "spinning")
        await tab.reload()
        await expect(button(tab, "heavy-update")).to_have_attribute("data-phase", "spinning")
        await expect(press_target(tab, "heavy-update")).to_have_attribute("aria-disabled", "true")
        await click_though_disabled(tab, "heavy-update")
        await expect(button(tab, "heavy-update")).to_have_attribute("data-phase", "success")
        await script.settle()
        assert len({each["run"] for each in script.runs}) == 1


async def test_D2_two_fast_clicks_are_one_run_without_an_error(server, browser):
    async with browser() as open_tab, client(server) as script:
        await script.request("subscribe", topic="runs")
        tab = await open_tab(server.url)
        await live(tab)
        await press_target(tab, "quick").dblclick(delay=10)
        await expect(button(tab, "quick")).to_have_attribute("data-phase", "success")
        await expect(button(tab, "quick")).to_have_attribute("data-phase", "idle")
        await script.settle()
        assert [each["change"] for each in script.runs] == ["started", "ended"]


async def test_B30_cancel_in_one_tab_ends_the_run_in_all(server, browser):
    async with browser() as open_tab:
        one, two = [await open_tab(server.url) for _ in range(2)]
        await live(one)
        await live(two)
        await press_target(one, "heavy-update").click()
        await button(two, "heavy-update").locator(".cancel").click()
        for tab in (one, two):
            await expect(button(tab, "heavy-update")).to_have_attribute("data-phase", "idle")


async def test_a_failure_shows_its_message_and_retry_succeeds(server, browser):
    async with browser() as open_tab:
        tab = await open_tab(server.url)
        await live(tab)
        await press_target(tab, "flaky").click()
        await expect(button(tab, "flaky")).to_have_attribute("data-phase", "failure")
        await expect(button(tab, "flaky").locator(".note")).not_to_be_empty()
        await expect(press_target(tab, "flaky")).to_have_accessible_name(re.compile("Retry"))
        await press_target(tab, "flaky").click()
        await expect(button(tab, "flaky")).to_have_attribute("data-phase", "success")


async def test_R2_R5_B56_a_stopped_server_is_told_and_its_return_makes_all_live_again(start, browser):
    server = start()
    async with browser() as open_tab:
        tab = await open_tab(server.url)
        await live(tab)
        server.terminate()
        assert await asyncio.to_thread(server.wait) == 0
        await expect(tab.locator("html")).not_to_have_attribute("data-link", "live")
        await expect(press_target(tab, "quick")).to_have_attribute("aria-disabled", "true")
        await expect(button(tab, "quick").locator(".note")).to_contain_text("Connection lost")
        await click_though_disabled(tab, "quick")  # refused visibly, never kept for later
        again = start(listen=f"127.0.0.1:{server.port}")
        async with client(again) as script:
            await script.request("subscribe", topic="runs")
            await live(tab)
            await script.settle()
            assert not script.runs, "B56: the press of the outage is never sent"
            await press_target(tab, "quick").click()
            await expect(button(tab, "quick")).to_have_attribute("data-phase", "success")
            await script.until(lambda: len(script.runs) == 2)


async def test_R2_a_failure_during_an_outage_is_shown_after_it(server, browser):
    async with browser() as open_tab, client(server) as script:
        tab = await open_tab(server.url)
        await live(tab)
        await tab.context.set_offline(True)
        await script.press("always-fails")
        await script.phase("always-fails", "failure")
        await tab.context.set_offline(False)
        await expect(button(tab, "always-fails")).to_have_attribute("data-phase", "failure")


async def test_B68_focus_stays_on_the_pressed_button(server, browser):
    async with browser() as open_tab:
        tab = await open_tab(server.url)
        await live(tab)
        await press_target(tab, "like").focus()
        await tab.keyboard.press("Enter")
        for phase in ("spinning", "success"):
            await expect(button(tab, "like")).to_have_attribute("data-phase", phase)
            await expect(press_target(tab, "like")).to_be_focused()


async def test_destructive_asks_first_and_cancel_presses_nothing(server, browser):
    async with browser() as open_tab, client(server) as script:
        await script.request("subscribe", topic="runs")
        tab = await open_tab(server.url)
        await live(tab)
        await press_target(tab, "delete-everything").click()
        await expect(tab.locator("dialog[open]")).to_be_visible()
        await tab.keyboard.press("Escape")
        await expect(tab.locator("dialog[open]")).to_have_count(0)
        await script.settle()
        assert not script.runs
        await press_target(tab, "delete-everything").click()
        await tab.locator("dialog[open] button", has_text="Delete everything").click()
        await script.until(lambda: script.runs)


@pytest.mark.parametrize("path", [pytest.param(os.environ.get("SCREENSHOT"), id="screenshot")])
async def test_the_board_in_the_middle_of_its_work(server, browser, tmp_path, path):
    """Also takes the README's picture: `make screenshot` names where it goes."""
    target = ROOT / path if path else tmp_path / "screenshot.png"
    async with browser(viewport={"width": 1100, "height": 944}, device_scale_factor=1.5, color_scheme="light") as open_tab:
        async with client(server, "?name=alice") as script:
            tab = await open_tab(server.url)
            await live(tab)
            await script.press("always-fails")
            await script.phase("always-fails", "failure")
            for identifier in ("place-order", "heavy-update"):
                await script.press(identifier)
            await script.until(lambda: script.buttons["place-order"].get("run", {}).get("completed") == 2)
            await script.press("quick")
            await script.phase("quick", "success")
            for identifier, phase in (("always-fails", "failure"), ("quick", "success"), ("heavy-update", "spinning"), ("place-order", "spinning")):
                await expect(button(tab, identifier)).to_have_attribute("data-phase", phase)
            await tab.screenshot(path=target, animations="disabled")
    assert target.stat().st_size > 20_000
