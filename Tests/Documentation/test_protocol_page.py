"""protocol.md lists what the protocol tests demand, no more and no less."""

import re

import pytest

import wire
from pages import names, rows, section

PAGE = "Documentation/protocol.md"


def fields(message):
    return set(wire.MESSAGES[message])


# Fields that the design keeps a place for and that nothing sends yet: known to the tests, not promised by the page.
LATER = {
    "snapshot": set(), "state": set(), "hello": set(), "ack": {"position?"},
    "run": {"exit?", "signal?", "result?", "warning?"},
    "button": {"max?", "group?", "roles?", "blocked?", "lock?", "retryAfterMs?"}}


@pytest.mark.parametrize("message", ["hello", "snapshot", "state", "ack", "run"])
def test_the_fields_of_a_message(message):
    listed = {name for row in rows(section(PAGE, message)) for name in names(row[0])}
    assert listed == fields(message) - LATER[message]


def test_the_fields_of_a_button():
    listed = {name for row in rows(section(PAGE, "A button")) for name in names(row[0])}
    assert listed == set(wire.BUTTON) - LATER["button"]


def test_the_reasons_are_known():
    listed = {name for row in rows(section(PAGE, "Reasons")) for name in names(row[0])}
    assert listed and listed <= set(wire.REASONS)


def test_the_reasons_of_the_tests_are_listed():
    from board import ROOT
    tested = {match for path in (ROOT / "Tests/Protocol").glob("test_*.py")
              for match in re.findall(r'"reason"\], *"?(\w+)|reason"\] == "(\w+)"|"rejected", "(\w+)"', path.read_text()) for match in match if match}
    listed = {name for row in rows(section(PAGE, "Reasons")) for name in names(row[0])}
    assert tested and tested & set(wire.REASONS) <= listed
