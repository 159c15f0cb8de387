import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { newKey, socketAddress } from "../../Public/js/protocol.js"

describe("The socket's address", () => {
  test("P1 P2 P3 is the page's own, with TLS exactly if the page has it", () => {
    assert.equal(socketAddress("http://board.lan:8080/", null), "ws://board.lan:8080/ws")
    assert.equal(socketAddress("https://example.org/a/b/", null), "wss://example.org/a/b/ws")
    assert.equal(socketAddress("https://example.org/a/b/index.html?x=1#page", null), "wss://example.org/a/b/ws")
    assert.equal(socketAddress("http://[::1]:9000/", null), "ws://[::1]:9000/ws")
  })

  test("says where the last connection got to", () => {
    assert.equal(socketAddress("http://h/", { epoch: "a b", seq: 7 }), "ws://h/ws?epoch=a+b&seq=7")
  })
})

describe("Keys", () => {
  test("need no secure context and are 32 hexadecimal digits", () => {
    const source = { getRandomValues: (bytes) => bytes.fill(10) }
    assert.equal(newKey(source), "0a".repeat(16))
    assert.notEqual(newKey(), newKey())
  })
})
