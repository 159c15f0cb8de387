"""Plain sockets: what no well-behaved client library would send."""

import os
import re
import socket
import struct
import time

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def __repr__(self):
        return f"<{self.status} {self.headers} {self.body[:80]!r}>"


class Raw:
    """One TCP (or unix) connection with a deadline on every read. `narrow` keeps the kernel's buffers on its way small."""

    def __init__(self, server=None, path=None, seconds=10, narrow=False):
        if path:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(seconds)
            self.socket.connect(path)
        else:
            self.socket = socket.socket(socket.AF_INET6 if ":" in server.host else socket.AF_INET)
            self.socket.settimeout(seconds)
            if narrow:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            self.socket.connect((server.host, server.port))
        self.host = "localhost" if path else f"{server.host}:{server.port}"
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def _fill(self):
        data = self.socket.recv(65536)
        self.rest += data
        return bool(data)

    def exactly(self, count):
        while len(self.rest) < count:
            if not self._fill():
                raise EOFError(f"closed after {len(self.rest)} of {count} bytes")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def until(self, mark):
        while mark not in self.rest:
            if not self._fill():
                raise EOFError(f"closed before {mark!r}: {self.rest[:200]!r}")
        end = self.rest.index(mark) + len(mark)
        taken, self.rest = self.rest[:end], self.rest[end:]
        return taken

    # HTTP

    def request(self, method="GET", target="/", headers=(), host=None, body=b"", version="HTTP/1.1"):
        """Sends a request; `host` None is the right one, False leaves it out, a list sends several."""
        hosts = [self.host] if host is None else [] if host is False else [host] if isinstance(host, str) else host
        lines = [f"{method} {target} {version}", *(f"Host: {each}" for each in hosts), *headers]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def answer(self, method="GET"):
        head = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        status = int(re.match(r"HTTP/1\.[01] (\d{3})", head[0]).group(1))
        headers = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            if name:
                headers.setdefault(name.lower(), []).append(value.strip())
        headers = {name: ", ".join(values) for name, values in headers.items()}
        if method == "HEAD" or status in (101, 204, 304):
            return Answer(status, headers, b"")
        if "content-length" in headers:
            return Answer(status, headers, self.exactly(int(headers["content-length"])))
        return Answer(status, headers, self.to_end())

    def ask(self, method="GET", target="/", headers=(), host=None, body=b""):
        self.request(method, target, headers, host, body)
        return self.answer(method)

    def to_end(self):
        """What comes until the server closes; a reset counts as a close."""
        try:
            while self._fill():
                pass
        except (ConnectionResetError, BrokenPipeError):
            pass
        taken, self.rest = self.rest, b""
        return taken

    def seconds_to_close(self):
        begin = time.monotonic()
        self.to_end()
        return time.monotonic() - begin

    # WebSocket

    def upgrade(self, target="/ws", headers=(), host=None, protocol="pushboard.v1", version=13):
        """Asks for the upgrade and returns the answer."""
        lines = ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {KEY}", f"Sec-WebSocket-Version: {version}", *headers]
        if protocol is not None:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        return self.ask("GET", target, lines, host)

    def open(self, **options):
        """An open WebSocket, or a failed test."""
        answer = self.upgrade(**options)
        assert answer.status == 101, answer
        return self

    def frame(self, payload=b"", opcode=TEXT, fin=True, rsv=0, length=None):
        self.send(frame(payload, opcode, fin, rsv, length))

    def read_frame(self):
        """(opcode, payload) of the next frame."""
        first, second = self.exactly(2)
        assert not second & 0x80, "a server never masks"
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", self.exactly(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.exactly(8))[0]
        return first & 15, self.exactly(length)

    def close_code(self):
        """Reads frames to the close; the code, or None for a connection that ended without one."""
        try:
            while True:
                opcode, payload = self.read_frame()
                if opcode == CLOSE:
                    return struct.unpack(">H", payload[:2])[0] if payload else 1005
        except (EOFError, ConnectionResetError, BrokenPipeError):
            return None

    def read_until(self, *needles):
        """Text frames until one holds every needle."""
        while True:
            opcode, payload = self.read_frame()
            assert opcode != CLOSE, payload
            if opcode == TEXT and all(needle.encode() in payload for needle in needles):
                return payload.decode()


def frame(payload=b"", opcode=TEXT, fin=True, rsv=0, length=None):
    """A masked client frame; `length` announces another length than the payload's."""
    payload = payload.encode() if isinstance(payload, str) else payload
    size = len(payload) if length is None else length
    mask = os.urandom(4)
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += struct.pack(">BH", 0x80 | 126, size)
    else:
        head += struct.pack(">BQ", 0x80 | 127, size)
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


def ask(server, method="GET", target="/", headers=(), host=None, body=b""):
    """One request on a connection of its own."""
    with Raw(server) as connection:
        return connection.ask(method, target, headers, host, body)
