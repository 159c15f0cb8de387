"""Every limit has a behaviour at the limit."""

import time

import pytest

from board import eventually
from raw import Raw, ask, frame


def refused(server):
    with Raw(server) as connection:
        return connection.upgrade()


def fill(server, count):
    return [Raw(server).open() for _ in range(count)]


def test_F56_the_65th_connection_of_an_address_is_refused_and_a_closed_one_frees_its_slot(start):
    server = start("--limit", "connectionsPerAddress=64")
    tabs = fill(server, 64)
    assert refused(server).status == 503
    tabs.pop().socket.close()
    eventually(lambda: accepted(server, tabs), "the slot is free again")
    assert refused(server).status == 503
    for tab in tabs:
        tab.socket.close()


def accepted(server, tabs):
    connection = Raw(server)
    if connection.upgrade().status == 101:
        tabs.append(connection)
        return True
    connection.socket.close()
    return False


def test_loopback_is_not_counted_by_default(server):
    tabs = fill(server, 70)
    for tab in tabs:
        tab.socket.close()


def test_the_cap_on_all_connections_answers_503(start):
    server = start("--limit", "connections=5")
    tabs = fill(server, 5)
    answer = refused(server)
    assert answer.status == 503
    tabs[0].frame('{"type":"ping"}')
    assert tabs[0].read_until('"pong"'), "those who are in are not touched"
    for tab in tabs:
        tab.socket.close()


def test_zero_means_no_limit(start):
    server = start("--limit", "connections=0", "--limit", "connectionsPerAddress=0")
    tabs = fill(server, 100)
    for tab in tabs:
        tab.socket.close()


def test_handshakes_per_second_answer_503(start):
    server = start("--limit", "handshakesPerSecond=10")
    answers = [refused(server).status for _ in range(40)]
    assert answers[:5] == [101] * 5 and 503 in answers and set(answers) == {101, 503}


def test_message_bytes_can_be_set(start):
    server = start("--limit", "messageBytes=1000")
    with Raw(server).open() as tab:
        assert '"messageBytes":1000' in tab.read_until('"hello"')
        tab.frame('{"type":"ping"}' + " " * 985)
        assert tab.read_until('"pong"')
        tab.frame('{"type":"ping"}' + " " * 986)
        assert tab.close_code() == 1009


@pytest.mark.parametrize("extra, status", [(7000, 200), (9000, 431), (30000, 431)])
def test_header_bytes(server, extra, status):
    assert ask(server, headers=[f"X-Padding: {'x' * extra}"]).status == status


def test_body_bytes(server):
    answer = ask(server, "POST", "/", ["Content-Type: application/json", "Content-Length: 70000"], body=b"x" * 1000)
    assert answer.status in (405, 413)


@pytest.mark.parametrize("path", ["the first request", "a later request", "a body", "nothing at all"])
def test_F51_a_drip_is_cut_at_the_deadline(start, path):
    server = start("--limit", "requestSeconds=1")
    with Raw(server) as connection:
        if path == "a later request":
            assert connection.ask(target="/healthz").status == 200
        if path == "a body":
            connection.send(f"POST / HTTP/1.1\r\nHost: {connection.host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        text = "" if path == "nothing at all" else "x" * 1000 if path == "a body" else "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "y" * 500
        seconds = drip(connection, text)
        assert seconds < 3 and (seconds > 0.5 or path == "a body"), "a body that nobody wants is refused at once"


def drip(connection, text, interval=0.05):
    """Sends a byte at a time until the server closes; the seconds it took."""
    begin = time.monotonic()
    connection.socket.settimeout(interval)
    sent = 0
    while time.monotonic() - begin < 8:
        try:
            if sent < len(text):
                connection.send(text[sent])
                sent += 1
            if not connection.socket.recv(4096):
                return time.monotonic() - begin
        except TimeoutError:
            continue
        except (OSError):
            return time.monotonic() - begin
    raise AssertionError("the server never closed")


def test_an_idle_websocket_outlives_the_request_deadline(start):
    server = start("--limit", "requestSeconds=1")
    with Raw(server).open() as tab, Raw(server) as watch:
        tab.read_until('"snapshot"')
        assert watch.seconds_to_close() < 4, "a connection that asks nothing is closed meanwhile"
        tab.frame('{"type":"ping"}')
        assert tab.read_until('"pong"')


def test_EMFILE_is_answered_and_survived(start):
    """F24: with few descriptors the server starts, refuses what it cannot hold, and goes on when there is room again."""
    server = start(prefix=["prlimit", "--nofile=64:64"])
    tabs = []
    try:
        while len(tabs) < 100:
            connection = Raw(server, seconds=1)
            tabs.append(connection)
            if connection.upgrade().status != 101:
                break
    except (EOFError, TimeoutError, ConnectionError):
        pass
    assert 20 < len(tabs) < 64
    for tab in tabs:
        tab.socket.close()
    eventually(lambda: try_greeting(server), "room again")


def try_greeting(server):
    try:
        with Raw(server, seconds=1) as connection:
            return connection.upgrade().status == 101
    except (EOFError, TimeoutError, ConnectionError):
        return False


def test_a_press_over_many_frames_counts_as_one_message(server):
    with Raw(server).open() as tab:
        message = b'{"type":"ping","id":1}'
        tab.send(b"".join([frame(message[:1], fin=False), *[frame(message[at:at + 1], opcode=0, fin=False) for at in range(1, len(message) - 1)],
                           frame(message[-1:], opcode=0)]))
        assert tab.read_until('"pong"')
