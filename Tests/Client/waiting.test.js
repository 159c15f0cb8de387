import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { button, linesOf, liveStore, look, run, sent, state, waiting } from "./support.js"

const mine = (values = {}) => waiting({ run: "run-3", by: "alice", client: "me", ...values })
const spinning = (values = {}) => ({ phase: "spinning", policy: "queue", max: 16, run: run({ elapsedMs: 3_000 }), ...values })

describe("A button that only has waiting runs", () => {
  test("tells the place and the presser of the next, or of one's own", () => {
    const held = (queue) => look({ phase: "held", policy: "queue", queued: queue.length, queue })
    assert.equal(held([waiting()]).note, "Waiting, position 1 – pressed by bob")
    assert.equal(held([waiting(), mine()]).note, "Waiting, position 2 – pressed by you")
    assert.equal(held([waiting()]).glyph, "clock")
    assert.equal(held([waiting()]).disabled, false, "one more may wait")
  })

  test("counts a countdown down by the second, with Undo at once", () => {
    const at = (now) => look({ phase: "held", queued: 1, queue: [mine({ leftMs: 4_600 })] }, { now })
    assert.equal(at(0).note, "Starts in 5\u00a0s – pressed by you")
    assert.equal(at(600).note, "Starts in 4\u00a0s – pressed by you")
    assert.equal(at(9_000).note, "Starts in 0\u00a0s – pressed by you")
    assert.deepEqual([at(0).until, at(600).until, at(9_000).until], [600, 1_600, Infinity])
    assert.deepEqual(at(0).cancel, { run: "run-3", visible: "Undo", name: "Undo Deploy", disabled: false })
    assert.equal(at(0).disabled, true, "policy reject")
    assert.equal(at(0).waiting, null, "the note has said it all")
  })

  test("cancels one's own waiting run rather than another's, and only if it can be cancelled", () => {
    const held = { phase: "held", policy: "queue", queued: 2, queue: [waiting(), mine()] }
    assert.deepEqual(look(held).cancel, { run: "run-3", visible: "Cancel", name: "Cancel Deploy", disabled: false })
    assert.equal(look(held, { local: { cancelAsked: ["run-3"] } }).cancel.disabled, true)
    assert.equal(look({ ...held, cancellable: false }).cancel, null)
  })

  test("without a list shows no more than that it waits", () => {
    const shown = look({ phase: "held" })
    assert.deepEqual([shown.note, shown.glyph, shown.cancel, shown.waiting], ["", "clock", null, null])
  })
})

describe("A busy button with a queue", () => {
  test("says how many wait and where one's own stands", () => {
    const shown = look(spinning({ queued: 2, queue: [waiting(), mine()] }))
    assert.deepEqual(shown.waiting, { visible: "2", name: "2 waiting for Deploy" })
    assert.equal(shown.note, "Running 3\u00a0s – started by alice; yours is number 2")
    assert.equal(look(spinning({ queued: 1, queue: [waiting()] })).note, "Running 3\u00a0s – started by alice")
    assert.equal(look(spinning()).waiting, null)
  })

  test("its own cancel stays that of the run under way", () => {
    assert.equal(look(spinning({ queued: 1, queue: [mine()] })).cancel.run, "run-1")
  })

  test("a run that is being replaced says so, and who comes next", () => {
    const shown = look(spinning({ policy: "restart", run: run({ cancelling: true }), queued: 1, queue: [mine()] }))
    assert.equal(shown.note, "Stopping…; yours is next")
  })
})

describe("The list of those that wait", () => {
  test("has a line for each, its countdown, and a cancel that names it", () => {
    const lines = linesOf({ queue: [waiting(), mine({ leftMs: 2_100 })] }, { now: 200 })
    assert.deepEqual(lines.map(({ run, text }) => [run, text]), [["run-2", "1. bob"], ["run-3", "2. you – starts in 2\u00a0s"]])
    assert.deepEqual(lines[1].cancel, { visible: "Cancel", name: "Cancel position 2, pressed by you", disabled: false })
  })

  test("takes no cancel twice, offline, or where nothing can be cancelled", () => {
    const queue = [waiting(), mine()]
    const disabled = (surroundings) => linesOf({ queue }, surroundings).map(({ cancel }) => cancel.disabled)
    assert.deepEqual(disabled({ local: { cancelAsked: ["run-2"] } }), [true, false])
    assert.deepEqual(disabled({ stale: true }), [true, true])
    assert.deepEqual(linesOf({ queue, cancellable: false }).map(({ cancel }) => cancel), [null, null])
  })
})

describe("Cancelling what waits", () => {
  const queue = [waiting(), mine()]

  test("B34 names the run, each once", () => {
    const store = liveStore([button(spinning({ queued: 2, queue }))])
    assert.deepEqual(sent(store.cancel("deploy", "run-3", 0)), [{ type: "cancel", id: 1, button: "deploy", run: "run-3" }])
    assert.deepEqual(store.cancel("deploy", "run-3", 10), [])
    assert.equal(sent(store.cancel("deploy", "run-2", 20)).length, 1, "another one")
  })

  test("a run that has gone meanwhile is not asked for", () => {
    const store = liveStore([button(spinning({ queued: 2, queue }))])
    store.receive(state(2, button({ rev: 2, ...spinning({ queued: 1, queue: [mine()] }) })), 10)
    assert.deepEqual(store.cancel("deploy", "run-2", 20), [])
  })

  test("what was asked for is forgotten with its run", () => {
    const store = liveStore([button(spinning({ queued: 2, queue }))])
    store.cancel("deploy", "run-2", 0)
    store.receive(state(2, button({ rev: 2, ...spinning({ queued: 1, queue: [mine()] }) })), 10)
    store.cancel("deploy", "run-3", 20)
    assert.deepEqual(store.locals.of("deploy").cancelAsked, ["run-3"])
  })

  test("a tab with a waiting run of its own is not idle", () => {
    const store = liveStore([button(spinning({ run: run({ client: "x" }), queued: 1, queue: [waiting()] }))])
    assert.ok(store.isIdle)
    store.receive(state(2, button({ rev: 2, ...spinning({ run: run({ client: "x" }), queued: 1, queue: [waiting({ client: "client-1" })] }) })), 10)
    assert.ok(!store.isIdle)
  })
})
