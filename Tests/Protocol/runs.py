"""What run messages tell when they are read as a story."""


def running_together(messages, hands_over=False):
    """The most runs that were active at once, by the run messages in their order.

    `hands_over`: a waiting run starts as soon as the action before it has ended, and that end is told once it is stored,
    so it may come right behind the start. Such a pair does not count as two.
    """
    active, most = set(), 0
    for index, message in enumerate(messages):
        if message["change"] == "started":
            active.add(message["run"])
        elif message["change"] == "ended":
            active.discard(message["run"])
        following = messages[index + 1] if index + 1 < len(messages) else None
        leaving = hands_over and message["change"] == "started" and following and following["change"] == "ended"
        most = max(most, len(active - {following["run"]} if leaving else active))
    return most


def story(messages, run):
    """What happened to one run, an end by its outcome."""
    return [each.get("outcome", each["change"]) for each in messages if each["run"] == run]


def started(messages):
    """The runs in the order in which they were started; one that is tried again counts once."""
    return list(dict.fromkeys(each["run"] for each in messages if each["change"] == "started"))


async def cancel(tab, button, *runs):
    """Ends these runs and reads until they have ended."""
    for run in runs:
        assert (await tab.request("cancel", button=button, run=run))["result"] == "ok"
    for run in runs:
        await tab.ended(run)
