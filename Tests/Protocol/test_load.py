"""Many clients, rude clients, slow clients: bounded, and nobody else notices. Scaled to a test run; `make bench` measures."""

import asyncio
import json
import os
import random
import signal
import socket
import statistics
import struct
import subprocess
import time
from pathlib import Path

import pytest

from board import eventually
from client import client
from raw import Raw, ask, frame

HELLO, SNAPSHOT, PONG = '"type":"hello"', '"type":"snapshot"', '"type":"pong"'


def reset(raw):
    """Closes with a reset instead of a FIN."""
    raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.socket.close()


def greeted(server):
    raw = Raw(server).open()
    raw.read_until(HELLO)
    raw.read_until(SNAPSHOT)
    return raw


@pytest.fixture(scope="module")
def counting(tmp_path_factory):
    """The environment that counts a server's sends, and the reader of the count."""
    folder = tmp_path_factory.mktemp("count")
    library, file = folder / "count_sends.so", folder / "count"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("count_sends.c")], check=True)
    environment = {"LD_PRELOAD": str(library), "COUNT_SENDS": str(file)}
    return environment, lambda: struct.unpack("l", file.read_bytes())[0]


def test_F5_a_greeting_is_two_sends(start, counting):
    environment, sends = counting
    server = start(environment=environment)
    before = sends()
    tabs = [greeted(server) for _ in range(500)]
    assert 0 < (sends() - before) / len(tabs) <= 2.1
    for tab in tabs:
        tab.socket.close()


def test_a_press_is_sent_once_to_each_client(start, counting):
    environment, sends = counting
    server = start(environment=environment)
    tabs = [greeted(server) for _ in range(50)]
    before = sends()
    tabs[0].frame('{"type":"press","button":"noop","watch":false}')
    for tab in tabs:
        tab.read_until('"type":"state"', '"phase":"idle"')
    assert sends() - before <= 2 * len(tabs) + 1, "two states to each client and one ack"


def test_F6_all_are_back_after_a_cut(start):
    """500 connections reset at once come back within five seconds, with every greeting, and once only."""
    server = start()
    tabs = [greeted(server) for _ in range(500)]
    for tab in tabs:
        reset(tab)
    begin = time.monotonic()
    tabs = [greeted(server) for _ in range(500)]
    assert time.monotonic() - begin < 5
    for tab in tabs:  # nobody is dropped again
        tab.frame('{"type":"ping"}')
        tab.read_until(PONG)
        tab.socket.close()


def test_F7_connecting_and_closing_leaves_nothing_behind(start):
    server = start()

    def cycles(count):
        for index in range(count):
            tab = greeted(server)
            reset(tab) if index % 2 else tab.socket.close()
        eventually(lambda: server.descriptors() == empty, "every descriptor closed")

    empty = server.descriptors()
    cycles(500)
    before = server.resident()
    cycles(2500)
    assert server.resident() - before < 2048, "KiB"
    assert len(server.lines) < 100, "R14: no flood in the log"


def test_F21_resets_in_every_stage_leave_nothing_behind(start):
    server = start()
    calm = greeted(server)
    calm.frame('{"type":"press","button":"quick"}')  # the first timer of an action opens a descriptor that stays
    calm.read_until('"phase":"success"')
    empty = server.descriptors()
    random.seed(21)
    upgrade = (f"GET /ws HTTP/1.1\r\nHost: {server.host}:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()
    for _ in range(1000):
        raw = Raw(server)
        script = upgrade + frame('{"type":"press","button":"quick"}') + frame(b"\x03\xe8", opcode=8)
        raw.send(script[:random.randrange(len(script) + 1)])
        if random.random() < 0.5:
            raw.socket.settimeout(0.002)
            try:
                raw.socket.recv(random.randrange(1, 4000))
            except (TimeoutError, ConnectionError):
                pass
        reset(raw)
    eventually(lambda: server.descriptors() == empty, "every descriptor closed")
    calm.frame('{"type":"ping"}')
    calm.read_until(PONG)
    calm.socket.close()


async def test_B61_a_slow_reader_costs_little_and_ends_with_the_newest_state(start):
    """A client that does not read while thousands of states go by: the server's memory is bounded, then it gets the newest only."""
    server = start("--limit", "pressesPerSecond=0")
    slow = Raw(server, narrow=True).open()
    async with client(server) as presser:
        before = server.resident()
        rounds = 10000
        for begin in range(0, rounds, 250):
            identifiers = [await presser.send("press", button="noop", watch=False) for _ in range(250)]
            while sum(message["type"] == "ack" for message in presser.messages) < len(identifiers):
                await presser.receive()
            presser.messages.clear()
        await presser.until(lambda: presser.buttons["noop"]["phase"] == "idle")
        await presser.settle()
        assert server.resident() - before < 12 * 1024, "KiB"
        newest = presser.buttons["noop"]
    states, current = 0, {}
    while current.get("rev") != newest["rev"]:
        message = json.loads(slow.read_until('"type"'))
        states += message["type"] == "state"
        for button in message.get("buttons", []):
            if button["id"] == "noop":
                assert button["rev"] > current.get("rev", -1)
                current = button
    assert current["phase"] == "idle" and states < newest["rev"] / 2, "what nobody could read was conflated"
    slow.socket.close()


def test_an_idle_server_uses_no_processor_time(start):
    server = start()

    def used():
        fields = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    assert ask(server, target="/healthz").status == 200
    before = used()
    time.sleep(1)  # the measured second
    assert used() - before <= 1, "clock ticks of 10 ms"


async def test_one_client_that_floods_does_not_delay_another(start):
    server = start("--limit", "pressesPerSecond=0")
    with Raw(server) as flooder:
        flooder.open()
        flooder.socket.setblocking(False)
        block = frame('{"type":"press","button":"sold-out"}') * 200
        async with client(server) as tab:
            times = []
            for _ in range(41):
                try:
                    flooder.socket.send(block)
                except BlockingIOError:
                    pass
                begin = time.monotonic()
                await tab.settle()
                times.append(time.monotonic() - begin)
            assert statistics.median(times) < 0.2, "seconds; the median, because a busy machine delays a few of them"


async def test_F16_a_stopped_server_goes_on_where_it_was(start):
    server = start()
    async with client(server) as tab:
        run = (await tab.press("like"))["run"]
        os.kill(server.pid, signal.SIGSTOP)
        await asyncio.sleep(1)  # the outage
        os.kill(server.pid, signal.SIGCONT)
        assert (await tab.ended(run))["outcome"] == "succeeded"
        await tab.phase("like", "success")
        assert len({each["run"] for each in tab.runs}) == 1
