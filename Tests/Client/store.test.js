import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { boardOf, button, failure, hello, last, liveStore, run, sent, snapshot, spoken, state } from "./support.js"

/** The connection goes and a new one comes. */
function reconnect(store, { at, epoch = "e1", durable = false, resumed = epoch === "e1", buttons = [button()] }) {
  store.connectionLost(at - 1)
  store.receive(hello({ epoch, durable, client: `client-${at}` }), at)
  return store.receive(snapshot(buttons, { epoch, resumed }), at)
}

describe("A press", () => {
  test("goes out once, with a key of its own, and says that it came from the page", () => {
    const store = liveStore()
    const press = { type: "press", id: 1, button: "deploy", key: "key-1", origin: "dom" }
    assert.deepEqual(sent(store.press("deploy", 10)), [press])
    assert.deepEqual(store.press("deploy", 1_000), [], "a second one waits for the answer to the first")
  })

  test("has a new key for every intent", () => {
    const store = liveStore()
    const [first] = sent(store.press("deploy", 0))
    store.receive({ type: "ack", id: first.id, result: "accepted", run: "run-1" }, 5)
    const [second] = sent(store.press("deploy", 600))
    assert.notEqual(second.key, first.key)
  })

  test("B58 an answer without a change of state ends the sending look", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    store.takeChanged()
    store.receive({ type: "ack", id: message.id, result: "accepted", run: "run-1" }, 20)
    assert.equal(store.presses.of("deploy"), undefined)
    assert.ok(store.takeChanged().has("deploy"), "and it is drawn again")
  })

  test("B58 a refusal ends the sending look too and leaves its reason", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    const effects = store.receive({ type: "ack", id: message.id, result: "rejected", reason: "busy", run: "other" }, 20)
    assert.equal(store.presses.of("deploy"), undefined)
    assert.equal(store.locals.of("deploy").notice.code, "busy")
    assert.deepEqual(spoken(effects), ["status busy"])
    assert.ok(!store.announcements.isOwn({ run: "other" }), "the run in a refusal is somebody else's")
  })

  test("a malformed one is answered by an error, which ends it as well", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    store.receive({ type: "error", id: message.id, code: "bad_field", message: "key" }, 20)
    assert.equal(store.presses.of("deploy"), undefined)
  })

  test("the notice of a refusal goes after a while, or with the next run", () => {
    const store = liveStore()
    const refuse = (at) => {
      const [message] = sent(store.press("deploy", at))
      const refusal = { result: "rejected", reason: "rate_limited", retryAfterMs: 1_500 }
      store.receive({ type: "ack", id: message.id, ...refusal }, at)
    }
    refuse(0)
    assert.equal(store.locals.of("deploy").notice.detail, "2", "whole seconds, rounded up")
    assert.equal(store.deadline, 8_000)
    store.advance(8_000)
    assert.equal(store.locals.of("deploy").notice, undefined)
    refuse(9_000)
    store.receive(state(2, button({ rev: 2, phase: "pending", run: run({ client: "x" }) })), 9_100)
    assert.equal(store.locals.of("deploy").notice, undefined)
  })

  test("B18 the second click of a double click is none, also after a fast answer", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    store.receive({ type: "ack", id: message.id, result: "accepted", run: "run-1" }, 5)
    store.receive(state(2, button({ rev: 2, phase: "success", last: last() })), 30)
    assert.deepEqual(store.press("deploy", 399, "repeated"), [])
    assert.equal(sent(store.press("deploy", 400, "repeated")).length, 1)
  })

  test("D2 a second press that the server takes for part of the first is no error", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    const effects = store.receive({ type: "ack", id: message.id, result: "rejected", reason: "double_press" }, 10)
    assert.deepEqual(effects, [])
    assert.equal(store.presses.of("deploy"), undefined)
    assert.equal(store.locals.of("deploy").notice, undefined)
  })

  test("a busy, closed or removed button sends nothing", () => {
    const shapes = [
      { phase: "pending" }, { phase: "spinning" }, { phase: "spinning", settling: true }, { enabled: false },
      { blocked: { button: "other", run: "r" } }, { lock: { reason: "freeze" } }, { removed: true },
    ]
    for (const shape of shapes) {
      assert.deepEqual(sent(liveStore([button(shape)]).press("deploy", 0)), [], JSON.stringify(shape))
    }
  })

  test("a busy button whose policy has a use for presses takes them", () => {
    for (const policy of ["queue(max 16)", "restart", "parallel(max 8)", "queue-last"]) {
      assert.equal(sent(liveStore([button({ phase: "spinning", policy })]).press("deploy", 0)).length, 1, policy)
    }
  })

  test("a closed button says why", () => {
    const store = liveStore([button({ enabled: false, disabledReason: "Sold out" })])
    const [effect] = store.press("deploy", 0)
    assert.equal(effect.announcement.code, "disabled")
    assert.equal(effect.announcement.message, "Sold out")
  })
})

