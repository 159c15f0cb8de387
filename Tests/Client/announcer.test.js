import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Announcer } from "../../Public/js/announcer.js"
import { FakeClock } from "./support.js"

describe("The announcer", () => {
  function announcer() {
    const clock = new FakeClock()
    const written = []
    const made = new Announcer({
      write: (tone, text) => written.push(`${clock.now} ${tone}: ${text}`),
      now: () => clock.now,
      setTimer: clock.setTimer,
    })
    return { clock, written, made }
  }

  test("clears first and speaks a tenth of a second later", () => {
    const { clock, written, made } = announcer()
    made.say("deploy", "status", "Deploy: running")
    clock.advance(100)
    assert.deepEqual(written, ["0 status: ", "100 status: Deploy: running"])
  })

  test("M1 says only the last of what happens to one button within half a second", () => {
    const { clock, written, made } = announcer()
    made.say("deploy", "status", "running")
    clock.advance(100)
    made.say("deploy", "status", "stopping")
    made.say("deploy", "alert", "failed")
    clock.advance(1_000)
    assert.deepEqual(written.filter((line) => !line.endsWith(": ")), ["100 status: running", "600 alert: failed"])
  })

  test("a failure is not pushed aside by the run that comes next", () => {
    const { clock, written, made } = announcer()
    made.say("deploy", "alert", "failed")
    made.say("deploy", "status", "running")
    clock.advance(1_000)
    assert.deepEqual(written.filter((line) => !line.endsWith(": ")), ["100 alert: failed"])
  })

  test("buttons do not wait for each other", () => {
    const { clock, written, made } = announcer()
    made.say("a", "status", "A")
    clock.advance(100)
    made.say("b", "status", "B")
    clock.advance(100)
    assert.ok(written.includes("200 status: B"))
  })
})
