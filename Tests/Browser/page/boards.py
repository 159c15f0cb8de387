"""Boards to show: one like the example board, and small ones."""


def button(identifier, label, **fields):
    return {"id": identifier, "rev": 1, "seq": 1, "label": label, "role": "normal", "size": "regular",
            "width": "fit", "style": "bordered", "progressPlacement": "leading", "successStyle": "check",
            "failureStyle": "shake",
            "arguments": [], "policy": "reject", "phase": "idle", "enabled": True, "settling": False, "overdue": False,
            "cancellable": True, "retryable": False, "failures": 0, "removed": False, "queued": 0, "queue": [],
            **fields}


def board(title, *sections, language="en"):
    """Sections are (title, [button, …]); returns the board and its buttons."""
    listed = [{"title": name, "items": [each["id"] for each in buttons]} for name, buttons in sections]
    pages = [{"id": "board", "title": title, "sections": listed}]
    return {"title": title, "language": language, "pages": pages}, [each for _, buttons in sections for each in buttons]


def one_button(label="Deploy", **fields):
    return board("One button", ("Actions", [button("deploy", label, **{"icon": "rocket", **fields})]))


def example():
    return board(
        "Example board",
        ("Reactions", [
            button("like", "Like", icon="thumbs-up"),
            button("quick", "Quick", icon="lightning"),
            button("favourite", "Add to favourites", icon="star", iconOnly=True, tint="yellow"),
        ]),
        ("Shop", [
            button("place-order", "Place order", icon="cart", style="prominent"),
            button("submit", "Submit", successStyle="morph", tint="green", style="prominent"),
            button("sold-out", "Sold out", icon="bag", enabled=False, disabledReason="The last one went this morning"),
        ]),
        ("Maintenance", [
            button("heavy-update", "Heavy update", icon="database", busyLabel="Updating"),
            button("flaky", "Flaky", icon="refresh", failureStyle="shake"),
            button("always-fails", "Always fails", icon="cloud"),
            button("delete-everything", "Delete everything", icon="trash", role="destructive",
                   confirm="This would delete everything. It deletes nothing, but it asks as if it did."),
        ]),
        ("More", [
            button("silent", "Silent", progressPlacement="none"),
            button("over-the-label", "Over the label", progressPlacement="overlay"),
            button("party", "Party", icon="🎉", successStyle="flash", tint="#c026d3"),
            button("noop", "noop", style="plain"),
            button("publish", "Publish the site", icon="paperPlane", size="large", width="fill", style="prominent"),
        ]),
    )


def policies():
    return board(
        "Example board",
        ("Pressed again", [
            button("queue-up", "Queue up", icon="list", policy="queue", max=16),
            button("keep-the-first", "Keep the first", icon="list", policy="queue-first"),
            button("start-over", "Start over", icon="refresh", policy="restart"),
            button("three-at-once", "Three at once", icon="play", policy="parallel", max=3),
        ]),
        ("All in good time", [
            button("back-up", "Back up", icon="database", policy="queue", max=16, group="database"),
            button("restore", "Restore", icon="database", group="database"),
            button("ring-twice", "Ring twice", icon="bell"),
            button("send-letter", "Send letter", icon="mail"),
            button("stubborn-upload", "Stubborn upload", icon="upload"),
            button("check-stock", "Check stock", policy="queue", max=16, style="prominent"),
        ]),
    )
