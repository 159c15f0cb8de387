import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Link } from "../../Public/js/link.js"

describe("The link", () => {
  test("P5 a first connection that does not open in five seconds explains itself", () => {
    const link = new Link(0)
    link.lost(100)
    link.advance(4_999)
    assert.equal(link.unreachable, false)
    assert.equal(link.deadline, 5_000)
    link.advance(5_000)
    assert.equal(link.unreachable, true)
    assert.equal(link.deadline, Infinity)
    link.synced()
    assert.deepEqual([link.unreachable, link.state], [false, "live"])
  })

  test("a quick reconnect is not marked", () => {
    const link = new Link(0)
    link.synced()
    link.lost(1_000)
    assert.equal(link.isLive, false, "but nothing is sent meanwhile")
    link.advance(1_400)
    link.synced()
    assert.equal(link.state, "live")
  })
})
