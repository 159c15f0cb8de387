"""The page alone in Chromium: `async with open_board(server) as page`."""

from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from fake_server import FakeServer, file_server
from steps import until


@pytest.fixture
def files():
    with file_server() as url:
        yield url


@pytest.fixture
def open_board(browser, files):
    """`clock=True` stops the page's time: only `page.clock.run_for` moves it."""

    @asynccontextmanager
    async def opened(server: FakeServer, path="", clock=False, live=True, script=None, **context):
        async with browser(**context) as open_tab:
            page = await open_tab("about:blank")
            if script:
                await page.add_init_script(script)
            if clock:
                await page.clock.install(time=0)
                await page.clock.pause_at(1_000)
            await server.attach(page)
            await page.goto(files + path)
            await until(lambda: server.opened)
            if live:
                link = page.locator("html")
                while clock and await link.get_attribute("data-link") != "live":
                    await page.clock.run_for(20)
                await expect(link).to_have_attribute("data-link", "live")
            yield page

    return opened
