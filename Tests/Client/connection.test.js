import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Connection } from "../../Public/js/connection.js"
import { FakeClock, FakeSocket } from "./support.js"

/** A connection whose jitter is at its middle: the waits are three quarters of their steps. */
function connect() {
  const clock = new FakeClock()
  const sockets = []
  const received = []
  let lost = 0
  const connection = new Connection({
    open: () => sockets[sockets.push(new FakeSocket()) - 1],
    received: (message) => received.push(message),
    lost: () => { lost += 1 },
    setTimer: clock.setTimer,
    clearTimer: clock.clearTimer,
    random: () => 0.5,
  })
  connection.open()
  return { clock, sockets, received, connection, socket: () => sockets.at(-1), lost: () => lost }
}

describe("Reconnecting", () => {
  test("waits twice as long each time, up to half a minute", () => {
    const { clock, socket, sockets } = connect()
    const waits = []
    for (let attempt = 0; attempt < 10; attempt += 1) {
      socket().ends()
      waits.push(clock.wait)
      clock.advance(clock.wait)
    }
    assert.deepEqual(waits, [150, 300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 22_500, 22_500])
    assert.equal(sockets.length, 11)
  })

  test("starts with the shortest wait again after a whole state", () => {
    const { clock, socket, connection } = connect()
    for (let attempt = 0; attempt < 5; attempt += 1) {
      socket().ends()
      clock.advance(clock.wait)
    }
    connection.settled()
    socket().ends()
    assert.equal(clock.wait, 150)
  })

  test("R9 does not wait when someone is there", () => {
    const { clock, socket, sockets, connection } = connect()
    for (let attempt = 0; attempt < 8; attempt += 1) {
      socket().ends()
      clock.advance(clock.wait)
    }
    socket().ends()
    connection.nudge()
    assert.equal(sockets.length, 10)
    socket().ends()
    assert.equal(clock.wait, 150, "and the waits start anew")
  })

  test("waits as long as a stopping server asks", () => {
    const { clock, socket } = connect()
    socket().opens()
    socket().says({ type: "goodbye", reason: "shutting_down", reconnectAfterMs: 4_000 })
    socket().ends()
    assert.equal(clock.wait, 4_000)
    clock.advance(4_000)
    socket().ends()
    assert.equal(clock.wait, 300, "only once")
  })

  test("R18 a closed connection that is opened again still reconnects", () => {
    const { clock, socket, sockets, connection } = connect()
    socket().opens()
    connection.close()
    connection.open()
    socket().opens()
    socket().ends()
    clock.advance(150)
    assert.equal(sockets.length, 3)
  })

  test("a socket that never opens is given up", () => {
    const { clock, sockets, lost } = connect()
    clock.advance(10_000)
    assert.equal(lost(), 1)
    assert.equal(sockets[0].readyState, 3)
    clock.advance(150)
    assert.equal(sockets.length, 2)
  })

  test("what an abandoned socket still says is not heard", () => {
    const { socket, connection, received, lost } = connect()
    const old = socket()
    old.opens()
    const { onmessage, onclose } = old
    connection.restart()
    onmessage({ data: JSON.stringify({ type: "state" }) })
    onclose()
    assert.deepEqual(received, [])
    assert.equal(lost(), 0)
  })
})

describe("Pings", () => {
  test("R5 an open socket that answers nothing is dead after two misses", () => {
    const { clock, socket, lost } = connect()
    socket().opens()
    clock.advance(15_000)
    clock.advance(15_000)
    assert.deepEqual(socket().sent, [{ type: "ping" }, { type: "ping" }])
    assert.equal(lost(), 0)
    clock.advance(15_000)
    assert.equal(lost(), 1)
  })

  test("any message proves life", () => {
    const { clock, socket, lost } = connect()
    socket().opens()
    for (let round = 0; round < 10; round += 1) {
      clock.advance(15_000)
      socket().says({ type: "pong" })
    }
    assert.equal(lost(), 0)
  })

  test("the server sets how often", () => {
    const { clock, socket } = connect()
    socket().opens()
    socket().says({ type: "hello", pingMs: 1_000 })
    clock.advance(15_000)
    clock.advance(1_000)
    assert.equal(socket().sent.length, 2)
  })

  test("R9 after a sleep an open socket must answer within two seconds", () => {
    const { clock, socket, sockets, lost, connection } = connect()
    socket().opens()
    connection.nudge()
    assert.deepEqual(socket().sent, [{ type: "ping" }])
    clock.advance(2_000)
    assert.equal(lost(), 1)
    clock.advance(150)
    assert.equal(sockets.length, 2)
    socket().opens()
    connection.nudge()
    socket().says({ type: "pong" })
    clock.advance(2_000)
    assert.equal(lost(), 1)
  })
})

describe("Frames", () => {
  test("messages pass in order, and go out only while the socket is open", () => {
    const { socket, received, connection } = connect()
    connection.send({ type: "press" })
    assert.deepEqual(socket().sent, [])
    socket().opens()
    connection.send({ type: "press" })
    assert.deepEqual(socket().sent, [{ type: "press" }])
    socket().says({ type: "hello", pingMs: 15_000 })
    socket().says({ type: "snapshot" })
    assert.deepEqual(received.map((message) => message.type), ["hello", "snapshot"])
  })

  test("one that cannot be read ends the connection: it may have been a state", () => {
    for (const text of ["{", "null", "[]", "{\"type\":5}"]) {
      const { socket, lost, received } = connect()
      socket().opens()
      socket().says(text)
      assert.equal(lost(), 1, text)
      assert.deepEqual(received, [])
    }
  })
})
