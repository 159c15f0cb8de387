"""A scripted client on Python's `websockets`: it checks every message that comes and keeps what a tab would keep."""

import asyncio
import itertools
import json
from contextlib import AsyncExitStack, asynccontextmanager

import websockets

import wire

WAIT = 30  # seconds for any one thing a test waits for
SUBPROTOCOL = "pushboard.v1"


def address(server, query=""):
    return f"ws://{server.host}:{server.port}/ws{query}"


@asynccontextmanager
async def connect(server, query="", **options):
    """A raw `websockets` connection to the board, without a greeting read."""
    options = {"subprotocols": [SUBPROTOCOL], "compression": None, "proxy": None, "ping_interval": None, "max_size": None,
               "max_queue": None, **options}  # with a full queue a client would not even read the Close frame
    async with websockets.connect(address(server, query), **options) as socket:
        yield socket


class Client:
    """What one connection has seen: every message in order, the newest state of each button, the run messages."""

    def __init__(self, socket):
        self.socket = socket
        self.messages, self.buttons, self.runs = [], {}, []
        self.seq = None
        self._ids = itertools.count(1)

    async def greeting(self):
        self.hello = await self.receive()
        assert self.hello["type"] == "hello" and self.hello["protocol"] == 1
        self.snapshot = await self.read_snapshot()
        return self

    async def read_snapshot(self):
        """Reads all parts and joins them into the first."""
        whole = part = await self.receive()
        assert part["type"] == "snapshot" and "board" in part, "the first part holds the board"
        while part["more"]:
            part = await self.receive()
            assert part["type"] == "snapshot"
            whole["buttons"] += part["buttons"]
        self.seq = part["seq"]
        return whole

    async def receive(self, seconds=WAIT):
        message = wire.parse(await asyncio.wait_for(self.socket.recv(), seconds))
        self.messages.append(message)
        if message["type"] == "state":
            self._apply_state(message)
        elif message["type"] == "snapshot":
            self.buttons.update({button["id"]: button for button in message["buttons"]})
        elif message["type"] == "run":
            self.runs.append(message)
        return message

    def _apply_state(self, message):
        assert message["seq"] > self.seq, "seq rises with every state"
        assert message["buttons"] or message["panels"] or message["gone"] or "board" in message, "an empty state says nothing"
        for button in message["buttons"]:
            known = self.buttons.get(button["id"])
            assert self.seq < button["seq"] <= message["seq"], "an item's own seq lies in the frame's reach"
            assert known is None or button["rev"] > known["rev"], "I3: rev strictly rises"
            self.buttons[button["id"]] = button
        self.seq = message["seq"]

    async def send(self, kind, **fields):
        """Sends a message under a new id and returns that id."""
        identifier = f"q{next(self._ids)}"
        await self.socket.send(json.dumps({"type": kind, "id": identifier, **fields}))
        return identifier

    async def answer(self, identifier):
        """The one answer to a request; what comes before it is kept."""
        def found():
            return [each for each in self.messages if each["type"] in ("ack", "pong", "error") and each.get("id") == identifier]
        await self.until(found)
        assert len(found()) == 1, "I8: each request gets exactly one answer"
        return found()[0]

    async def request(self, kind, **fields):
        return await self.answer(await self.send(kind, **fields))

    async def press(self, button, **fields):
        return await self.request("press", button=button, **fields)

    async def until(self, condition, seconds=WAIT):
        """Reads until the condition holds; returns its value."""
        async with asyncio.timeout(seconds):
            while not (value := condition()):
                await self.receive(seconds)
        return value

    async def phase(self, button, *phases):
        """Reads until the button shows one of the phases; returns the button."""
        await self.until(lambda: self.buttons[button]["phase"] in phases)
        return self.buttons[button]

    async def ended(self, run):
        """The run message that ends the run."""
        return (await self.until(lambda: [each for each in self.runs if each["run"] == run and each["change"] == "ended"]))[0]

    async def settle(self):
        """Everything the server sent before answering this ping has been read."""
        assert (await self.request("ping"))["type"] == "pong"

    def phases(self, button):
        """The phases of a button in the order of the state messages."""
        return [each["phase"] for message in self.messages if message["type"] == "state" for each in message["buttons"] if each["id"] == button]

    async def closed(self, seconds=WAIT):
        """Reads to the end; returns code and reason of the close."""
        try:
            while True:
                await self.receive(seconds)
        except websockets.ConnectionClosed as end:
            return (end.rcvd.code, end.rcvd.reason) if end.rcvd else (1006, "")


@asynccontextmanager
async def client(server, query="", **options):
    """A client that has read its greeting."""
    async with connect(server, query, **options) as socket:
        yield await Client(socket).greeting()


@asynccontextmanager
async def clients(server, count, query=""):
    """Several clients at once."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(client(server, query)) for _ in range(count)]
