import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { failure, last, look, run } from "./support.js"

const press = (values = {}) => ({
  id: 1, button: "deploy", message: {}, epoch: "e1", sentAt: 0, askedAt: 0, quiet: false, lookup: false, ...values,
})

describe("The table of phases", () => {
  const rows = [
    ["idle", {}, {}, { disabled: false, glyph: "own", label: "idle", note: "" }],
    ["sending", {}, { press: press() }, { disabled: true, glyph: "own", note: "" }],
    ["sending", {}, { press: press(), now: 150 }, { glyph: "spinner" }],
    ["pending", { phase: "pending", run: run() }, {}, { disabled: true, glyph: "own", note: "" }],
    ["spinning", { phase: "spinning", run: run({ elapsedMs: 12_000 }) }, {},
      { disabled: true, glyph: "spinner", note: "Running 12\u00a0s – started by alice" }],
    ["cancelling", { phase: "spinning", run: run({ cancelling: true }) }, {},
      { disabled: true, glyph: "spinner", note: "Stopping…" }],
    ["cancelling", { phase: "spinning", run: run({ cancelling: true, killing: true }) }, {}, { note: "Killing…" }],
    ["success", { phase: "success", last: last() }, {}, { disabled: false, glyph: "check", note: "Done in 3.2\u00a0s" }],
    ["failure", { phase: "failure", retryable: true, error: failure() }, {}, { disabled: false, glyph: "warning", label: "failure", note: "no luck", details: true }],
    ["unknown", { phase: "unknown", retryable: true, error: failure({ code: "interrupted" }) }, {}, { disabled: false, glyph: "question", label: "failure", note: "Outcome unknown: the server stopped while it ran." }],
    ["held", { phase: "held", queue: [{ run: "r", by: "bob", client: "x", for: "slot" }] }, {}, { disabled: true, glyph: "clock", note: "Waiting, position 1 – pressed by bob" }],
    ["blocked", { blocked: { button: "backup", run: "r" } }, {}, { disabled: true, glyph: "own", note: "Waiting for Backup to end" }],
    ["locked", { lock: { reason: "freeze", by: "carol" } }, {}, { disabled: true, note: "Locked by carol; freeze" }],
    ["disabled", { enabled: false, disabledReason: "Sold out" }, {},
      { disabled: true, glyph: "own", note: "Sold out" }],
    ["disabled", { removed: true }, {}, { disabled: true, note: "This button has left the board." }],
    ["stale", { phase: "spinning", run: run() }, { stale: true },
      { disabled: true, glyph: "dash", note: "Connection lost – last known: running" }],
  ]
  for (const [phase, values, surroundings, expected] of rows) {
    test(`${phase}: ${expected.note ?? expected.glyph}`, () => {
      const shown = look(values, surroundings)
      assert.equal(shown.phase, phase)
      for (const [name, value] of Object.entries(expected)) assert.equal(shown[name], value, name)
    })
  }

  test("a phase of a later server is shown neutrally", () => {
    const shown = look({ phase: "levitating" })
    assert.deepEqual([shown.phase, shown.glyph, shown.label, shown.disabled], ["levitating", "own", "idle", false])
  })

  test("busy is not disabled where a press has a use", () => {
    assert.equal(look({ phase: "spinning", policy: "restart", run: run() }).disabled, false)
  })

  test("a success that disabled its own button shows, and cannot be pressed", () => {
    const shown = look({ phase: "success", enabled: false, last: last() })
    assert.deepEqual([shown.phase, shown.disabled], ["success", true])
  })
})

describe("Labels", () => {
  test("the busy label while the spinner shows, only if there is one", () => {
    assert.equal(look({ phase: "spinning", busyLabel: "Deploying", run: run() }).label, "busy")
    assert.equal(look({ phase: "spinning", run: run() }).label, "idle")
    assert.equal(look({ phase: "pending", busyLabel: "Deploying", run: run() }).label, "idle")
  })

  test("B44 nothing offers a retry that would be refused", () => {
    assert.equal(look({ phase: "failure", retryable: false, error: failure({ retryable: false }) }).label, "idle")
  })
})

