import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Backoff } from "../../Public/js/backoff.js"

describe("Back-off", () => {
  test("R16 jitter spreads each wait over the upper half of its step", () => {
    assert.equal(new Backoff(() => 0).next(), 100)
    assert.equal(new Backoff(() => 1).next(), 200)
  })
})
