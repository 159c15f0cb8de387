"""F53: the framing of RFC 6455, broken in every way a socket can."""

import json
import os

import pytest

from raw import BINARY, CLOSE, PING, PONG, TEXT, Raw, frame

PING_MESSAGE = '{"type":"ping","id":1}'


@pytest.fixture(scope="module")
def server(shared):
    return shared()


@pytest.fixture
def socket(server):
    with Raw(server).open() as connection:
        connection.read_until('"snapshot"')
        yield connection


@pytest.mark.parametrize("name, sent, codes", [
    ("a length of 2^62", frame(b"x", length=2**62), {1009}),
    ("a byte over the limit", frame(b"x" * 65537), {1009}),
    ("a fragmented total over the limit", frame(b"x" * 40000, fin=False) + frame(b"x" * 40000, opcode=0), {1009}),
    ("bad UTF-8", frame(b'{"type":"\xff\xfe"}'), {1007}),
    ("UTF-8 cut at the end", frame(b'"\xe2\x82'), {1007}),
    ("a surrogate", frame(b'"\xed\xa0\x80"'), {1007}),
    ("bad UTF-8 over two fragments", frame(b'"\xe2', fin=False) + frame(b'\x28"', opcode=0), {1007}),
    ("a reserved opcode", frame(b"", opcode=3), {1002}),
    ("a reserved control opcode", frame(b"", opcode=11), {1002}),
    ("RSV1 without an extension", frame(PING_MESSAGE, rsv=4), {1002}),
    ("RSV3", frame(PING_MESSAGE, rsv=1), {1002}),
    ("a continuation of nothing", frame(b"x", opcode=0), {1002}),
    ("a text inside a fragmented text", frame(b"{", fin=False) + frame(PING_MESSAGE), {1002}),
    ("a fragmented ping", frame(b"", opcode=PING, fin=False), {1002, None}),
    ("a ping of 126 bytes", frame(b"x" * 126, opcode=PING), {1002, None}),
    ("a length of 2^63", frame(b"x", length=2**63), {1002, 1009, None}),
    ("binary", frame(b"x", opcode=BINARY), {1003}),
    ("binary in two fragments", frame(b"x", opcode=BINARY, fin=False) + frame(b"x", opcode=0), {1003}),
])
def test_F53_a_bad_frame_closes_with_its_code(server, socket, name, sent, codes):
    with Raw(server).open() as other:
        other.read_until('"snapshot"')
        socket.send(sent)
        assert socket.close_code() in codes, name
        other.frame(PING_MESSAGE)
        assert other.read_until('"pong"'), "nobody else is touched"


def test_F53_a_message_split_at_every_byte_means_the_same(socket):
    message = '{"type":"lookup","id":"é☃😀","button":"no-such-button","key":"k"}'.encode()
    whole = None
    for at in range(len(message) + 1):
        socket.send(frame(message[:at], fin=False) + frame(message[at:], opcode=0))
        answer = json.loads(socket.read_until('"ack"'))
        whole = whole or answer
        assert answer == whole and answer["reason"] == "unknown_button" and answer["id"] == "é☃😀"


def test_F53_a_frame_that_arrives_byte_by_byte_means_the_same(socket):
    for byte in frame(PING_MESSAGE):
        socket.send(bytes([byte]))
    assert json.loads(socket.read_until('"pong"'))["id"] == 1


def test_many_messages_in_one_segment_are_answered_in_order(socket):
    socket.send(b"".join(frame('{"type":"ping","id":%d}' % index) for index in range(500)))
    assert [json.loads(socket.read_until('"pong"'))["id"] for _ in range(500)] == list(range(500))


def test_F11_a_long_conversation_loses_nothing(socket):
    for begin in range(0, 20000, 200):
        socket.send(b"".join(frame('{"type":"ping","id":%d}' % index) for index in range(begin, begin + 200)))
        assert [json.loads(socket.read_until('"pong"'))["id"] for _ in range(200)] == list(range(begin, begin + 200))


def test_a_ping_frame_between_fragments_is_answered_at_once(socket):
    payload = os.urandom(125)
    socket.send(frame(PING_MESSAGE[:5], fin=False) + frame(payload, opcode=PING))
    opcode, echoed = socket.read_frame()
    assert (opcode, echoed) == (PONG, payload)
    socket.send(frame(PING_MESSAGE[5:], opcode=0))
    assert json.loads(socket.read_until('"pong"'))["id"] == 1


@pytest.mark.parametrize("payload, code", [(b"\x03\xe8", 1000), (b"\x03\xe9going", 1001), (b"", 1005), (b"\x0b\xb8", 3000)])
def test_a_close_frame_is_answered(socket, payload, code):
    socket.frame(payload, opcode=CLOSE)
    assert socket.close_code() in {code, 1000}


@pytest.mark.parametrize("payload", [b"\x03", b"\x03\xec", b"\x03\xed", b"\x03\xee", b"\x00\x00", b"\x03\xe8\xff"])
def test_a_bad_close_frame_ends_the_connection(socket, payload):
    socket.frame(payload, opcode=CLOSE)
    assert socket.close_code() in {1002, 1007, 1000, None}
    assert socket.to_end() == b""
