"""Clients that connect, read, answer pings and say nothing else: what most tabs do most of the time."""

import resource
import selectors
import socket
import threading

UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
PONG = bytes([0x8A, 0x80, 0, 0, 0, 0])
PING = 0x89


class IdleClients:
    """Use as a context: all are greeted when it is entered, all are closed when it is left."""

    def __init__(self, port, count):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.port, self.count = port, count
        self.selector = selectors.DefaultSelector()
        self.sockets, self.lost, self.ended = [], 0, False

    def __enter__(self):
        for index in range(self.count):
            # Several source addresses, so that ports do not run out.
            each = socket.create_connection(("127.0.0.1", self.port), source_address=(f"127.0.0.{1 + index // 8000}", 0))
            each.sendall(UPGRADE.format(port=self.port).encode())
            data = b""
            while b'"type":"snapshot"' not in data:
                received = each.recv(65536)
                assert received, data
                data += received
            each.setblocking(False)
            self.selector.register(each, selectors.EVENT_READ)
            self.sockets.append(each)
        self.thread = threading.Thread(target=self._answer)
        self.thread.start()
        return self

    def _answer(self):
        while not self.ended:
            for key, _ in self.selector.select(0.2):
                try:
                    data = key.fileobj.recv(65536)
                except BlockingIOError:
                    continue
                except ConnectionError:
                    data = b""
                if not data:
                    self.lost += 1
                    self.selector.unregister(key.fileobj)
                elif data[0] == PING:
                    key.fileobj.send(PONG)

    def __exit__(self, *_):
        self.ended = True
        self.thread.join()
        for each in self.sockets:
            each.close()
        self.selector.close()
        assert self.lost == 0, f"{self.lost} idle clients were closed"
