import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { button, failure, hello, last, liveStore, run, sent, snapshot, spoken, state, waiting } from "./support.js"

/** Presses, gets the answer, and returns a function that pushes the next state and tells what is said of it. */
function pressed() {
  const store = liveStore()
  const [message] = sent(store.press("deploy", 0))
  store.receive({ type: "ack", id: message.id, result: "accepted", run: "run-1" }, 5)
  let seq = 2
  return { store, push: (values) => spoken(store.receive(state(seq, button({ rev: seq++, ...values })), seq * 100)) }
}

describe("What is said aloud", () => {
  test("running, then done: by the tab that pressed, once each", () => {
    const { push } = pressed()
    assert.deepEqual(push({ phase: "pending", run: run() }), [])
    assert.deepEqual(push({ phase: "spinning", run: run() }), ["status running"])
    assert.deepEqual(push({ phase: "spinning", run: run({ progress: 0.5 }) }), [])
    assert.deepEqual(push({ phase: "success", last: last() }), ["status succeeded"])
    assert.deepEqual(push({ phase: "idle", last: last() }), [])
  })

  test("a failure is an alert with its message", () => {
    const { store } = pressed()
    const failed = { phase: "failure", error: failure(), last: last({ outcome: "failed" }) }
    const effects = store.receive(state(2, button({ rev: 2, ...failed })), 100)
    assert.deepEqual(spoken(effects), ["alert failed"])
    assert.equal(effects[0].announcement.message, "no luck")
  })

  test("an end while the spinner settles is said when it is shown", () => {
    const { push } = pressed()
    push({ phase: "spinning", run: run() })
    assert.deepEqual(push({ phase: "spinning", settling: true, last: last() }), [])
    assert.deepEqual(push({ phase: "success", last: last() }), ["status succeeded"])
  })

  test("stopping is said once, cancelled is no alert", () => {
    const { push } = pressed()
    push({ phase: "spinning", run: run() })
    assert.deepEqual(push({ phase: "spinning", run: run({ cancelling: true }) }), ["status cancelling"])
    assert.deepEqual(push({ phase: "spinning", run: run({ cancelling: true, killing: true }) }), [])
    assert.deepEqual(push({ phase: "idle", last: last({ outcome: "cancelled" }) }), ["status cancelled"])
  })

  test("nothing about runs that others began", () => {
    const store = liveStore()
    const others = { run: "run-7", client: "client-9" }
    const failed = { phase: "failure", error: failure(others), last: last({ run: "run-7", outcome: "failed" }) }
    const said = [
      ...store.receive(state(2, button({ rev: 2, phase: "spinning", run: run(others) })), 10),
      ...store.receive(state(3, button({ rev: 3, ...failed })), 20),
    ]
    assert.deepEqual(spoken(said), [])
  })

  test("B49 a snapshot is silent, also about this tab's own runs", () => {
    const { store } = pressed()
    store.connectionLost(300)
    store.receive(hello({ client: "client-2" }), 400)
    const ended = button({ rev: 9, phase: "success", last: last() })
    const effects = store.receive(snapshot([ended], { resumed: true }), 400)
    assert.deepEqual(spoken(effects), [])
    assert.deepEqual(spoken(store.receive(state(12, button({ rev: 10, phase: "idle", last: last() })), 900)), [])
  })

  test("a run that was begun on an earlier connection of this tab is its own", () => {
    const { store } = pressed()
    store.connectionLost(300)
    store.receive(hello({ client: "client-2" }), 400)
    store.receive(snapshot([button({ rev: 9, phase: "spinning", run: run() })], { resumed: true }), 400)
    const ended = button({ rev: 10, phase: "success", last: last() })
    assert.deepEqual(spoken(store.receive(state(12, ended), 900)), ["status succeeded"])
  })

  test("another life of the server knows none of the old clients", () => {
    const store = liveStore()
    store.connectionLost(300)
    store.receive(hello({ epoch: "e2", client: "client-2" }), 400)
    store.receive(snapshot([button()], { epoch: "e2" }), 400)
    assert.ok(!store.announcements.isOwn(run({ run: "run-5", client: "client-1" })))
    assert.ok(store.announcements.isOwn(run({ run: "run-5", client: "client-2" })))
  })

  test("only the newest sixty-four runs are remembered", () => {
    const { announcements } = liveStore()
    for (let count = 1; count <= 65; count += 1) announcements.began(`r${count}`)
    assert.ok(!announcements.isOwn({ run: "r1" }))
    assert.ok(announcements.isOwn({ run: "r2" }))
  })
})

