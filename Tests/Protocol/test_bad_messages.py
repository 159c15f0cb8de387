"""Messages that make no sense: a typed error, the connection stays, nothing changes (B60)."""

import pytest

from client import client

BAD_JSON = ["", " ", "{", "nonsense", '{"type":"ping"', "{'type':'ping'}", '{"type":"ping"}}', '{"type":NaN}', "[" * 5000]
BAD_MESSAGE = ["[]", "7", '"ping"', "null", "true", "{}", '{"type":"fly"}', '{"type":7}', '{"type":null}', '{"type":"Ping"}', '{"type":""}']
BAD_FIELD = [
    '{"type":"press"}', '{"type":"press","button":7}', '{"type":"press","button":null}', '{"type":"press","button":["noop"]}',
    '{"type":"press","button":"noop","origin":"mouse"}', '{"type":"press","button":"noop","watch":"no"}',
    '{"type":"press","button":"noop","arguments":[]}', '{"type":"press","button":"noop","key":""}',
    '{"type":"retry","button":"noop"}', '{"type":"retry","run":"x"}', '{"type":"cancel"}', '{"type":"dismiss","button":"noop"}',
    '{"type":"lookup","button":"noop"}', '{"type":"lookup","key":"k"}', '{"type":"subscribe"}',
    '{"type":"subscribe","topic":"runs","after":"x"}', '{"type":"ping","id":1.5}',
    '{"type":"ping","id":9007199254740993}', '{"type":"ping","id":"%s"}' % ("x" * 129), '{"type":"ping","id":{}}', '{"type":"ping","id":true}']


async def error_for(tab, text):
    before = len(tab.messages)
    await tab.socket.send(text)
    return (await tab.until(lambda: [each for each in tab.messages[before:] if each["type"] == "error"]))[0]


@pytest.mark.parametrize("code, texts", [("bad_json", BAD_JSON), ("bad_message", BAD_MESSAGE), ("bad_field", BAD_FIELD)])
async def test_B60_bad_messages_get_a_typed_error_and_the_connection_stays(start, code, texts):
    server = start()
    for begin in range(0, len(texts), 15):  # fewer than 20 for each connection
        async with client(server) as tab:
            for text in texts[begin:begin + 15]:
                error = await error_for(tab, text)
                assert error["code"] == code and error["message"], text
            await tab.settle()
            assert not tab.runs and not [message for message in tab.messages if message["type"] == "state"]


async def test_an_error_brings_the_id_if_there_was_one(server):
    async with client(server) as tab:
        assert (await error_for(tab, '{"type":"press","id":"me"}'))["id"] == "me"
        assert (await error_for(tab, '{"type":"fly","id":7}'))["id"] == 7
        assert "id" not in await error_for(tab, '{"type":"fly"}')
        assert "id" not in await error_for(tab, '{"type":"ping","id":{}}')


async def test_unknown_fields_are_ignored(server):
    async with client(server) as tab:
        ack = await tab.press("noop", colour="red", nested={"a": [1, {"b": None}]})
        assert ack["result"] == "accepted"


async def test_white_space_and_escapes_are_json_too(server):
    async with client(server) as tab:
        await tab.socket.send(' {\n "type" : "press" ,\t"button" : "n\\u006fop", "id":"\\ud83d\\ude00" } ')
        await tab.until(lambda: any(message["type"] == "ack" for message in tab.messages))
        ack = next(message for message in tab.messages if message["type"] == "ack")
        assert (ack["result"], ack["id"]) == ("accepted", "😀")


async def test_the_twentieth_bad_message_within_ten_seconds_closes_1008(server):
    async with client(server) as tab, client(server) as other:
        for index in range(19):
            await error_for(tab, "nonsense" if index % 2 else '{"type":"fly"}')
        await tab.settle()
        await tab.socket.send("nonsense")
        assert (await tab.closed())[0] == 1008
        await other.settle()


async def test_a_binary_message_is_an_error_and_closes_1003(server):
    async with client(server) as tab:
        await tab.socket.send(b'{"type":"ping"}')
        assert (await tab.closed())[0] == 1003
        assert tab.messages[-1]["type"] == "error"


async def test_a_message_over_64_KiB_is_an_error_and_closes_1009(server):
    async with client(server) as tab:
        padding = "x" * (65536 - len('{"type":"ping","pad":""}'))
        await tab.socket.send('{"type":"ping","pad":"%s"}' % padding)
        assert (await tab.receive())["type"] == "pong", "65 536 bytes still pass"
        await tab.socket.send('{"type":"ping","pad":"%sx"}' % padding)
        assert (await tab.closed())[0] == 1009
        assert tab.messages[-1]["type"] == "error"


async def test_a_button_id_is_looked_up_whole_and_never_as_a_path(server):
    async with client(server) as tab:
        for button in ("", "../noop", "NOOP", "noop ", "noop\u0000", "x" * 10000, "nöop"):
            answer = await tab.press(button)
            assert answer.get("reason") == "unknown_button" or answer.get("code") == "bad_field", button
        await tab.settle()
        assert not tab.runs