describe("Notes", () => {
  test("this tab's own news come first, until they are over", () => {
    const notice = { code: "rate_limited", detail: "4", until: 8_000 }
    assert.equal(look({}, { local: { notice } }).note, "Not started: too often. Again in 4\u00a0s.")
    assert.equal(look({}, { local: { notice }, stale: true }).note, "Not started: too often. Again in 4\u00a0s.")
  })

  test("a reason that this page does not know is shown by its code", () => {
    const notice = { code: "moon_phase", detail: "", until: 1 }
    assert.equal(look({}, { local: { notice } }).note, "Not started (moon_phase).")
  })

  test("B62 no answer", () => {
    const { note } = look({}, { press: press({ quiet: true }), now: 5_000 })
    assert.equal(note, "No answer – the next snapshot decides.")
  })

  test("a run tells its attempt, progress and text; one's own is started by you", () => {
    const attempt = { attempt: 2, of: 3, progress: 0.45, note: "resizing", client: "me", elapsedMs: 61_000 }
    assert.equal(look({ phase: "spinning", run: run(attempt) }).note,
      "Running 1\u00a0min 1\u00a0s – started by you; attempt 2 of 3; 45%; resizing")
    const counted = { completed: 2, total: 4, unit: "steps", progress: 0.5 }
    const { note } = look({ phase: "spinning", run: run(counted) })
    assert.equal(note, "Running 0\u00a0s – started by alice; 2 of 4 steps")
  })

  test("at rest: the last outcome, when and who; without one the description", () => {
    assert.match(look({ last: last() }).note, /^Done at \d{1,2}:\d\d by alice, took 3\.2\u00a0s$/)
    assert.match(look({ last: last({ outcome: "cancelled" }) }).note, /^Cancelled at .* started by alice$/)
    assert.equal(look({ last: last({ outcome: "vaporised" }) }).note, "")
    assert.equal(look({ description: "Ships it" }).note, "Ships it")
  })

  test("a long ago is written with its date", () => {
    assert.match(look({ last: last() }, { serverNow: 1_000_000 + 48 * 3_600_000 }).note, /1970/)
  })

  test("a result and a warning of a success are shown", () => {
    const { note } = look({ phase: "success", last: last({ result: "v1.2", warning: "slow" }) })
    assert.equal(note, "Done in 3.2\u00a0s; v1.2; slow")
  })

  test("B37 an error without a message has one from its code", () => {
    const noteOf = (code) => look({ phase: "failure", error: failure({ code, message: "" }) }).note
    assert.equal(noteOf("timeout"), "It took longer than allowed.")
    assert.equal(noteOf("gremlins"), "It failed (gremlins).")
  })

  test("B55 an unknown outcome that only this tab knows of", () => {
    const shown = look({}, { local: { unknown: true } })
    assert.deepEqual([shown.phase, shown.glyph, shown.label], ["unknown", "question", "failure"])
    assert.match(shown.note, /^Outcome unknown/)
  })
})

describe("Cancel", () => {
  const spinning = (values = {}) => ({ phase: "spinning", run: run(values) })

  test("shows after a second, counted from the run and from when its state arrived", () => {
    assert.equal(look(spinning(), { now: 999 }).cancel, null)
    assert.deepEqual(look(spinning(), { now: 1_000 }).cancel, { run: "run-1", visible: "Cancel", name: "Cancel Deploy", disabled: false })
    assert.equal(look(spinning({ elapsedMs: 400 }), { at: 100, now: 699 }).cancel, null)
    assert.notEqual(look(spinning({ elapsedMs: 400 }), { at: 100, now: 700 }).cancel, null)
  })

  test("never for what cannot be cancelled, is settling or has ended", () => {
    const late = { now: 5_000 }
    assert.equal(look({ ...spinning(), cancellable: false }, late).cancel, null)
    assert.equal(look({ ...spinning(), settling: true }, late).cancel, null)
    assert.equal(look({ phase: "success", run: run() }, late).cancel, null)
  })

  test("is spent once asked for, and becomes giving up when the run is stuck", () => {
    assert.equal(look(spinning(), { now: 2_000, local: { cancelAsked: ["run-1"] } }).cancel.disabled, true)
    assert.equal(look(spinning({ cancelling: true }), { now: 2_000 }).cancel.disabled, true)
    const stuck = look(spinning({ cancelling: true, stuck: true }), { now: 2_000, local: { cancelAsked: ["run-1"] } })
    assert.deepEqual(stuck.cancel, { run: "run-1", visible: "Give up", name: "Give up waiting for Deploy", disabled: false })
    assert.equal(look(spinning(), { now: 2_000, stale: true }).cancel.disabled, true)
  })
})

describe("The bar", () => {
  const bar = (values, surroundings) => look({ phase: "spinning", run: run(values) }, surroundings).bar

  test("B63 shows a fraction inside its bounds, nothing without one", () => {
    assert.equal(bar({ progress: 0.25 }), 0.25)
    assert.equal(bar({ progress: 1.7 }), 1)
    assert.equal(bar({ completed: 1, total: 4 }), 0.25)
    assert.equal(bar({ completed: 1, total: 0 }), null)
    assert.equal(bar({}), null)
    assert.equal(look({ phase: "success", run: run({ progress: 1 }) }).bar, null)
  })

  test("fills to 85 % over an estimate and waits there", () => {
    assert.equal(bar({ estimateMs: 10_000, elapsedMs: 5_000 }), 0.425)
    assert.equal(bar({ estimateMs: 10_000, elapsedMs: 60_000 }), 0.85)
  })
})

describe("When it changes by itself", () => {
  test("at the next second of a run, at the spinner of a press, never at rest or offline", () => {
    assert.equal(look({ phase: "spinning", run: run({ elapsedMs: 1_700 }) }).until, 300)
    assert.equal(look({}, { press: press() }).until, 150)
    assert.equal(look({}, { press: press(), now: 150 }).until, Infinity)
    assert.equal(look().until, Infinity)
    assert.equal(look({ phase: "spinning", run: run() }, { stale: true }).until, Infinity)
  })
})

test("D15 an action without a spinner does not show one", () => {
  assert.equal(look({ phase: "spinning", progressPlacement: "none", run: run() }).glyph, "own")
})
