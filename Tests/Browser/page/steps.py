"""What the tests of the page do and read, in their words."""

import asyncio

from playwright.async_api import expect

PHASES = ["idle", "sending", "pending", "spinning", "cancelling", "success", "failure", "unknown", "held", "blocked",
          "locked", "disabled", "stale"]


def box(page, identifier="deploy"):
    return page.locator(f'.async-button[data-button="{identifier}"]')


def main(page, identifier="deploy"):
    return box(page, identifier).locator("> button.main")


def note(page, identifier="deploy"):
    return box(page, identifier).locator(".note .text")


async def tap(page, identifier="deploy", **options):
    """A click that does not wait for the button to be enabled: refusing is the page's own business."""
    await main(page, identifier).click(force=True, **options)


async def until(condition, deadline=5):
    """Waits for something that the scripted server has heard."""
    async with asyncio.timeout(deadline):
        while not condition():
            await asyncio.sleep(0.005)


async def heard_all(page):
    """What the page has sent so far has arrived: the answer to a question to it comes behind."""
    await page.evaluate("0")


async def bring_to(page, server, phase, identifier="deploy"):
    """Leads a button into a phase, by what a server sends or a person does."""
    calm = dict(enabled=True, blocked=None, lock=None, run=None, error=None, queue=[], retryable=False)
    server.change(identifier, phase="idle", **calm)
    if phase == "sending":
        server.answers = False
        await expect(box(page, identifier)).to_have_attribute("data-phase", "idle")
        await tap(page, identifier)
    elif phase in ("pending", "spinning"):
        server.start(identifier, phase, elapsedMs=2_000, progress=0.4)
    elif phase == "cancelling":
        server.start(identifier, "spinning", elapsedMs=2_000, cancelling=True)
    elif phase == "success":
        server.end(identifier)
    elif phase in ("failure", "unknown"):
        server.end(identifier, phase, "failed", error="No luck: " + "the upstream did not answer. " * 8)
    elif phase == "held":
        server.change(identifier, phase="held", queue=[{"run": "r", "by": "bob", "client": "x", "for": "slot"}])
    elif phase == "blocked":
        server.change(identifier, blocked={"button": "other", "run": "r"})
    elif phase == "locked":
        server.change(identifier, lock={"reason": "Freeze until Monday", "by": "carol"})
    elif phase == "disabled":
        server.change(identifier, enabled=False, disabledReason="Sold out")
    elif phase == "stale":
        server.accepts = False
        await server.drop()
    await expect(box(page, identifier)).to_have_attribute("data-phase", phase)


async def leave(page, server, phase, identifier="deploy"):
    """Undoes what `bring_to` changed besides the button."""
    if phase == "sending":
        server.answers = True
        server.answer(server.presses()[-1], "rejected", reason="busy")
    if phase == "stale":
        server.accepts = True
        await page.evaluate("dispatchEvent(new Event('online'))")
        await expect(page.locator("html")).to_have_attribute("data-link", "live")