describe("B56 A press while offline", () => {
  test("is refused visibly, asks for a connection, and is not sent after the reconnect", () => {
    const store = liveStore()
    store.connectionLost(100)
    const effects = store.press("deploy", 200)
    assert.deepEqual(sent(effects), [])
    assert.ok(effects.some((effect) => effect.do === "reconnect"))
    assert.equal(store.locals.of("deploy").notice.code, "offline")
    assert.deepEqual(sent(reconnect(store, { at: 2_000 })), [])
  })

  test("cancel and dismiss are refused alike", () => {
    const store = liveStore([button({ phase: "spinning", run: run() })])
    store.connectionLost(100)
    assert.deepEqual(sent(store.cancel("deploy", "run-1", 200)), [])
    const failed = liveStore([button({ phase: "failure", error: failure(), last: last({ outcome: "failed" }) })])
    failed.connectionLost(100)
    assert.deepEqual(sent(failed.dismiss("deploy", 200)), [])
  })
})

describe("A press that the connection took with it", () => {
  test("B51 is sent again under its key while young, in the same life of the server", () => {
    const store = liveStore()
    const [first] = sent(store.press("deploy", 0))
    const [again] = sent(reconnect(store, { at: 3_000 }))
    assert.deepEqual(again, first)
    store.receive({ type: "ack", id: again.id, result: "duplicate", run: "run-1" }, 3_010)
    assert.equal(store.presses.of("deploy"), undefined)
    assert.ok(store.announcements.isOwn({ run: "run-1" }))
  })

  test("B51 after ten seconds it is only asked about, and one that never came is said to be lost", () => {
    const store = liveStore()
    sent(store.press("deploy", 0))
    const [message] = sent(reconnect(store, { at: 10_001 }))
    assert.equal(message.type, "lookup")
    assert.equal(message.key, "key-1")
    const effects = store.receive({ type: "ack", id: message.id, result: "rejected", reason: "unknown_key" }, 10_010)
    assert.deepEqual(spoken(effects), ["alert not_sent"])
    assert.equal(store.locals.of("deploy").unknown, undefined, "this server would know: nothing is unknown")
  })

  test("B55 after a restart it is looked up, never sent again", () => {
    const store = liveStore()
    store.press("deploy", 0)
    const messages = sent(reconnect(store, { at: 1_000, epoch: "e2" }))
    assert.deepEqual(messages, [{ type: "lookup", id: 1, button: "deploy", key: "key-1" }])
  })

  test("B55 a restarted server without a memory leaves the outcome unknown", () => {
    const store = liveStore()
    store.press("deploy", 0)
    const [message] = sent(reconnect(store, { at: 1_000, epoch: "e2", durable: false }))
    const effects = store.receive({ type: "ack", id: message.id, result: "rejected", reason: "unknown_key" }, 1_010)
    assert.deepEqual(spoken(effects), ["alert outcome_unknown"])
    assert.equal(store.locals.of("deploy").unknown, true)
    assert.deepEqual(store.press("deploy", 2_000).map((effect) => effect.do), ["ask"], "the next press asks first")
    assert.equal(sent(store.press("deploy", 3_000, "confirmed"))[0].type, "press")
  })

  test("B55 a restarted server that remembers is believed: the press did not arrive", () => {
    const store = liveStore([button()], { durable: true })
    store.press("deploy", 0)
    const [message] = sent(reconnect(store, { at: 1_000, epoch: "e2", durable: true }))
    const effects = store.receive({ type: "ack", id: message.id, result: "rejected", reason: "unknown_key" }, 1_010)
    assert.deepEqual(spoken(effects), ["alert not_sent"])
    assert.equal(store.locals.of("deploy").unknown, undefined)
  })

  test("B52 a lookup that finds the run ends the matter", () => {
    const store = liveStore()
    store.press("deploy", 0)
    const [message] = sent(reconnect(store, { at: 1_000, epoch: "e2" }))
    store.receive({ type: "ack", id: message.id, result: "duplicate", run: "run-9", outcome: "succeeded" }, 1_010)
    assert.equal(store.presses.of("deploy"), undefined)
    assert.ok(store.announcements.isOwn({ run: "run-9" }))
  })

  test("nothing is put to the server before the whole state is there", () => {
    const store = liveStore()
    store.press("deploy", 0)
    store.connectionLost(10)
    assert.deepEqual(sent(store.receive(hello(), 20)), [])
    assert.deepEqual(sent(store.receive(snapshot([button()], { resumed: true, more: true }), 20)), [])
    assert.equal(sent(store.receive(snapshot([], { resumed: true }), 30)).length, 1)
  })
})

