"""The shapes of the server's messages, as Documentation/protocol.md lists them. A field whose name ends in `?` may be absent."""

import json
import re


class OneOf(tuple):
    """An enumeration."""


TEXT, BOOL = str, bool
PHASES = OneOf(["idle", "held", "pending", "spinning", "success", "failure", "unknown"])
OUTCOMES = OneOf(["succeeded", "failed", "cancelled", "superseded", "unknown"])
REASONS = OneOf(
    "unknown_button unknown_panel unknown_run unknown_key bad_arguments key_reused key_space_full forbidden locked disabled "
    "double_press rate_limited orphan_running busy group_busy queue_full stale not_retryable not_cancellable shutting_down".split())

RUN_OF_BUTTON = {
    "run": TEXT, "attempt": int, "of?": int, "by": TEXT, "client": TEXT, "elapsedMs": int, "progress?": float, "completed?": float,
    "total?": float, "unit?": TEXT, "estimateMs?": int, "note?": TEXT, "cancelling": BOOL, "killing": BOOL, "stuck": BOOL}
RUN_ERROR = {"code": TEXT, "message": TEXT, "run": TEXT, "retryable": BOOL, "needs": [TEXT]}
LAST = {
    "run": TEXT, "outcome": OUTCOMES, "at": int, "durationMs": int, "by": TEXT, "result?": TEXT, "warning?": TEXT, "late?": BOOL}
BUTTON = {
    "id": TEXT, "rev": int, "seq": int, "label": TEXT, "busyLabel?": TEXT, "description?": TEXT, "icon?": TEXT, "iconOnly?": BOOL,
    "role": OneOf(["normal", "destructive"]), "size": OneOf(["small", "regular", "large"]), "width": OneOf(["fit", "fill"]),
    "tint?": TEXT, "style": OneOf(["bordered", "prominent", "plain"]),
    "progressPlacement": OneOf(["overlay", "leading", "trailing", "none"]), "successStyle": OneOf(["check", "morph", "flash"]),
    "failureStyle": OneOf(["shake", "flash", "none"]), "confirm?": object, "arguments": [object], "policy": TEXT, "max?": int,
    "group?": TEXT, "roles?": [TEXT], "timeoutMs?": int, "phase": PHASES, "blocked?": {"button": TEXT, "run": TEXT}, "enabled": BOOL,
    "disabledReason?": TEXT, "lock?": object, "settling": BOOL, "overdue": BOOL, "cancellable": BOOL, "retryable": BOOL,
    "failures": int, "removed": BOOL, "queued": int, "queue": [object], "run?": RUN_OF_BUTTON, "error?": RUN_ERROR,
    "holdLeftMs?": int, "retryAfterMs?": int, "last?": LAST}
PAGE = {"id": TEXT, "title": TEXT, "sections": [{"title": TEXT, "items": [TEXT]}]}
BOARD = {"title": TEXT, "language": TEXT, "notice?": object, "lock?": object, "pages": [PAGE]}
MESSAGES = {
    "hello": {
        "protocol": int, "server": TEXT, "epoch": TEXT, "log": TEXT, "durable": BOOL, "assets": TEXT, "client": TEXT,
        "user": {"name": TEXT, "roles": [TEXT]}, "time": int, "pingMs": int, "limits": {"messageBytes": int, "pressesPerSecond": int}},
    "snapshot": {
        "epoch": TEXT, "seq": int, "board?": BOARD, "buttons": [BUTTON], "panels": [object], "resumed": BOOL, "more": BOOL},
    "state": {"seq": int, "buttons": [BUTTON], "panels": [object], "board?": BOARD, "gone": [TEXT]},
    "ack": {
        "id?": object, "result": OneOf(["accepted", "held", "duplicate", "rejected", "ok"]), "reason?": REASONS, "run?": TEXT,
        "position?": int, "outcome?": OUTCOMES, "retryAfterMs?": int, "fields?": [object], "durable?": BOOL, "gap?": BOOL,
        "button?": BUTTON},
    "run": {
        "event": int, "run": TEXT, "button": TEXT, "change": OneOf(["held", "started", "retrying", "cancelling", "ended"]),
        "outcome?": OUTCOMES, "attempt": int, "root": TEXT, "by": TEXT, "client": TEXT, "at": int, "durationMs?": int, "exit?": int,
        "signal?": TEXT, "error?": object, "result?": TEXT, "warning?": TEXT, "late?": BOOL, "orphaned?": BOOL},
    "pong": {"id?": object},
    "error": {"id?": object, "code": OneOf(["bad_json", "bad_message", "bad_field"]), "message": TEXT},
    "goodbye": {"reason": OneOf(["shutting_down", "session_ended", "lagged"]), "reconnectAfterMs?": int},
}
MAXIMUM_SNAPSHOT_PART = 64 * 1024
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def parse(text):
    """The message in a frame. Fails unless it is one compact object with every required field and no undocumented one."""
    assert not re.search(r"\s", STRING.sub("", text)), f"white space outside of strings: {text[:200]}"
    message = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    kind = message.get("type")
    assert kind in MESSAGES, f"unknown message: {text[:200]}"
    _check(message, {"type": TEXT, **MESSAGES[kind]}, kind)
    if kind == "snapshot":
        assert len(text.encode()) <= MAXIMUM_SNAPSHOT_PART
    return message


def _unique(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"a field stands twice: {names}"
    return dict(pairs)


def _no_constant(name):
    raise AssertionError(f"{name} is no JSON")


def _check(value, shape, path):
    if isinstance(shape, dict):
        assert isinstance(value, dict), f"{path} is no object: {value!r}"
        required = {name for name in shape if not name.endswith("?")}
        known = {name.rstrip("?"): inner for name, inner in shape.items()}
        assert required <= value.keys(), f"{path} lacks {sorted(required - value.keys())}"
        assert value.keys() <= known.keys(), f"{path} has undocumented {sorted(value.keys() - known.keys())}"
        for name, inner in value.items():
            assert inner is not None, f"{path}.{name} is null; an optional field is left out"
            _check(inner, known[name], f"{path}.{name}")
    elif isinstance(shape, OneOf):
        assert value in shape, f"{path} is {value!r}, not one of {shape}"
    elif isinstance(shape, list):
        assert isinstance(value, list), f"{path} is no list: {value!r}"
        for index, item in enumerate(value):
            _check(item, shape[0], f"{path}[{index}]")
    elif shape is int:
        assert type(value) is int and value >= 0, f"{path} is no count: {value!r}"
    elif shape is float:
        assert type(value) in (int, float), f"{path} is no number: {value!r}"
    elif shape is not object:
        assert type(value) is shape, f"{path} is no {shape.__name__}: {value!r}"
