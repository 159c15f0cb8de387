/** Doubles that the tests share: nothing here waits for real time. */

import { display } from "../../Public/js/display.js"
import { Store } from "../../Public/js/store.js"
import { wordsFor } from "../../Public/js/strings.js"
import { waitingRows } from "../../Public/js/waiting.js"

/** Time that moves only when told to, and the timers on it. */
export class FakeClock {
  now = 0
  #timers = new Map()
  #nextTimer = 1

  setTimer = (run, ms) => {
    this.#timers.set(this.#nextTimer, { at: this.now + ms, run })
    return this.#nextTimer++
  }

  clearTimer = (timer) => this.#timers.delete(timer)

  /** Runs everything that becomes due, in order. */
  advance(ms) {
    const end = this.now + ms
    for (;;) {
      const [id, next] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? []
      if (!next || next.at > end) break
      this.#timers.delete(id)
      this.now = next.at
      next.run()
    }
    this.now = end
  }

  /** How long until the next timer; Infinity without one. */
  get wait() {
    return Math.min(...[...this.#timers.values()].map((timer) => timer.at - this.now))
  }
}

/** A socket that opens, speaks and ends when the test says so. */
export class FakeSocket {
  readyState = 0
  sent = []

  send(text) {
    this.sent.push(JSON.parse(text))
  }

  close() {
    this.readyState = 3
  }

  opens() {
    this.readyState = 1
    this.onopen()
  }

  says(message) {
    this.onmessage({ data: typeof message === "string" ? message : JSON.stringify(message) })
  }

  ends() {
    this.readyState = 3
    this.onclose?.()
  }
}

export function button(values = {}) {
  return {
    id: "deploy", rev: 1, label: "Deploy", phase: "idle", enabled: true, cancellable: true, retryable: false,
    policy: "reject", arguments: [], queue: [], ...values,
  }
}

export function run(values = {}) {
  return { run: "run-1", attempt: 1, by: "alice", client: "client-1", elapsedMs: 0, cancelling: false, ...values }
}

/** A run that waits for a slot, or with `leftMs` for the end of its countdown. */
export function waiting(values = {}) {
  return { run: "run-2", by: "bob", client: "client-2", for: values.leftMs === undefined ? "slot" : "countdown", ...values }
}

export function last(values = {}) {
  return { run: "run-1", outcome: "succeeded", at: 1_000_000, durationMs: 3_200, by: "alice", ...values }
}

export function failure(values = {}) {
  return { code: "thrown", message: "no luck", run: "run-1", retryable: true, needs: [], ...values }
}

export function boardOf(...ids) {
  const sections = [{ title: "All", items: ids }]
  return { title: "Board", language: "en", pages: [{ id: "board", title: "Board", sections }] }
}

export function hello(values = {}) {
  return {
    type: "hello", epoch: "e1", durable: false, assets: "a1", client: "client-1", user: { name: "alice", roles: [] },
    time: 1_000_000, pingMs: 15_000, ...values,
  }
}

export function snapshot(buttons, values = {}) {
  const board = boardOf(...buttons.map((each) => each.id))
  return { type: "snapshot", epoch: "e1", seq: 1, board, buttons, panels: [], resumed: false, more: false, ...values }
}

export function state(seq, ...buttons) {
  return { type: "state", seq, buttons, panels: [], gone: [] }
}

/** A store that is live with these buttons at time 0. Keys are key-1, key-2, … */
export function liveStore(buttons = [button()], greeting = {}) {
  let keys = 0
  const store = new Store(0, () => `key-${++keys}`)
  store.receive(hello(greeting), 0)
  store.receive(snapshot(buttons, { epoch: greeting.epoch ?? "e1" }), 0)
  return store
}

/** The messages among the effects. */
export function sent(effects) {
  return effects.filter((effect) => effect.do === "send").map((effect) => effect.message)
}

/** What is said aloud, as "tone code". */
export function spoken(effects) {
  const announced = effects.filter((effect) => effect.do === "announce").map((effect) => effect.announcement)
  return announced.map(({ tone, code }) => `${tone} ${code}`)
}

const words = wordsFor(["en-GB"])

/** What the looks of a button are made from, at time 0 unless said otherwise. */
export function seen(values = {}, surroundings = {}) {
  return {
    button: button(values), at: 0, press: undefined, local: {}, stale: false, now: 0, serverNow: 1_060_000,
    isOwn: (each) => each?.client === "me", labelOf: (id) => (id === "backup" ? "Backup" : ""), ...surroundings,
  }
}

/** How a button looks then. */
export function look(values, surroundings) {
  return display(seen(values, surroundings), words)
}

/** Its lines in the list of those that wait. */
export function linesOf(values, surroundings) {
  return waitingRows(seen(values, surroundings), words)
}
