"""The page alone: its files over plain http, and a scripted socket in place of the server."""

import asyncio
import functools
import http.server
import json
import threading
from contextlib import contextmanager
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[3] / "Public"
EPOCH_MS = 1_750_000_000_000  # what the scripted server's clock says at hello


class Files(http.server.SimpleHTTPRequestHandler):
    """`Public/` under `/` and under the sub-path `/a/b/`, with the policy that the real server sends."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def translate_path(self, path):
        return super().translate_path(path.removeprefix("/a/b"))

    def end_headers(self):
        self.send_header("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'self'")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def file_server():
    handler = functools.partial(Files, directory=str(PUBLIC))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class FakeServer:
    """Holds a board, says hello to every socket, and otherwise does what a test tells it to."""

    def __init__(self, board, buttons, *, epoch="epoch-1", durable=False, assets="assets-1", name="alice"):
        self.board, self.epoch, self.durable, self.assets, self.name = board, epoch, durable, assets, name
        self.buttons = {button["id"]: button for button in buttons}
        self.seq = 10
        self.answers = True  # whether requests are answered by themselves
        self.accepts = True  # whether sockets are spoken to
        self.refuses = False  # whether sockets are closed before they say anything
        self.pongs = True
        self.opened = []  # the address of every socket
        self.received = []  # every message of the page, in order
        self.sockets = []

    async def attach(self, page):
        await page.route_web_socket(lambda url: url.split("?")[0].endswith("/ws"), self._open)

    # What the page did.
    def presses(self, kind="press"):
        return [message for message in self.received if message["type"] == kind]

    # What the server does.
    def send(self, message):
        for socket in self.sockets:
            socket.send(json.dumps(message))

    def change(self, identifier, **fields):
        """A new state of one button, pushed to all."""
        self._update(identifier, fields)
        self.send({"type": "state", "seq": self.seq, "buttons": [self.buttons[identifier]], "panels": [], "gone": []})

    def start(self, identifier, phase="pending", by="alice", client="client-1", run=None, **fields):
        run = {"run": run or f"run-of-{identifier}", "attempt": 1, "by": by, "client": client, "elapsedMs": 0,
               "cancelling": False, "killing": False, "stuck": False, **fields}
        self.change(identifier, phase=phase, run=run, error=None)

    def progress(self, identifier, **fields):
        self.change(identifier, run={**self.buttons[identifier]["run"], **fields})

    def end(self, identifier, phase="success", outcome="succeeded", run=None, error=None, duration=1234, **fields):
        run = run or f"run-of-{identifier}"
        last = {"run": run, "outcome": outcome, "at": EPOCH_MS, "durationMs": duration, "by": "alice"}
        if error is not None:
            error = {"code": "thrown", "message": error, "run": run, "retryable": True, "needs": []}
        self.change(identifier, phase=phase, run=None, last=last, error=error, retryable=error is not None, **fields)

    async def drop(self):
        """Every socket ends."""
        sockets, self.sockets = self.sockets, []
        for socket in sockets:
            await socket.close()

    def hello(self):
        return {"type": "hello", "protocol": 1, "server": "fake", "epoch": self.epoch, "log": self.epoch,
                "durable": self.durable, "assets": self.assets, "client": f"client-{len(self.opened)}",
                "user": {"name": self.name, "roles": []}, "time": EPOCH_MS, "pingMs": 15_000,
                "limits": {"messageBytes": 65_536, "pressesPerSecond": 50}}

    def snapshot(self, resumed=False):
        return {"type": "snapshot", "epoch": self.epoch, "seq": self.seq, "board": self.board,
                "buttons": list(self.buttons.values()), "panels": [], "resumed": resumed, "more": False}

    def answer(self, message, result="accepted", **fields):
        """Acks a message of the page by hand."""
        self.send({"type": "ack", "id": message["id"], "result": result, **fields})

    def _update(self, identifier, fields):
        self.seq += 1
        button = self.buttons[identifier]
        button.update(fields, rev=button["rev"] + 1, seq=self.seq)
        for name in [name for name, value in button.items() if value is None]:
            del button[name]

    def _open(self, socket):
        self.opened.append(socket.url)
        if self.refuses:
            asyncio.ensure_future(socket.close())
        if self.refuses or not self.accepts:
            return
        self.sockets.append(socket)
        socket.on_message(lambda text: self._receive(socket, json.loads(text)))
        for message in (self.hello(), self.snapshot(resumed=f"epoch={self.epoch}" in socket.url)):
            socket.send(json.dumps(message))

    def _receive(self, socket, message):
        self.received.append(message)
        if message["type"] == "ping":
            if self.pongs:
                socket.send(json.dumps({"type": "pong"}))
        elif message["type"] in ("press", "retry") and self.answers:
            run = f"run-of-{message['button']}"
            socket.send(json.dumps({"type": "ack", "id": message["id"], "result": "accepted", "run": run}))
            self.start(message["button"])
        elif message["type"] in ("cancel", "dismiss") and self.answers:
            socket.send(json.dumps({"type": "ack", "id": message["id"], "result": "ok"}))
        elif message["type"] == "snapshot" and self.answers:
            socket.send(json.dumps(self.snapshot()))
