"""What can be seen: sizes that stay, names that fit, preferences that win, nothing cut off, and axe's rules."""

import asyncio
from importlib.resources import files as resources
from itertools import combinations

import pytest
from playwright.async_api import expect

import boards
from fake_server import FakeServer
from scenes import busy_board, waiting_board
from steps import PHASES, box, bring_to, leave, main

AXE = resources("axe_playwright_python").joinpath("axe.min.js").read_text()
SIZES = """element => [element, ...element.querySelectorAll('.main, .labels')].map((each) => {
    const { width, height } = each.getBoundingClientRect()
    return [each.className, width, height]
})"""
# What is on view and hides part of itself. A note may end after whole lines if there is a button that shows all of it.
CLIPPED = """() => [...document.querySelectorAll("body *")].filter((each) => {
    const style = getComputedStyle(each)
    if (!each.checkVisibility({ visibilityProperty: true })) return false
    if (each.closest(".visually-hidden, .icon, [data-icon-only] .labels")) return false
    const lines = (each.clientHeight - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight)
    const shortened = style.webkitLineClamp !== "none" && each.nextElementSibling.checkVisibility()
    if (shortened && Math.abs(lines - Math.round(lines)) < 0.03) return false
    const hides = style.overflowX !== "visible" || style.overflowY !== "visible"
    const wide = each.scrollWidth > each.clientWidth + 1 && style.display !== "inline"
    return (hides && each.scrollHeight > each.clientHeight + 1) || (wide && each.clientWidth > 0)
}).map((each) => `${each.tagName}.${each.className}: ${each.textContent.slice(0, 40)}`)"""
# Words of labels that stand in two lines.
BROKEN = """() => [...document.querySelectorAll(".label:not([aria-hidden])")].flatMap((label) => {
    if (label.closest("[data-icon-only]")) return []
    const text = label.firstChild
    return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        return new Set([...range.getClientRects()].map((each) => each.top)).size > 1
    }).map(([word]) => word)
})"""
MOVING = """() => document.getAnimations().flatMap((animation) => animation.effect.getKeyframes().flatMap(Object.keys))
    .filter((name) => ["transform", "rotate", "translate", "scale", "clipPath", "strokeDashoffset"].includes(name))"""


@pytest.fixture
def server():
    return FakeServer(*boards.one_button(busyLabel="Deploying"))


@pytest.mark.parametrize("look", [
    {}, {"icon": None, "width": "fill", "successStyle": "morph"}, {"progressPlacement": "overlay", "size": "large"},
    {"progressPlacement": "trailing", "style": "prominent", "size": "small"}, {"iconOnly": True},
    {"label": "Synchronise every repository with its upstream"}])
async def test_B70_the_box_is_the_same_in_every_phase(open_board, look):
    board, buttons = boards.one_button(**{"busyLabel": "Deploying", **look})
    present = {name: value for name, value in buttons[0].items() if value is not None}
    server = FakeServer(board, [present])
    async with open_board(server, viewport={"width": 700, "height": 600}) as page:
        expected = await box(page).evaluate(SIZES)
        for phase in PHASES:
            await bring_to(page, server, phase)
            for (name, *before), (_, *now) in zip(expected, await box(page).evaluate(SIZES), strict=True):
                assert now == pytest.approx(before, abs=0.5), f"{name} in {phase}"
            await leave(page, server, phase)


@pytest.mark.parametrize("placement", ["leading", "overlay"])
async def test_B71_the_name_contains_the_label_that_is_seen_and_is_never_empty(open_board, placement):
    server = FakeServer(*boards.one_button(busyLabel="Deploying", progressPlacement=placement))
    seen = {"spinning": "Deploying", "cancelling": "Deploying", "failure": "Retry: Deploy", "unknown": "Retry: Deploy"}
    async with open_board(server) as page:
        for phase in PHASES:
            await bring_to(page, server, phase)
            visible = await box(page).locator(".label:not([aria-hidden])").all_inner_texts()
            # Offline, the label is that of the phase last known.
            assert visible == [seen.get(phase, "Deploy")], phase
            await expect(main(page)).to_have_accessible_name(visible[0])
            await leave(page, server, phase)


