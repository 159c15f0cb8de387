"""Host and Origin rules, the access key (F45 F46, P11 P12)."""

import base64
import hashlib
import re
import stat

import pytest

from board import eventually
from raw import Raw, ask


@pytest.fixture(scope="module")
def server(shared):
    return shared()


@pytest.mark.parametrize("host, status", [
    ("localhost", 200), ("localhost:{port}", 200), ("LOCALHOST", 200), ("127.0.0.1", 200), ("127.0.0.1:{port}", 200), ("[::1]", 200),
    ("[::1]:{port}", 200), ("192.168.1.7", 200), ("printer", 200), ("board.local", 200), ("Board.Local:8080", 200), ("nas.home.arpa", 200),
    ("example.org", 421), ("localhost.example.org", 421), ("127.0.0.1.nip.example", 421), ("evil-localhost.com", 421), ("board.local.evil.org", 421),
    ("xlocal.org", 421), ("1.2.3.4.5", 421), ("999.1.1.1", 421),
    ("", 400), ("localhost:", 400), ("localhost:x", 400), ("localhost:99999", 400), ("localhost:-1", 400), ("local host", 400), ("a@localhost", 400),
    ("localhost/x", 400), ("[::1", 400), ("::1", 400), ("localhost:80:80", 400), ("[::1]x", 400), ("local\x01host", 400), ("a" * 300, 400),
])
@pytest.mark.parametrize("kind", ["static", "post", "ws"])
def test_F46_host(server, kind, host, status):
    host = host.format(port=server.port)
    with Raw(server) as connection:
        if kind == "ws":
            answer = connection.upgrade(host=host)
            assert answer.status == {200: 101}.get(status, status), (host, answer)
        else:
            answer = connection.ask("POST" if kind == "post" else "GET", "/", host=host)
            assert answer.status == {200: 405 if kind == "post" else 200}.get(status, status), (host, answer)
        if status == 421:
            assert b"--host" in answer.body, "the page names what to set"


@pytest.mark.parametrize("hosts", [False, ["localhost", "localhost"], ["localhost", "example.org"]])
def test_F46_no_host_and_two_hosts_are_400(server, hosts):
    assert ask(server, host=hosts).status == 400


@pytest.mark.parametrize("setting, host, status", [
    ("board.example.org", "board.example.org", 200), ("board.example.org", "BOARD.EXAMPLE.ORG:1234", 200), ("board.example.org", "example.org", 421),
    ("board.example.org", "board.example.org.evil.com", 421), ("board.example.org", "xboard.example.org", 421),
    ("board.example.org", "board.example", 421), ("board.example.org:81", "board.example.org:81", 200), ("board.example.org:81", "board.example.org:82", 421),
    ("board.example.org:81", "board.example.org", 421)])
def test_F46_a_name_given_by_host_matches_whole(start, setting, host, status):
    assert ask(start("--host", setting), host=host).status == status


def upgrade(server, *headers, host=None):
    with Raw(server) as connection:
        return connection.upgrade(headers=list(headers), host=host).status


def test_F45_origin(server):
    port = server.port
    assert upgrade(server, f"Origin: http://127.0.0.1:{port}") == 101
    assert upgrade(server) == 101, "an open loopback takes scripts, which have no Origin"
    assert upgrade(server, f"Origin: http://localhost:{port}", host=f"localhost:{port}") == 101
    for origin in (
            "null", f"http://127.0.0.1:{port + 1}", "http://127.0.0.1", f"https://127.0.0.1:{port}", f"http://evil-localhost:{port}",
            f"http://127.0.0.1.evil.org:{port}", f"http://127.0.0.1:{port}.evil.org", f"http://127.0.0.1:{port}@evil.org", f"http://localhost:{port}",
            f"http://127.0.0.1:{port}0", f"ws://127.0.0.1:{port}", "file://", "", f"//127.0.0.1:{port}", f"http://127.0.0.1:{port}/x"):
        assert upgrade(server, f"Origin: {origin}") == 403, origin
    both = f"Origin: http://127.0.0.1:{port}"
    assert upgrade(server, both, "Origin: http://evil.org") == 403
    assert upgrade(server, "Origin: http://evil.org", both) == 403
    assert upgrade(server, both, both) == 403


def test_F45_a_default_port_may_be_left_out(server):
    assert upgrade(server, "Origin: http://localhost", host="localhost") == 101
    assert upgrade(server, "Origin: http://localhost:80", host="localhost") in (101, 403)


def test_a_trusted_proxy_says_what_the_page_saw(start):
    server = start("--trusted-proxy", "127.0.0.1/32", "--host", "board.example.org")
    forwarded = ["X-Forwarded-Proto: https", "X-Forwarded-Host: board.example.org"]
    assert upgrade(server, "Origin: https://board.example.org", *forwarded, host="board.example.org") == 101
    assert upgrade(server, "Origin: http://board.example.org", *forwarded, host="board.example.org") == 403


def test_P13_an_untrusted_peer_cannot_claim_to_be_a_proxy(start):
    server = start("--trusted-proxy", "10.0.0.0/8", "--host", "board.example.org")
    forwarded = ["X-Forwarded-Proto: https", "X-Forwarded-Host: board.example.org"]
    assert upgrade(server, "Origin: https://board.example.org", *forwarded, host="board.example.org") == 403