describe("What is said aloud of those that wait", () => {
  const others = run({ run: "run-0", client: "x", by: "bob" })
  const mine = waiting({ run: "run-1", client: "client-1" })
  const busy = (values = {}) => ({ phase: "spinning", run: others, queued: 1, queue: [mine], ...values })
  const ended = (outcome, values = {}) => ({ type: "run", run: "run-1", button: "deploy", change: "ended", outcome, ...values })

  test("one's place, once, then that it runs, then its end although others go on", () => {
    const { store, push } = pressed()
    const [first, again] = [store.receive(state(2, button({ rev: 2, ...busy() })), 10), push(busy({ run: { ...others, progress: 0.5 } }))]
    assert.deepEqual(spoken(first), ["status held"])
    assert.equal(first[0].announcement.message, "1")
    assert.deepEqual(again, [])
    const next = waiting({ run: "run-9", client: "x" })
    assert.deepEqual(push({ phase: "spinning", run: run(), queued: 1, queue: [next], last: last({ run: "run-0" }) }), ["status running"])
    assert.deepEqual(push({ phase: "spinning", run: run({ run: "run-9", client: "x" }), last: last() }), ["status succeeded"])
    assert.deepEqual(push({ phase: "success", last: last({ run: "run-9" }) }), [], "somebody else's")
  })

  test("a countdown with its seconds", () => {
    const { store } = pressed()
    const effects = store.receive(state(2, button({ rev: 2, phase: "held", queued: 1, queue: [{ ...mine, for: "countdown", leftMs: 4_990 }] })), 10)
    assert.deepEqual(effects.map(({ announcement }) => [announcement.code, announcement.message]), [["countdown", "5"]])
  })

  test("nothing of others that wait", () => {
    const { push } = pressed()
    assert.deepEqual(push(busy({ queue: [waiting({ run: "run-8", client: "x" })] })), [])
  })

  test("a run that never started: superseded, though the state names a later end", () => {
    const { store, push } = pressed()
    push(busy())
    assert.deepEqual(spoken(store.receive(ended("superseded"), 400)), [], "with the state")
    assert.deepEqual(push({ phase: "spinning", run: others, last: last({ run: "run-3", by: "bob" }) }), ["status superseded"])
  })

  test("a waiting run whose answer was lost is known by its client", () => {
    const store = liveStore()
    assert.deepEqual(spoken(store.receive(state(2, button({ rev: 2, ...busy() })), 10)), ["status held"])
    store.receive(ended("cancelled"), 20)
    assert.deepEqual(spoken(store.receive(state(3, button({ rev: 3, phase: "spinning", run: others })), 20)), ["status cancelled"])
  })

  test("a failure among parallel runs is an alert with its message while the others go on", () => {
    const { store } = pressed()
    store.receive(state(2, button({ rev: 2, phase: "spinning", run: run() })), 10)
    store.receive(ended("failed", { error: failure() }), 20)
    const effects = store.receive(state(3, button({ rev: 3, phase: "spinning", run: others, last: last({ outcome: "failed" }) })), 20)
    assert.deepEqual(effects.map(({ announcement }) => [announcement.tone, announcement.message]), [["alert", "no luck"]])
  })

  test("what ended is said once, and not while the spinner lingers", () => {
    const { store, push } = pressed()
    push({ phase: "spinning", run: run() })
    store.receive(ended("succeeded"), 400)
    assert.deepEqual(push({ phase: "spinning", settling: true, last: last() }), [])
    assert.deepEqual(push({ phase: "success", last: last() }), ["status succeeded"])
    assert.deepEqual(push({ phase: "idle", last: last() }), [])
  })

  test("B49 a snapshot in a busy period does not bring up what ended before", () => {
    const { store } = pressed()
    store.connectionLost(300)
    store.receive(hello({ client: "client-2" }), 400)
    const busyNow = { phase: "spinning", run: others, last: last() }
    store.receive(snapshot([button({ rev: 9, ...busyNow })], { resumed: true }), 400)
    assert.deepEqual(spoken(store.receive(state(12, button({ rev: 10, ...busyNow })), 900)), [])
  })
})
