"""F57: the files of the public folder and nothing else."""

import gzip
import os
import shutil

import pytest

from board import ROOT, eventually
from client import client
from raw import ask

SECRET = b"outside byte"


def make_site(parent):
    """A copy of the page, with traps in it and around it."""
    folder = parent / "site" / "Public"
    shutil.copytree(ROOT / "Public", folder)
    (parent / "site" / "secret.txt").write_bytes(SECRET)
    (parent / "site" / "Public-secret.txt").write_bytes(SECRET)
    (folder / ".hidden").write_bytes(SECRET)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_bytes(SECRET)
    (folder / "folder").mkdir()
    (folder / "folder" / "plain.txt").write_text("plain text " * 200)
    (folder / "small.txt").write_text("small")
    (folder / "out.txt").symlink_to("../secret.txt")
    (folder / "out").symlink_to("..")
    (folder / "etc").symlink_to("/proc/self")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture(scope="module")
def served(shared, tmp_path_factory):
    """For tests that only read."""
    return shared(public=make_site(tmp_path_factory.mktemp("read")))


@pytest.fixture
def site(tmp_path):
    """For tests that change it."""
    return make_site(tmp_path)


@pytest.mark.parametrize("target", [
    "/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/.%2e/secret.txt", "/folder/../../secret.txt",
    "/..\\secret.txt", "/..%5csecret.txt", "/%252e%252e/secret.txt", "/%c0%ae%c0%ae/secret.txt", "/..%c0%afsecret.txt", "//../secret.txt",
    "/./../secret.txt", "/folder/..%2f..%2fsecret.txt", "/%u002e%u002e/secret.txt", "/..;/secret.txt", "/-secret.txt", "/../Public-secret.txt",
    "/small.txt%00.html", "/%00", "/small.txt%00", "/folder%00/plain.txt", "/small%0d%0a.txt",
    "/out.txt", "/out/secret.txt", "/etc/status", "/loop", "/pipe", "/.hidden", "/.git/config", "/folder/.", "/%2ehidden", "/.git%2fconfig",
    "/folder", "/folder/", "/FOLDER/plain.txt", "/small.txt/", "/small.txt/x", "/folder//plain.txt", "/small.txt.", "/small.txt%20", "/" + "x" * 5000,
])
def test_F57_nothing_outside_and_nothing_hidden_is_served(served, target):
    answer = ask(served, target=target)
    assert answer.status in (301, 308, 400, 404, 414), answer
    assert SECRET not in answer.body and b"root:" not in answer.body and b"plain.txt" not in answer.body
    if answer.status in (301, 308):
        assert not answer.headers["location"].startswith(("/", "http", "\\"))


@pytest.mark.parametrize("target", ["http://other.example/small.txt", "*", "small.txt", "?x", "/small.txt#x"])
def test_F57_odd_targets_are_refused_or_mean_the_file(served, target):
    answer = ask(served, target=target)
    assert answer.status in (400, 404, 421) or answer.body == b"small"


def test_F57_a_query_does_not_change_the_file_and_escapes_are_read(served):
    assert ask(served, target="/small.txt?v=1").body == b"small"
    assert ask(served, target="/s%6Dall.txt").body == b"small"
    assert ask(served, target="/folder/plain.txt").status == 200


def test_F57_a_symlink_inside_never_leads_out(start, site):
    (site / "inside.txt").symlink_to("small.txt")
    answer = ask(start(public=site), target="/inside.txt")
    assert (answer.status, answer.body) == (200, b"small") or answer.status == 404