def test_denials_are_counted_and_logged_without_a_flood(start):
    server = start()
    for _ in range(200):
        assert upgrade(server, "Origin: http://evil.example\x1b[31m") in (400, 403)
        assert ask(server, host="evil.example.org").status == 421
    lines = [line for line in server.lines if line and "evil" in line or line and "denied" in line.lower()]
    assert len(server.lines) < 20, server.output
    assert lines or len(server.lines) > 1, "a first denial is logged"
    assert "\x1b" not in server.output, "F60: control characters never reach the log"


# Beyond loopback: bound to every address, reached only through 127.0.0.1.

@pytest.fixture
def wide(start, tmp_path):
    server = start("--state", tmp_path / "state", listen="0.0.0.0:0")
    server.host = "127.0.0.1"
    server.state = tmp_path / "state"
    return server


def sign_in_link(server):
    """The path of the link that the server printed."""
    link = server.wait_for(lambda lines: [match for line in lines for match in re.findall(r"http://\S+/sign-in\?key=\S+", line)])[0]
    return re.sub(r"^http://[^/]*", "", link)


def key_of(server):
    files = [path for path in server.state.rglob("*") if path.is_file()]
    assert len(files) == 1, files
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    return files[0].read_text().strip()


def signed_in(server):
    answer = ask(server, target=sign_in_link(server))
    assert answer.status == 200 and answer.headers["refresh"] == "0; url=./", answer
    assert answer.headers["cache-control"] == "no-store" and answer.headers["referrer-policy"] == "no-referrer"
    assert key_of(server).encode() not in answer.body
    cookie = answer.headers["set-cookie"]
    attributes = cookie.lower()
    assert "httponly" in attributes and "samesite=strict" in attributes and "path=/;" in attributes
    return cookie.split(";")[0]


def test_beyond_loopback_nothing_is_open_without_the_key(wide):
    assert upgrade(wide) in (401, 403)
    assert upgrade(wide, f"Origin: http://127.0.0.1:{wide.port}") in (401, 403)
    page = ask(wide, target="/")
    assert page.status in (401, 403) and b"sign-in" in page.body.lower().replace(b" ", b"-")
    assert ask(wide, target="/healthz").status == 200


def test_the_sign_in_link_sets_a_cookie_that_opens_page_and_socket(wide):
    cookie = signed_in(wide)
    assert ask(wide, target="/", headers=[f"Cookie: {cookie}"]).status == 200
    assert upgrade(wide, f"Cookie: {cookie}", f"Origin: http://127.0.0.1:{wide.port}") == 101
    assert upgrade(wide, f"Cookie: {cookie}") == 403, "F45: a cookie without Origin"
    assert upgrade(wide, f"Cookie: {cookie}", "Origin: http://evil.org") == 403
    assert upgrade(wide, f"Cookie: {cookie}x", f"Origin: http://127.0.0.1:{wide.port}") in (401, 403)


def test_a_script_brings_the_key_as_bearer_token(wide):
    key = key_of(wide)
    assert len(key) >= 22, "128 bits at least"
    assert upgrade(wide, f"Authorization: Bearer {key}") == 101
    assert upgrade(wide, f"authorization: bearer {key}") == 101
    for wrong in (f"Bearer {key}x", f"Bearer {key[:-1]}", "Bearer ", "Bearer", f"Basic {key}", key, "Bearer " + "x" * len(key)):
        assert upgrade(wide, f"Authorization: {wrong}") in (400, 401, 403), wrong
    assert upgrade(wide, f"Authorization: Bearer {key}", "Origin: http://evil.org") == 403, "P11: a foreign page with a token"


def test_a_wrong_link_signs_nobody_in(wide):
    link = sign_in_link(wide)
    answer = ask(wide, target=link[:-1] + ("A" if link[-1] != "A" else "B"))
    assert answer.status in (401, 403, 404) and "set-cookie" not in answer.headers
    assert ask(wide, target="/sign-in").status in (401, 403)


def test_the_key_survives_a_restart_and_is_never_in_an_answer(start, wide):
    key = key_of(wide)
    again = start("--state", wide.state, listen="0.0.0.0:0")
    again.host = "127.0.0.1"
    assert upgrade(again, f"Authorization: Bearer {key}") == 101
    for target in ("/", "/nothing", "/ws", "/healthz"):
        answer = ask(wide, target=target, headers=[f"Authorization: Bearer {key}"])
        assert key not in str(answer.headers) and key.encode() not in answer.body


def test_allow_unauthenticated_is_loud_and_open(start, tmp_path):
    server = start("--allow-unauthenticated", "--state", tmp_path / "state", listen="0.0.0.0:0")
    server.host = "127.0.0.1"
    assert upgrade(server) == 101 and ask(server, target="/").status == 200
    assert eventually(lambda: re.search(r"warning|anyone|everyone", server.output, re.I), "a warning")
    assert not list((tmp_path / "state").glob("*")), "no key is made that nobody needs"


def test_loopback_makes_no_key(start, tmp_path):
    server = start("--state", tmp_path / "state")
    assert upgrade(server) == 101 and "http://" in server.output
    assert not list((tmp_path / "state").rglob("*key*"))


def test_the_page_without_the_key_has_a_look_that_its_policy_allows(wide):
    """CSP Level 3: an inline style needs its own hash there, and a wrong one would leave the page bare."""
    answer = ask(wide)
    style = re.search(rb"<style>(.*)</style>", answer.body, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
    assert answer.status == 401 and f"style-src 'sha256-{digest}'" in answer.headers["content-security-policy"]
