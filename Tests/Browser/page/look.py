"""Takes pictures of the page for eyes to judge: `python look.py FOLDER`."""

import asyncio
import shutil
import sys
from pathlib import Path

from playwright.async_api import async_playwright

import boards
from fake_server import FakeServer, file_server
from scenes import busy_board

async def take(browser, url, folder, name, server, *, width, height=900, text=100, act=None, **context):
    context = await browser.new_context(viewport={"width": width, "height": height}, **context)
    page = await context.new_page()
    page.on("console", lambda message: message.type == "error" and print(name, "console:", message.text))
    page.on("pageerror", lambda error: print(name, "error:", error))
    await server.attach(page)
    await page.goto(url)
    if text != 100:
        await page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", f"{text}%")
    await page.wait_for_timeout(600)
    if act:
        await act(page, server)
        await page.wait_for_timeout(700)
    await page.screenshot(path=folder / f"{name}.png", full_page=True)
    await context.close()


async def lose(page, server):
    server.accepts = False
    await server.drop()


async def confirm(page, server):
    await page.locator("[data-button=delete-everything] .main").click()


async def details(page, server):
    await page.locator("[data-button=always-fails] .details").click()


async def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with file_server() as url:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            shot = lambda name, server, **options: take(browser, url, folder, name, server, **options)
            for scheme in ("light", "dark"):
                for width in (320, 768, 1600):
                    await shot(f"{scheme}-{width}", busy_board(), width=width, color_scheme=scheme)
                await shot(f"{scheme}-idle", FakeServer(*boards.example()), width=1280, color_scheme=scheme)
                await shot(f"{scheme}-stale", busy_board(), width=1024, color_scheme=scheme, act=lose)
                await shot(f"{scheme}-confirm", busy_board(), width=768, color_scheme=scheme, act=confirm)
                await shot(f"{scheme}-details", busy_board(), width=768, color_scheme=scheme, act=details)
            await shot("forced-colours", busy_board(), width=1024, forced_colors="active")
            await shot("reduced-motion", busy_board(), width=1024, reduced_motion="reduce")
            await shot("text-200", busy_board(), width=320, text=200)
            await shot("empty", FakeServer(*boards.board("Empty")), width=1024)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
