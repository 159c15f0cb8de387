import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Replica } from "../../Public/js/replica.js"
import { boardOf, button, snapshot, state } from "./support.js"

/** @returns a replica with buttons a and b at seq 8 */
function filled() {
  const replica = new Replica()
  replica.snapshot(snapshot([button({ id: "a" }), button({ id: "b" })], { seq: 8 }), 0)
  return replica
}

describe("The replica", () => {
  test("has no position before it has a whole snapshot", () => {
    const replica = new Replica()
    assert.equal(replica.position, null)
    replica.snapshot(snapshot([button()], { more: true }), 0)
    assert.equal(replica.position, null)
    replica.snapshot(snapshot([], { seq: 3 }), 0)
    assert.deepEqual(replica.position, { epoch: "e1", seq: 3 })
  })

  test("swaps a snapshot in parts after the last one, and not before", () => {
    const replica = filled()
    const first = snapshot([button({ id: "c" })], { board: boardOf("c", "d"), more: true, seq: 10 })
    assert.equal(replica.snapshot(first, 1), false)
    assert.deepEqual([...replica.entries.keys()], ["a", "b"])
    assert.equal(replica.snapshot({ ...snapshot([button({ id: "d" })], { seq: 12 }), board: undefined }, 2), true)
    assert.deepEqual([...replica.entries.keys()], ["c", "d"])
    assert.equal(replica.seq, 12)
  })

  test("keeps a state that comes between the parts of a snapshot", () => {
    const replica = filled()
    replica.snapshot(snapshot([button({ id: "a", rev: 5 })], { board: boardOf("a", "b"), more: true, seq: 10 }), 1)
    assert.deepEqual(replica.state(state(11, button({ id: "a", rev: 6, phase: "pending" })), 2), [])
    replica.snapshot({ ...snapshot([button({ id: "b" })], { seq: 12 }), board: undefined }, 3)
    assert.equal(replica.entries.get("a").button.phase, "pending")
  })

  test("forgets half a snapshot when the connection is a new one", () => {
    const replica = filled()
    replica.snapshot(snapshot([button({ id: "z" })], { board: boardOf("z"), more: true, seq: 20 }), 1)
    replica.begin()
    replica.snapshot(snapshot([button({ id: "a", rev: 2 })], { board: boardOf("a", "b"), resumed: true, seq: 9 }), 2)
    assert.deepEqual([...replica.entries.keys()], ["a", "b"])
    assert.equal(replica.seq, 9)
  })

  test("B88 resuming brings what was missed and keeps the rest", () => {
    const replica = filled()
    replica.begin()
    const missed = button({ id: "a", rev: 2, phase: "failure" })
    replica.snapshot(snapshot([missed], { board: boardOf("a", "b"), resumed: true, seq: 10 }), 5)
    assert.equal(replica.entries.get("a").button.phase, "failure")
    assert.equal(replica.entries.get("b").button.phase, "idle")
  })

  test("an item that is not on the board of a resumed snapshot is gone", () => {
    const replica = filled()
    replica.snapshot(snapshot([], { board: boardOf("b"), resumed: true, seq: 10 }), 5)
    assert.deepEqual([...replica.entries.keys()], ["b"])
  })

  test("another life of the server replaces everything, whatever its revisions", () => {
    const replica = filled()
    replica.snapshot(snapshot([button({ id: "a", rev: 0 })], { epoch: "e2", seq: 1 }), 5)
    assert.deepEqual([...replica.entries.keys()], ["a"])
    assert.deepEqual(replica.position, { epoch: "e2", seq: 1 })
  })

  test("an older revision does not overwrite a newer one", () => {
    const replica = filled()
    replica.state(state(9, button({ id: "a", rev: 7, phase: "spinning" })), 1)
    assert.deepEqual(replica.state(state(10, button({ id: "a", rev: 6, phase: "pending" })), 2), [])
    assert.equal(replica.entries.get("a").button.phase, "spinning")
  })

  test("the state in an answer is shown but does not move the position", () => {
    const replica = filled()
    const changes = replica.answered(button({ id: "a", rev: 3, phase: "pending", seq: 99 }), 1)
    assert.equal(changes.length, 1)
    assert.equal(replica.seq, 8)
    assert.deepEqual(replica.answered(button({ id: "a", rev: 2 }), 2), [])
    assert.deepEqual(replica.answered(button({ id: "nowhere" }), 2), [])
  })

  test("a state may bring a new board and take buttons away", () => {
    const replica = filled()
    replica.state({ ...state(9), board: boardOf("b"), gone: ["a"] }, 1)
    assert.deepEqual([...replica.entries.keys()], ["b"])
    assert.deepEqual(replica.board, boardOf("b"))
  })
})
