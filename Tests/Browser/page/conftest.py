"""The page alone in Chromium: `async with open_board(server) as page`. One browser and one event loop for all."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import async_playwright, expect

from chromium import tabs
from fake_server import FakeServer, file_server
from steps import until

DEADLINE = 60  # seconds for one test


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    runner = pyfuncitem.funcargs["runner"]
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    runner.run(asyncio.wait_for(pyfuncitem.obj(**arguments), DEADLINE))
    return True


@pytest.fixture(scope="session")
def runner():
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def process(runner, chromium):
    playwright = runner.run(async_playwright().start())
    process = runner.run(playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]))
    yield process
    runner.run(process.close())
    runner.run(playwright.stop())


@pytest.fixture(scope="session")
def files():
    with file_server() as url:
        yield url


@pytest.fixture
def open_board(process, files):
    """`clock=True` stops the page's time: only `page.clock.run_for` moves it."""

    @asynccontextmanager
    async def opened(server: FakeServer, path="", clock=False, live=True, script=None, **context):
        async with tabs(await process.new_context(**context)) as open_tab:
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