describe("B62 No answer for five seconds", () => {
  test("is said, and the whole state asked for decides", () => {
    const store = liveStore()
    store.press("deploy", 0)
    assert.equal(store.deadline, 5_000)
    assert.deepEqual(sent(store.advance(4_999)), [])
    assert.equal(sent(store.advance(5_000))[0].type, "snapshot")
    assert.equal(store.presses.of("deploy").quiet, true)
    assert.deepEqual(sent(store.advance(6_000)), [], "it is asked for once")
    const effects = store.receive(snapshot([button({ rev: 4, phase: "spinning", run: run() })]), 6_100)
    assert.equal(store.presses.of("deploy"), undefined)
    assert.deepEqual(spoken(effects), ["alert unanswered"])
  })

  test("the wait starts anew when the press is sent again", () => {
    const store = liveStore()
    store.press("deploy", 0)
    store.advance(5_000)
    assert.equal(sent(reconnect(store, { at: 7_000 })).length, 1)
    assert.equal(store.presses.of("deploy").quiet, false)
    assert.equal(store.deadline, 12_000)
  })

  test("an answer that comes late is still the answer", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    store.advance(5_000)
    store.receive({ type: "ack", id: message.id, result: "accepted", run: "run-1" }, 5_500)
    assert.deepEqual(spoken(store.receive(snapshot([button()]), 5_600)), [])
  })
})

describe("A failed button", () => {
  const failed = (values) => button({
    phase: "failure", retryable: true, error: failure(), last: last({ outcome: "failed" }), ...values,
  })

  test("B40 a press retries the run that is shown", () => {
    const [message] = sent(liveStore([failed()]).press("deploy", 0))
    assert.deepEqual(message, { type: "retry", id: 1, button: "deploy", run: "run-1", key: "key-1", origin: "dom" })
  })

  test("B44 without a retry it is an ordinary press", () => {
    assert.equal(sent(liveStore([failed({ retryable: false })]).press("deploy", 0))[0].type, "press")
  })

  test("with a confirmation it asks first, then retries", () => {
    const store = liveStore([failed({ confirm: "Sure?" })])
    assert.deepEqual(store.press("deploy", 0).map(({ do: kind, why }) => [kind, why]), [["ask", "confirm"]])
    assert.equal(sent(store.press("deploy", 10, "confirmed"))[0].type, "retry")
  })

  test("R19 an unknown outcome always asks first", () => {
    const store = liveStore([failed({ phase: "unknown" })])
    assert.deepEqual(store.press("deploy", 0).map(({ do: kind, why }) => [kind, why]), [["ask", "unknown"]])
    assert.equal(sent(store.press("deploy", 10, "confirmed"))[0].type, "retry")
  })

  test("what became busy while the question was open is not pressed, and says so", () => {
    const store = liveStore([button({ confirm: "Sure?" })])
    store.press("deploy", 0)
    store.receive(state(2, button({ rev: 2, confirm: "Sure?", phase: "spinning", run: run({ client: "x" }) })), 10)
    const effects = store.press("deploy", 20, "confirmed")
    assert.deepEqual(sent(effects), [])
    assert.deepEqual(spoken(effects), ["status busy"])
  })

  test("B83 dismissing names the run that is shown", () => {
    const dismiss = { type: "dismiss", id: 1, button: "deploy", run: "run-1" }
    assert.deepEqual(sent(liveStore([failed()]).dismiss("deploy", 0)), [dismiss])
    assert.deepEqual(liveStore([button()]).dismiss("deploy", 0), [])
  })
})