@pytest.mark.parametrize("target, kind", [
    ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"), ("/small.txt", "text/plain; charset=utf-8")])
def test_types_have_a_charset(served, target, kind):
    assert ask(served, target=target).headers["content-type"].lower() == kind


def test_every_file_of_the_page_has_its_type(served):
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html", ".ico": "image/", ".png": "image/png"}
    files = [path for path in (ROOT / "Public").rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert files
    for path in files:
        answer = ask(served, target=f"/{path.relative_to(ROOT / 'Public')}")
        assert answer.status == 200 and answer.body == path.read_bytes(), path
        assert answer.headers["content-type"].startswith(kinds[path.suffix]), path
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_F57_head_says_what_get_would(served):
    got, head = ask(served, target="/small.txt"), ask(served, "HEAD", "/small.txt")
    assert head.status == 200 and head.body == b""
    for name in ("content-length", "content-type", "etag", "cache-control"):
        assert head.headers[name] == got.headers[name]


def test_F57_if_none_match(served):
    tag = ask(served, target="/small.txt").headers["etag"]
    assert tag.startswith('"') and tag.endswith('"') and len(tag) > 10, "a strong tag"

    def status(value):
        return ask(served, target="/small.txt", headers=[f"If-None-Match: {value}"]).status

    for matching in (tag, f"W/{tag}", f'"other", {tag}', f'"a",{tag},"b"', "*"):
        assert status(matching) == 304, matching
    for other in ('"other"', 'W/"other"', tag.strip('"'), "", tag[:-2] + '"', '"', f'"{tag}"'):
        assert status(other) == 200, other
    answer = ask(served, "HEAD", "/small.txt", [f"If-None-Match: {tag}"])
    assert answer.status == 304 and answer.headers["etag"] == tag
    assert ask(served, "POST", "/small.txt", [f"If-None-Match: {tag}"]).status == 405


def test_F57_a_range_is_answered_right_or_whole(served):
    answer = ask(served, target="/small.txt", headers=["Range: bytes=1-2"])
    assert (answer.status, answer.body) in ((200, b"small"), (206, b"ma"))


def test_gzip_is_given_to_those_who_take_it_and_has_its_own_tag(served):
    plain = ask(served, target="/folder/plain.txt")
    packed = ask(served, target="/folder/plain.txt", headers=["Accept-Encoding: br, gzip;q=0.8"])
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) and packed.headers["etag"] != plain.headers["etag"]
    assert "accept-encoding" in packed.headers["vary"].lower() and "accept-encoding" in plain.headers["vary"].lower()
    for refused in ("gzip;q=0", "br", "identity", "x-gzipped", "*;q=0"):
        assert "content-encoding" not in ask(served, target="/folder/plain.txt", headers=[f"Accept-Encoding: {refused}"]).headers, refused
    tag = packed.headers["etag"]
    again = ask(served, target="/folder/plain.txt", headers=["Accept-Encoding: gzip", f"If-None-Match: {tag}"])
    assert again.status == 304


def test_a_page_is_checked_every_time(served):
    assert "no-cache" in ask(served, target="/").headers["cache-control"]


def test_security_headers(served):
    headers = ask(served, target="/").headers
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy and "default-src 'self'" in policy.replace("'none'", "'self'") and "*" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"]
    assert "frame-ancestors" in policy or headers["x-frame-options"]
    assert "libwebsockets" not in headers.get("server", "").lower()
    missing = ask(served, target="/nothing").headers
    assert missing["x-content-type-options"] == "nosniff" and missing["content-type"] == "text/plain; charset=utf-8"


async def test_F57_a_changed_file_is_picked_up_also_at_the_same_size(start, site):
    served = start(public=site)
    before = ask(served, target="/small.txt")
    async with client(served) as tab:
        assets = tab.hello["assets"]
    stamp = os.stat(site / "small.txt")
    (site / "small.txt").write_text("SMALL")
    os.utime(site / "small.txt", ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1_000_000))
    after = eventually(lambda: (answer := ask(served, target="/small.txt")).body == b"SMALL" and answer, "the new file", 10)
    assert after.headers["etag"] != before.headers["etag"]
    async with client(served) as tab:
        assert tab.hello["assets"] != assets


def test_files_that_come_and_go_are_picked_up(start, site):
    served = start(public=site)
    (site / "new.txt").write_text("new")
    eventually(lambda: ask(served, target="/new.txt").status == 200, "the new file", 10)
    (site / "new.txt").unlink()
    eventually(lambda: ask(served, target="/new.txt").status == 404, "its end", 10)


def test_an_unchanged_folder_has_the_same_hash_in_every_process(start, site):
    import json

    from raw import Raw

    def assets():
        with Raw(start(public=site)).open() as tab:
            return json.loads(tab.read_until('"hello"'))["assets"]

    assert assets() == assets()
