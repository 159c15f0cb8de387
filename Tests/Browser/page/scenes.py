"""Boards in the middle of their work."""

import boards
from fake_server import FakeServer

LONG = ("The upstream answered 503 three times in a row: connection to inventory.internal refused after 2 000 ms. "
        "Check that the service is up and that its port is open, then retry.")


def busy_board():
    """The example board with one button in each phase that a board can show at once."""
    server = FakeServer(*boards.example())
    server.start("place-order", "spinning", elapsedMs=4_200, completed=2, total=4, unit="steps", progress=0.5)
    server.start("heavy-update", "spinning", by="bob", client="x", elapsedMs=2_100, note="1 204 rows")
    server.start("submit", "spinning", elapsedMs=900)
    server.start("over-the-label", "spinning", elapsedMs=400)
    server.end("like")
    server.end("always-fails", "failure", "failed", error=LONG)
    server.end("flaky", "unknown", "unknown", error="The server stopped while it ran")
    server.end("quick", "idle", duration=51)
    return server


def waiting(run, by="bob", client="x", left=None):
    """An entry of a queue; with `left` one that counts down."""
    return {"run": run, "by": by, "client": client, **({"for": "slot"} if left is None else {"for": "countdown", "leftMs": left})}


def waiting_board():
    """Buttons that wait, block, count down and try again."""
    server = FakeServer(*boards.policies())
    own = waiting("own", "alice", "client-1")
    server.start("queue-up", "spinning", by="bob", client="x", elapsedMs=2_100)
    server.change("queue-up", queued=3, queue=[waiting("w1", "carol"), own, waiting("w2")])
    server.start("keep-the-first", "spinning", elapsedMs=1_400)
    server.change("keep-the-first", queued=1, queue=[waiting("w3")])
    server.start("start-over", "spinning", cancelling=True, elapsedMs=1_100)
    server.change("start-over", queued=1, queue=[own])
    server.start("three-at-once", "spinning", elapsedMs=1_900)
    server.start("back-up", "spinning", elapsedMs=5_300)
    server.change("restore", blocked={"button": "back-up", "run": "run-of-back-up"})
    server.change("ring-twice", retryAfterMs=12_400)
    server.change("send-letter", phase="held", queued=1, queue=[waiting("w4", "alice", "client-1", left=4_400)])
    server.start("stubborn-upload", "spinning", attempt=2, of=3, elapsedMs=2_700)
    server.change("check-stock", phase="held", queued=2, queue=[waiting("w5"), waiting("w6", "carol")])
    return server