async def test_an_icon_only_button_has_its_label_as_name(open_board):
    server = FakeServer(*boards.one_button("Add to favourites", icon="star", iconOnly=True))
    async with open_board(server) as page:
        await expect(main(page)).to_have_accessible_name("Add to favourites")
        size = await main(page).bounding_box()
        assert size["width"] == pytest.approx(size["height"], abs=0.5)


async def test_a_button_is_described_by_its_note(server, open_board):
    async with open_board(server) as page:
        server.end("deploy")
        await expect(main(page)).to_have_accessible_description("Done in 1.2 s")


async def test_B73_reduced_motion_moves_nothing_and_still_shows_every_phase(open_board):
    server = FakeServer(*boards.one_button(successStyle="morph", failureStyle="shake"))
    async with open_board(server, reduced_motion="reduce") as page:
        for phase in PHASES:
            await bring_to(page, server, phase)
            assert await page.evaluate(MOVING) == [], phase
            if phase == "spinning":
                pulse = "element => element.getAnimations({ subtree: true }).map((each) => each.animationName)"
                assert await box(page).evaluate(pulse) == ["pulse"]
                await expect(box(page).locator(".note")).to_contain_text("Running")
            await leave(page, server, phase)


async def test_B73_motion_is_there_for_everyone_else(server, open_board):
    async with open_board(server) as page:
        await bring_to(page, server, "spinning")
        assert "rotate" in await page.evaluate(MOVING)


async def test_all_spinners_turn_together(open_board):
    server = FakeServer(*boards.example())
    async with open_board(server) as page:
        angles = """[...document.querySelectorAll("[data-glyph=spinner] svg")]
            .map((each) => getComputedStyle(each).rotate)"""
        server.start("like", "spinning")
        await expect(box(page, "like")).to_have_attribute("data-phase", "spinning")
        server.start("quick", "spinning")
        await expect(box(page, "quick")).to_have_attribute("data-phase", "spinning")
        one, two = await page.evaluate(angles)
        assert one == two


async def test_B74_forced_colours_tell_every_phase_by_shape(server, open_board):
    async with open_board(server, forced_colors="active", reduced_motion="reduce") as page:
        pictures = {}
        for phase in PHASES:
            await bring_to(page, server, phase)
            if phase == "sending":
                await expect(box(page).locator(".icon")).to_have_attribute("data-glyph", "spinner")
            # Without the note, whose words would tell it anyway, and at one moment of the pulse.
            await page.evaluate("document.getAnimations().forEach((each) => { each.pause(); each.currentTime = 0 })")
            await page.mouse.move(0, 0)
            await page.evaluate("document.activeElement.blur()")
            pictures[phase] = await main(page).screenshot()
            await leave(page, server, phase)
        # These look alike on purpose and are told apart by their notes.
        closed = ["disabled", "blocked", "limited", "locked"]
        alike = [{"spinning", "cancelling"}, *map(set, combinations(closed, 2))]
        for one, two in combinations(PHASES, 2):
            if {one, two} not in alike:
                assert pictures[one] != pictures[two], f"{one} looks like {two}"


async def test_B75_right_to_left_starts_at_the_right_and_mirrors_no_spinner(server, open_board):
    async with open_board(server) as page:
        await page.evaluate("document.documentElement.dir = 'rtl'")
        await bring_to(page, server, "spinning")
        icon = await box(page).locator(".icon").bounding_box()
        label = await box(page).locator(".labels").bounding_box()
        assert icon["x"] > label["x"]
        matrix = "element => getComputedStyle(element).transform + getComputedStyle(element).scale"
        for part in (".icon", ".icon svg"):
            assert await box(page).locator(part).evaluate(matrix) == "nonenone"
        fill = await box(page).locator(".fill").bounding_box()
        bar = await box(page).locator(".bar").bounding_box()
        right = bar["x"] + bar["width"]
        assert fill["x"] + fill["width"] == pytest.approx(right, abs=0.5), "the bar fills from the right"


@pytest.mark.parametrize("scene", [busy_board, waiting_board])
@pytest.mark.parametrize(("width", "text"), [(320, 200), (320, 100), (768, 200), (1600, 100)])
async def test_B75_nothing_is_cut_off(open_board, width, text, scene):
    server = scene()
    async with open_board(server, viewport={"width": width, "height": 800}) as page:
        await page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", f"{text}%")
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        assert await page.evaluate(CLIPPED) == []
        assert await page.evaluate(BROKEN) == []


