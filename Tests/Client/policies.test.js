import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { button, failure, last, liveStore, look, run, sent, spoken, waiting } from "./support.js"

const busy = (values) => ({ phase: "spinning", run: run(), ...values })

describe("What a busy button makes of a press", () => {
  const cases = [
    ["reject", {}, true],
    ["queue with room", { policy: "queue", max: 2, queued: 1, queue: [waiting()] }, false],
    ["queue that is full", { policy: "queue", max: 2, queued: 2, queue: [waiting(), waiting({ run: "run-3" })] }, true],
    ["queue-first without a waiting run", { policy: "queue-first" }, false],
    ["queue-first with one", { policy: "queue-first", queued: 1, queue: [waiting()] }, true],
    ["queue-last with one", { policy: "queue-last", queued: 1, queue: [waiting()] }, false],
    ["restart", { policy: "restart" }, false],
    ["parallel", { policy: "parallel", max: 3 }, false],
    ["a policy that this page does not know", { policy: "sleep-on-it" }, true],
  ]
  for (const [name, values, refused] of cases) {
    test(`${name}: ${refused ? "aria-disabled and nothing is sent" : "a press is sent"}`, () => {
      assert.equal(look(busy(values)).disabled, refused)
      assert.equal(sent(liveStore([button(busy(values))]).press("deploy", 0)).length, refused ? 0 : 1)
    })
  }

  test("a full queue says so, also when pressed", () => {
    const full = busy({ policy: "queue-first", queued: 1, queue: [waiting()] })
    assert.equal(look(full).note, "Running 0\u00a0s – started by alice; no more may wait")
    assert.deepEqual(spoken(liveStore([button(full)]).press("deploy", 0)), ["status queue_full"])
  })

  test("a press that is held ends the sending look without a notice", () => {
    const store = liveStore([button(busy({ policy: "queue", max: 16 }))])
    const [message] = sent(store.press("deploy", 0))
    const effects = store.receive({ type: "ack", id: message.id, result: "held", run: "run-2", position: 1, durable: true }, 20)
    assert.equal(store.presses.of("deploy"), undefined)
    assert.equal(store.locals.of("deploy").notice, undefined)
    assert.deepEqual(effects, [], "the state tells its place")
    assert.ok(store.announcements.isOwn({ run: "run-2" }))
  })

  /** The note after a refusal by the server. */
  function refused(reason, values = {}, more = []) {
    const store = liveStore([button(values), ...more])
    const [message] = sent(store.press("deploy", 0))
    store.receive({ type: "ack", id: message.id, result: "rejected", reason, button: button({ rev: 2, ...values, ...(more.length ? { blocked: { button: "backup", run: "r" } } : {}) }) }, 5)
    return look(values, { local: store.locals.of("deploy") }).note
  }

  test("refusals of the server are told with what they are about", () => {
    assert.equal(refused("queue_full"), "Not started: too many are waiting already.")
    assert.equal(refused("busy", { policy: "parallel", max: 3 }), "Not started: 3 are running already, and no more may.")
    assert.equal(refused("busy"), "Not started: it is already running.")
    assert.equal(refused("group_busy"), "Not started: another button of its group is running.")
    assert.equal(refused("group_busy", {}, [button({ id: "backup", label: "Back up" })]), "Not started: Back up is running.")
  })
})

describe("A blocked button", () => {
  const blocked = { blocked: { button: "backup", run: "r" } }

  test("keeps its icon, names whom it waits for, and refuses with the same name", () => {
    const shown = look(blocked)
    assert.deepEqual([shown.phase, shown.glyph, shown.disabled, shown.note], ["blocked", "own", true, "Waiting for Backup to end"])
    const store = liveStore([button(blocked), button({ id: "backup", label: "Back up" })])
    const [effect] = store.press("deploy", 0)
    assert.deepEqual([effect.announcement.code, effect.announcement.message], ["blocked", "Back up"])
  })

  test("disabled by business is the stronger reason, as with the server", () => {
    assert.equal(look({ ...blocked, enabled: false, disabledReason: "Sold out" }).note, "Sold out")
  })

  test("an outcome is still shown, and cannot be pressed", () => {
    const shown = look({ ...blocked, phase: "success", last: last() })
    assert.deepEqual([shown.phase, shown.glyph, shown.disabled], ["success", "check", true])
  })
})

describe("D11 A rate limit", () => {
  test("counts down by the second and then takes presses again by itself", () => {
    const at = (now) => look({ retryAfterMs: 11_300 }, { now })
    assert.deepEqual([at(0).phase, at(0).disabled, at(0).note, at(0).until], ["limited", true, "Again in 12\u00a0s", 300])
    assert.equal(at(300).note, "Again in 11\u00a0s")
    assert.deepEqual([at(11_300).phase, at(11_300).disabled, at(11_300).until], ["idle", false, Infinity])
    assert.equal(look({ retryAfterMs: 90_000 }).note, "Again in 1\u00a0min 30\u00a0s")
  })

  test("counts from when the state arrived, so all tabs tell the same", () => {
    assert.equal(look({ retryAfterMs: 5_000 }, { at: 40_000, now: 42_000 }).note, "Again in 3\u00a0s")
  })

  test("stands behind an outcome or a run that is shown", () => {
    const limited = { retryAfterMs: 4_000 }
    assert.equal(look({ ...limited, phase: "success", last: last() }).note, "Done in 3.2\u00a0s; again in 4\u00a0s")
    assert.equal(look({ ...limited, phase: "failure", error: failure() }).note, "no luck; again in 4\u00a0s")
    const queueing = look(busy({ ...limited, policy: "queue", max: 9 }))
    assert.deepEqual([queueing.note, queueing.disabled], ["Running 0\u00a0s – started by alice; again in 4\u00a0s", true])
  })

  test("a press before its time is refused here, with a wait that goes on counting", () => {
    const store = liveStore([button({ retryAfterMs: 9_000 })])
    assert.deepEqual(sent(store.press("deploy", 1_000)), [])
    const note = (now) => look({ retryAfterMs: 9_000 }, { local: store.locals.of("deploy"), now }).note
    assert.equal(note(1_000), "Not started: too often. Again in 8\u00a0s.")
    assert.equal(note(3_500), "Not started: too often. Again in 6\u00a0s.")
    assert.equal(sent(store.press("deploy", 9_000)).length, 1)
  })

  test("a refusal by the server counts down as well", () => {
    const store = liveStore()
    const [message] = sent(store.press("deploy", 0))
    store.receive({ type: "ack", id: message.id, result: "rejected", reason: "rate_limited", retryAfterMs: 2_500 }, 100)
    const shown = (now) => look({}, { local: store.locals.of("deploy"), now })
    assert.deepEqual([shown(100).note, shown(100).until], ["Not started: too often. Again in 3\u00a0s.", 600])
    assert.equal(shown(3_000).note, "Not started: too often.")
  })
})

describe("B46 An automatic retry", () => {
  test("tells which attempt of how many it is", () => {
    assert.equal(look(busy({ run: run({ attempt: 2, of: 3 }) })).note, "Running 0\u00a0s – started by alice; attempt 2 of 3")
  })
})
