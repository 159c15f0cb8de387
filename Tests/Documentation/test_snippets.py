"""Every command and every snippet of the pages runs, or at least compiles, as it stands there."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from board import ROOT
from client import client
from pages import PAGES, snippets

CHECKED = {"sh", "swift", "python", "javascript"}
NOT_CODE = {"text"}
COMMAND_IN_TEXT = re.compile(r"`(make(?: [a-z-]+)?)`")


def test_every_snippet_is_of_a_kind_that_is_checked():
    found = {each.language for each in snippets()}
    assert found <= CHECKED | NOT_CODE and CHECKED <= found


def commands():
    lines = {line for each in snippets("sh") for line in each.text.splitlines() if line.strip() and not line.startswith("#")}
    return sorted(lines | {match for page in PAGES for match in COMMAND_IN_TEXT.findall(page.read_text())})


@pytest.mark.parametrize("command", commands())
def test_each_command_exists(command):
    """`make test` cannot run inside itself: it and its like must at least be known to make."""
    assert command.split()[0] == "make", f"no test knows how to try {command!r}"
    result = subprocess.run(["make", "--dry-run", "--no-print-directory", *command.split()[1:]], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0 and result.stdout.strip(), result.stderr


def test_make_run_serves_the_page():
    """The command itself, on a free port."""
    process = subprocess.Popen(["make", "--no-print-directory", "run", "LISTEN=127.0.0.1:0"], cwd=ROOT, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                break
        assert found, "".join(lines)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        assert b"<!doctype html>" in opener.open(found.group(0), timeout=10).read().lower()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.stdout.read()
        process.wait(30)
        process.stdout.close()


def test_the_swift_snippet_is_the_file_that_the_package_compiles():
    compiled = (ROOT / "Tests/Support/ReadmeBoard/main.swift").read_text()
    (snippet,) = snippets("swift")
    assert snippet.text == compiled
    assert (ROOT / ".build/debug/ReadmeBoard").exists(), "built by swift build"


@pytest.mark.parametrize("snippet", snippets("python"), ids=str)
def test_the_python_snippets_press(server, tmp_path, snippet):
    script = tmp_path / "press.py"
    script.write_text(snippet.against(server))

    def run():
        result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=20)
        return result.returncode, result.stdout.strip(), result.stderr.strip()

    assert run() == (0, "succeeded", "")


@pytest.mark.parametrize("snippet", snippets("python"), ids=str)
def test_the_python_snippets_tell_a_refusal(server, tmp_path, snippet):
    script = tmp_path / "press.py"
    script.write_text(snippet.against(server).replace("submit", "sold-out"))
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=20)
    assert (result.returncode, result.stderr.strip()) == (1, "disabled")


@pytest.mark.parametrize("button, said", [("submit", "succeeded"), ("sold-out", "disabled")])
@pytest.mark.parametrize("snippet", snippets("javascript"), ids=str)
async def test_the_javascript_snippets_press_from_the_pages_console(server, browser, snippet, button, said):
    async with browser() as open_tab:
        tab = await open_tab(server.url)
        lines = asyncio.Queue()
        tab.on("console", lambda message: lines.put_nowait(message.text))
        await tab.evaluate(f"() => {{ {snippet.against(server).replace('submit', button)} }}")
        assert await asyncio.wait_for(lines.get(), 10) == said


async def test_the_buttons_that_the_pages_press_exist(server):
    pressed = {match for each in snippets() for match in re.findall(r"""button["']?: "([^"]+)""", each.text)}
    async with client(server) as tab:
        assert pressed and pressed <= set(tab.buttons)


def test_links_inside_the_project_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