@pytest.mark.parametrize("scene", [busy_board, waiting_board])
@pytest.mark.parametrize("width", [320, 1024])
async def test_every_target_is_at_least_44_pixels(open_board, width, scene):
    async with open_board(scene(), viewport={"width": width, "height": 800}) as page:
        for target in await page.locator("button:visible, a:visible, input:visible").all():
            size = await target.bounding_box()
            assert min(size["width"], size["height"]) >= 44, await target.inner_text()


async def test_the_head_never_covers_what_has_the_focus(open_board):
    async with open_board(busy_board(), viewport={"width": 320, "height": 560}) as page:
        await page.locator("button:visible").last.focus()
        covered = """() => [document.querySelector("#head").getBoundingClientRect().bottom,
                            document.activeElement.getBoundingClientRect().top]"""
        for _ in range(await page.locator("button:visible").count() - 1):
            await page.keyboard.press("Shift+Tab")
            bottom, top = await page.evaluate(covered)
            assert top >= bottom


async def axe_violations(page):
    await page.evaluate(AXE)
    result = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{rule['id']}: {node['html'][:120]} {node['failureSummary']}"
        for rule in result["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing(open_board, scheme):
    server = busy_board()
    size = {"width": 1100, "height": 900}
    async with open_board(server, color_scheme=scheme, reduced_motion="reduce", viewport=size) as page:
        assert await axe_violations(page) == [], "busy"
        await main(page, "delete-everything").click()
        assert await axe_violations(page) == [], "with a question"
        await page.keyboard.press("Escape")
        await box(page, "always-fails").locator(".details").click()
        assert await axe_violations(page) == [], "with details"
        await page.keyboard.press("Escape")
        server.end("place-order", "failure", "failed", error="no")
        server.end("submit")
        await expect(box(page, "submit")).to_have_attribute("data-phase", "success")
        assert await axe_violations(page) == [], "prominent ends"
        server.accepts = False
        await server.drop()
        await expect(page.locator("html")).to_have_attribute("data-link", "stale")
        assert await axe_violations(page) == [], "stale"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_where_runs_wait(open_board, scheme):
    async with open_board(waiting_board(), color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1100, "height": 900}) as page:
        await expect(box(page, "send-letter")).to_have_attribute("data-phase", "held")
        assert await axe_violations(page) == [], "waiting"
        await box(page, "queue-up").locator(".waiting").click()
        assert await axe_violations(page) == [], "with the list"


async def test_a_flood_of_pushes_does_not_freeze_the_page(open_board):
    """Ten times what a run may push, on every button of a large board."""
    buttons = [boards.button(f"b{number}", f"Button {number}", icon="star") for number in range(300)]
    server = FakeServer(*boards.board("Large", ("Actions", buttons)))
    async with open_board(server) as page:
        await page.evaluate("""() => {
            window.longest = 0
            const note = (list) => { longest = Math.max(longest, ...list.getEntries().map((each) => each.duration)) }
            new PerformanceObserver(note)
                .observe({ entryTypes: ["longtask"] })
        }""")
        for number in range(300):
            server.start(f"b{number}", "spinning")
        for step in range(10):
            for number in range(0, 300, 3):
                server.progress(f"b{number}", progress=step / 10)
            await asyncio.sleep(0)
        await expect(box(page, "b297").locator(".bar")).to_have_attribute("aria-valuenow", "90")
        assert await page.evaluate("longest") < 1_000


async def test_a_hidden_tab_with_a_running_button_sits_still(server, open_board):
    """A hidden tab draws nothing: what waits for a drawing must not wake it again and again."""
    async with open_board(server, clock=True) as page:
        server.start("deploy", "spinning")
        await page.clock.run_for(100)
        await expect(box(page)).to_have_attribute("data-phase", "spinning")
        await page.evaluate("""() => {
            window.requestAnimationFrame = () => 0
            window.woken = 0
            const { setTimeout } = window
            window.setTimeout = (...all) => { woken += 1; return setTimeout(...all) }
        }""")
        await page.clock.run_for(10_000)
        assert await page.evaluate("woken") < 5
