"""HTTP from outside: methods, malformed requests, health (F46 F49), on plain sockets."""

import json
import re
import time

import pytest

from raw import Raw, ask


@pytest.fixture(scope="module")
def server(shared):
    return shared()


def test_healthz_and_readyz(server):
    for path in ("/healthz", "/readyz"):
        answer = ask(server, target=path)
        assert answer.status == 200 and answer.headers["cache-control"] == "no-store", path
        assert ask(server, "HEAD", path).status == 200
        assert ask(server, "POST", path).status == 405
    ready = json.loads(ask(server, target="/readyz").body)
    assert ready["warnings"] == []


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "G=T"])
@pytest.mark.parametrize("path", ["/", "/index.html", "/ws", "/nothing"])
def test_F49_other_methods_are_405(server, method, path):
    answer = ask(server, method, path)
    assert answer.status in ((405,) if method.isalpha() and method.isupper() else (400, 405, 501)), answer
    if answer.status == 405:
        assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize("name, request_bytes", [
    ("CONNECT", b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n"),
    ("CONNECT to ourselves", b"CONNECT / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("HTTP/2 with prior knowledge", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes.fromhex("000000040000000000")),
    ("bad percent", b"GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    ("cut percent", b"GET /% HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    ("TRACE", b"TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    ("nonsense", b"\x00\x01\x02\x03\r\n\r\n"),
    ("no version", b"GET /\r\n\r\n"),
    ("HTTP/9.9", b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"),
    ("a space in the path", b"GET /a b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    ("an unknown upgrade", b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: spdy\r\n\r\n"),
    ("an empty upgrade", b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade:\r\n\r\n"),
    ("h2c", b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"),
])
def test_F49_what_is_no_request_of_ours_is_denied_within_a_second_and_closed(server, name, request_bytes):
    with Raw(server, seconds=3) as connection:
        connection.send(request_bytes)
        begin = time.monotonic()
        data = connection.to_end()
        assert time.monotonic() - begin < 1, name
        assert not data or data.split(b"\r\n")[0].split()[1][:1] in (b"4", b"5"), (name, data[:200])
    assert ask(server, target="/healthz").status == 200


@pytest.mark.parametrize("round_", range(20))
def test_F48_a_kept_connection_that_asks_for_an_unknown_upgrade_is_closed(server, round_):
    for upgrade in ("spdy", "h2c", "x" * 200, "", "websocket-not", " "):
        with Raw(server, seconds=3) as connection:
            assert connection.ask(target="/healthz").status == 200
            connection.request(target="/", headers=["Connection: Upgrade", f"Upgrade: {upgrade}"])
            data = connection.to_end()
            assert not data or data.split()[1][:1] in (b"4", b"5"), data[:100]


@pytest.mark.parametrize("headers, body", [
    (["Content-Length: 5", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
    (["Content-Length: 5", "Content-Length: 6"], b"xxxxx"),
    (["Content-Length: -1"], b""),
    (["Content-Length: 99999999999999999999"], b""),
    (["Content-Length: 5x"], b"xxxxx"),
    (["Transfer-Encoding: chunked"], b"5\r\nxxxxx\r\n0\r\n\r\n"),
    (["Content-Length: 70000"], b"x" * 70000),
])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_body_is_never_taken_for_the_next_request(server, method, headers, body):
    """Whatever a denied or unread body holds, the connection closes and nothing in it is answered."""
    with Raw(server, seconds=3) as connection:
        hidden = f"GET /healthz HTTP/1.1\r\nHost: {connection.host}\r\n\r\n".encode()
        connection.request(method, "/", headers, body=body)
        try:
            connection.send(hidden)
        except OSError:
            pass
        data = connection.to_end()
        assert data.count(b"HTTP/1.1 ") <= 1, data[:300]
        assert not data or data.split()[1][:1] in (b"4", b"5"), data[:100]


def test_a_post_of_json_is_405_for_now(server):
    answer = ask(server, "POST", "/api/buttons/noop/press", ["Content-Type: application/json", "Content-Length: 2"], body=b"{}")
    assert answer.status in (404, 405)


def test_requests_on_one_connection_are_answered_in_order(server):
    with Raw(server) as connection:
        for path in ("/healthz", "/", "/nothing", "/readyz"):
            assert connection.ask(target=path).status == (404 if path == "/nothing" else 200)


def test_pipelined_requests_are_answered_in_order(server):
    with Raw(server) as connection:
        whole = ask(server, target="/").body
        for path in ("/", "/healthz", "/nothing", "/"):
            connection.request(target=path)
        answers = [connection.answer() for _ in range(4)]
        assert [answer.status for answer in answers] == [200, 200, 404, 200]
        assert answers[0].body == answers[3].body == whole


def test_http_1_0_and_connection_close_end_the_connection(server):
    with Raw(server) as connection:
        connection.request(target="/healthz", headers=["Connection: close"])
        assert connection.answer().status == 200
        assert connection.to_end() == b""
    with Raw(server) as connection:
        connection.request(target="/healthz", version="HTTP/1.0")
        assert connection.to_end().startswith(b"HTTP/1.")


def test_a_request_without_an_upgrade_at_ws_says_what_it_is(server):
    answer = ask(server, target="/ws")
    assert answer.status in (400, 426)


@pytest.mark.parametrize("version", [0, 8, 12, 14])
def test_another_websocket_version_is_426(server, version):
    with Raw(server) as connection:
        answer = connection.upgrade(version=version)
        assert answer.status in (400, 426)
        if answer.status == 426:
            assert answer.headers["sec-websocket-version"] == "13"


@pytest.mark.parametrize("target", ["/", "/index.html", "/other", "/ws/", "/wsx", "/ws/ws"])
def test_an_upgrade_anywhere_but_ws_is_refused(server, target):
    with Raw(server) as connection:
        assert connection.upgrade(target=target).status in (400, 404)


@pytest.mark.parametrize("target", ["/ws", "/any/base/ws"])
def test_P1_the_socket_answers_under_the_base_and_at_the_root(start, target):
    server = start("--base", "/any/base/")
    with Raw(server) as connection:
        assert connection.upgrade(target=target).status == 101


def test_P1_a_sub_path_serves_the_page_stripped_or_not(start):
    server = start("--base", "/any/base/")
    stripped, kept = ask(server, target="/"), ask(server, target="/any/base/")
    assert stripped.status == kept.status == 200 and stripped.body == kept.body
    assert ask(server, target="/any/base/healthz").status == ask(server, target="/healthz").status == 200
    folder = ask(server, target="/any/base")
    assert folder.status == 308 and folder.headers["location"] == "base/", "relative, so a proxy's own prefix survives"
    assert ask(server, target="/any/").status == 404


def test_P2_nothing_in_the_page_begins_with_a_slash(server):
    page = ask(server, target="/").body.decode()
    links = re.findall(r"""(?:src|href|action)\s*=\s*["']?([^"'\s>]*)""", page)
    assert links and not [link for link in links if link.startswith("/") or "://" in link]
    for link in links:
        assert link.startswith(("data:", "#")) or ask(server, target="/" + link).status == 200, link
