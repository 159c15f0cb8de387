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
    "snapshot": set(), "state": set(), "hello": set(), "ack": set(),
    "run": {"exit?", "signal?", "result?", "warning?"},
    "button": {"roles?", "lock?"}}


@pytest.mark.parametrize("message", ["hello", "snapshot", "state", "ack", "run"])
def test_the_fields_of_a_message(message):
    listed = {name for row in rows(section(PAGE, message)) for name in names(row[0])}
    assert listed == fields(message) - LATER[message]


def test_the_fields_of_a_button():
    listed = {name for row in rows(section(PAGE, "A button")) for name in names(row[0])}
    assert listed == set(wire.BUTTON) - LATER["button"]


def test_the_policies():
    listed = {name for row in rows(section(PAGE, "Policies")) for name in names(row[0])}
    assert listed == set(wire.POLICIES)


def test_the_values_that_a_field_is_listed_with():
    listed = {row[0]: names(row[1]) for kind in ("ack", "run", "A button") for row in rows(section(PAGE, kind))}
    assert set(listed["`result`"]) == set(wire.MESSAGES["ack"]["result"])
    assert set(listed["`change`"]) == set(wire.MESSAGES["run"]["change"])
    assert set(listed["`outcome?`"]) == set(wire.OUTCOMES)
    assert set(listed["`phase`"]) == set(wire.PHASES)
    assert set(listed["`queue`"]) == {*wire.WAITING, *wire.WAITING["for"]}


def test_the_reasons_are_known():
    listed = {name for row in rows(section(PAGE, "Reasons")) for name in names(row[0])}
    assert listed and listed <= set(wire.REASONS)


def test_the_reasons_of_the_tests_are_listed():
    from board import ROOT
    tested = {match for path in (ROOT / "Tests/Protocol").glob("test_*.py")
              for match in re.findall(r'"reason"\], *"?(\w+)|reason"\] == "(\w+)"|"rejected", "(\w+)"', path.read_text()) for match in match if match}
    listed = {name for row in rows(section(PAGE, "Reasons")) for name in names(row[0])}
    assert tested and tested & set(wire.REASONS) <= listed