describe("Cancel", () => {
  test("names the run, asks once, and again only when the run is stuck", () => {
    const store = liveStore([button({ phase: "spinning", run: run() })])
    assert.deepEqual(sent(store.cancel("deploy", "run-1", 0)), [{ type: "cancel", id: 1, button: "deploy", run: "run-1" }])
    assert.equal(store.locals.of("deploy").cancelAsked?.[0], "run-1")
    store.receive(state(2, button({ rev: 2, phase: "spinning", run: run({ cancelling: true }) })), 10)
    assert.deepEqual(sent(store.cancel("deploy", "run-1", 20)), [])
    store.receive(state(3, button({ rev: 3, phase: "spinning", run: run({ cancelling: true, stuck: true }) })), 5_000)
    assert.equal(sent(store.cancel("deploy", "run-1", 5_100)).length, 1)
  })
})

describe("A cancel that was not granted", () => {
  const cancelling = () => {
    const store = liveStore([button({ phase: "spinning", run: run() })])
    return { store, message: sent(store.cancel("deploy", "run-1", 0))[0] }
  }

  test("says why, and may be asked again", () => {
    const { store, message } = cancelling()
    const effects = store.receive({ type: "ack", id: message.id, result: "rejected", reason: "stale" }, 10)
    assert.deepEqual(spoken(effects), ["status stale"])
    assert.equal(store.locals.of("deploy").cancelAsked, undefined)
  })

  test("because the connection went, may be asked again on the next", () => {
    const { store } = cancelling()
    assert.deepEqual(store.cancel("deploy", "run-1", 10), [], "not twice on the same one")
    reconnect(store, { at: 1_000, buttons: [button({ phase: "spinning", run: run() })] })
    assert.equal(sent(store.cancel("deploy", "run-1", 1_100)).length, 1)
  })
})

describe("The connection", () => {
  test("is stale half a second after it broke, and says so once", () => {
    const store = liveStore()
    store.connectionLost(1_000)
    assert.equal(store.deadline, 1_500)
    assert.deepEqual(store.advance(1_499), [])
    assert.deepEqual(store.advance(1_500), [{ do: "say", code: "lost" }])
    store.connectionLost(3_000)
    assert.deepEqual(store.advance(9_000), [], "M2 a further attempt that fails is no news")
  })

  test("M2 its return is said once, and only if its loss was", () => {
    const store = liveStore()
    store.connectionLost(1_000)
    assert.deepEqual(reconnect(store, { at: 1_200 }).filter((effect) => effect.do === "say"), [])
    store.connectionLost(2_000)
    store.advance(2_500)
    const said = reconnect(store, { at: 4_000 }).filter((effect) => effect.do === "say")
    assert.deepEqual(said, [{ do: "say", code: "back" }])
  })

  test("R10 what is shown stays marked until the snapshot is whole", () => {
    const store = liveStore()
    store.connectionLost(0)
    store.advance(500)
    store.receive(hello(), 600)
    assert.equal(store.link.state, "stale")
    store.receive(snapshot([button()], { more: true }), 610)
    assert.equal(store.link.state, "stale")
    store.receive(snapshot([]), 620)
    assert.equal(store.link.state, "live")
  })

  test("a restored tab is stale at once", () => {
    const store = liveStore()
    assert.deepEqual(store.connectionLost(0, true), [{ do: "say", code: "lost" }])
    assert.equal(store.link.state, "stale")
  })

  test("a page with other files than the first hello told of is renewed", () => {
    const store = liveStore()
    assert.deepEqual(store.receive(hello({ assets: "a1" }), 10), [])
    assert.deepEqual(store.receive(hello({ assets: "a2" }), 20), [{ do: "renew" }])
  })

  test("a tab with something under way is not idle", () => {
    const store = liveStore()
    assert.ok(store.isIdle)
    const [message] = sent(store.press("deploy", 0))
    assert.ok(!store.isIdle)
    store.receive({ type: "ack", id: message.id, result: "accepted", run: "run-1" }, 5)
    store.receive(state(2, button({ rev: 2, phase: "pending", run: run() })), 5)
    assert.ok(!store.isIdle)
    store.receive(state(3, button({ rev: 3, phase: "idle", last: last() })), 50)
    assert.ok(store.isIdle)
    store.receive(state(4, button({ rev: 4, phase: "pending", run: run({ run: "run-2", client: "x" }) })), 60)
    assert.ok(store.isIdle, "somebody else's run does not count")
  })

  test("a button that leaves the board takes its local notes along", () => {
    const store = liveStore([button(), button({ id: "other" })])
    store.press("other", 0)
    store.connectionLost(0)
    store.press("other", 1)
    store.receive(hello(), 10)
    store.receive(snapshot([button()], { board: boardOf("deploy") }), 10)
    assert.deepEqual(store.locals.of("other"), {})
    assert.deepEqual(store.press("other", 20), [])
  })
})
