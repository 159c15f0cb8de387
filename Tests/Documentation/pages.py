"""The pages of the documentation, cut into what can be checked."""

import re
from dataclasses import dataclass

from board import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "Documentation").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
ADDRESS = "127.0.0.1:8080"


@dataclass
class Snippet:
    page: str
    language: str
    text: str

    def __str__(self):
        return f"{self.page}: {self.text.strip().splitlines()[0][:40]}"

    def against(self, server):
        """The same text with the address of the server under test."""
        return self.text.replace(ADDRESS, f"{server.host}:{server.port}")


def snippets(language=None):
    found = [Snippet(page.name, *match) for page in PAGES for match in FENCE.findall(page.read_text())]
    return [each for each in found if language in (None, each.language)]


def section(page, title):
    """The text under a heading, up to the next heading of any level."""
    text = (ROOT / page).read_text()
    match = re.search(rf"^#+ {re.escape(title)}$(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    assert match, f"{page} has no section {title}"
    return match.group(1)


def rows(text):
    """The cells of the tables in a text, without their heads and rules."""
    lines = [line.strip().strip("|").split("|") if line.strip().startswith("|") else None for line in text.splitlines()]
    found = []
    for line, after in zip(lines, [*lines[1:], None]):
        if line and not _is_rule(line) and not (after and _is_rule(after)):
            found.append([cell.strip() for cell in line])
    return found


def _is_rule(cells):
    return set("".join(cells)) <= set("-: ")


def names(cell):
    return re.findall(r"`([^`]+)`", cell)
