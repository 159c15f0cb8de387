"""A headless Chromium for tests: the system's own, driven by Playwright. A conftest.py imports the fixtures."""

import shutil
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import async_playwright

# A page cannot keep the browser from reporting a refused connection; everything else on the console is a fault.
CONNECTION_LOST = "WebSocket connection to"


@pytest.fixture(scope="session")
def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.fail("no Chromium on the path: Tests/Support/bootstrap test installs one")


@asynccontextmanager
async def tabs(context):
    """Use as `async with tabs(context) as open_tab`; a tab's console errors fail the test when the context closes."""
    faults = []

    async def open_tab(url):
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        await page.goto(url)
        return page

    yield open_tab
    await context.close()
    assert not [fault for fault in faults if CONNECTION_LOST not in fault], faults


@pytest.fixture
def browser(chromium):
    """Use as `async with browser() as open_tab`."""

    @asynccontextmanager
    async def launch(**context_options):
        async with async_playwright() as playwright:
            process = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            async with tabs(await process.new_context(**context_options)) as open_tab:
                yield open_tab
            await process.close()

    return launch
