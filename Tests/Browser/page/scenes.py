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
