import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Renewal } from "../../Public/js/renewal.js"
import { FakeClock } from "./support.js"

describe("Loading the new page", () => {
  function renewal(mayReload) {
    const clock = new FakeClock()
    const counts = { offers: 0, reloads: 0 }
    const made = new Renewal({
      offer: () => { counts.offers += 1 },
      mayReload,
      reload: () => { counts.reloads += 1 },
      setTimer: clock.setTimer,
      random: () => 0.5,
    })
    return { clock, counts, made }
  }

  test("is offered once, and done by itself after a spread-out moment", () => {
    const { clock, counts, made } = renewal(() => true)
    made.begin()
    made.begin()
    assert.deepEqual(counts, { offers: 1, reloads: 0 })
    clock.advance(1_500)
    assert.deepEqual(counts, { offers: 1, reloads: 1 })
  })

  test("waits while something is typed, open or started", () => {
    let free = false
    const { clock, counts, made } = renewal(() => free)
    made.begin()
    clock.advance(60_000)
    assert.equal(counts.reloads, 0)
    free = true
    clock.advance(1_000)
    assert.equal(counts.reloads, 1)
  })
})
