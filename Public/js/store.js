import { Announcements } from "./announcements.js"
import { announce, say, send } from "./effects.js"
import { intentOf, limitedFor, runToRetry } from "./intent.js"
import { Link } from "./link.js"
import { Locals } from "./locals.js"
import { Presses } from "./presses.js"
import { itemsOf, Replica } from "./replica.js"

/**
 * @typedef {import("./protocol.js").ButtonState} ButtonState
 * @typedef {import("./protocol.js").Ack} Ack
 * @typedef {import("./protocol.js").Hello} Hello
 * @typedef {import("./effects.js").Effect} Effect
 */

/** How long a refusal stays in the note. ms */
export const noticeFor = 8_000
/** A second click this soon after an accepted one belongs to it. ms */
export const doubleClickWithin = 400

/** Everything that a tab knows, as a value: events go in with the time, effects come out. No DOM, socket or clock. */
export class Store {
  replica = new Replica()
  presses = new Presses()
  announcements = new Announcements()
  locals = new Locals()
  link
  /** @type {Hello | null} */
  hello = null
  /** The tab's clock when `hello` came: what passed since is added to the server's time; clocks are never compared. */
  helloAt = 0
  /** The hash of the files that this tab was loaded with, so far as it can know: that of its first hello. */
  assets = ""
  /** @type {Set<string>} the ids to draw again; "*" is everything */
  #changed = new Set()
  /** @type {Map<unknown, string>} requests about a run without an answer yet, and their buttons */
  #asked = new Map()
  #nextId = 1
  #newKey

  /**
   * @param {number} now
   * @param {() => string} newKey
   */
  constructor(now, newKey) {
    this.link = new Link(now)
    this.#newKey = newKey
  }

  /** What to draw again since the last call. */
  takeChanged() {
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }

  /** Nothing of this tab's own is under way: it could be loaded again without a loss. */
  get isIdle() {
    const own = [...this.replica.entries.values()].some(({ button }) => {
      return [button.run, ...(button.queue ?? [])].some((run) => this.announcements.isOwn(run))
    })
    return this.presses.isEmpty && !own
  }

  /**
   * @param {any} message of the server
   * @param {number} now
   * @returns {Effect[]}
   */
  receive(message, now) {
    switch (message.type) {
      case "hello": return this.#helloed(message, now)
      case "snapshot": return this.#snapshot(message, now)
      case "state": return this.#state(message, now)
      case "ack": return this.#ack(message, now)
      case "run": return this.announcements.told(message), []
      case "error": return this.#refused(message, "error", now)
      default: return []
    }
  }

  /**
   * A click on a button.
   * @param {string} id
   * @param {number} now
   * @param {"first" | "repeated" | "confirmed"} [how] `repeated`: not the first click of a double click
   * @returns {Effect[]}
   */
  press(id, now, how = "first") {
    const { button, at = now } = this.replica.entries.get(id) ?? {}
    const local = this.locals.of(id)
    if (!button || (how === "repeated" && now - (local.acceptedAt ?? -Infinity) < doubleClickWithin)) return []
    const confirmed = how === "confirmed"
    const sending = Boolean(this.presses.of(id))
    const unknown = Boolean(local.unknown)
    const intent = intentOf(button, { live: this.link.isLive, sending, unknown, confirmed, age: now - at })
    switch (intent.do) {
      case "ignore": return confirmed ? this.#note(button, "busy", "", now) : []
      case "refuse": return this.#refuse(button, intent.code, now)
      case "ask": return [{ do: "ask", why: intent.why, button }]
      case "send": return this.#send(button, intent.type, now)
    }
  }

  /**
   * @param {string} id
   * @param {string} run one that is under way or waits
   * @param {number} now
   * @returns {Effect[]}
   */
  cancel(id, run, now) {
    const button = this.replica.entries.get(id)?.button
    const { cancelAsked = [] } = this.locals.of(id)
    const active = button?.run?.run === run ? button.run : undefined
    const asked = active?.cancelling || cancelAsked.includes(run)
    const known = [button?.run, ...(button?.queue ?? [])].flatMap((each) => (each ? [each.run] : []))
    if (!button || !known.includes(run) || (asked && !active?.stuck)) return []
    if (!this.link.isLive) return this.#refuse(button, "offline", now)
    this.#set(id, { cancelAsked: [...cancelAsked.filter((each) => known.includes(each)), run] })
    return this.#ask("cancel", id, run)
  }

  /**
   * @param {string} id
   * @param {number} now
   * @returns {Effect[]}
   */
  dismiss(id, now) {
    const button = this.replica.entries.get(id)?.button
    if (this.locals.of(id).unknown) this.#set(id, { unknown: false })
    const run = button?.error?.run ?? button?.last?.run
    if (!button || !run || !["failure", "unknown", "success"].includes(button.phase)) return []
    if (!this.link.isLive) return this.#refuse(button, "offline", now)
    return this.#ask("dismiss", id, run)
  }

  /**
   * @param {number} now
   * @param {boolean} [atOnce]
   * @returns {Effect[]}
   */
  connectionLost(now, atOnce = false) {
    this.link.lost(now, atOnce)
    this.#changed.add(this.link.state === "stale" ? "*" : "link")
    return this.link.state === "stale" && atOnce ? [say("lost")] : []
  }

  /**
   * Does what has become due by itself.
   * @param {number} now
   * @returns {Effect[]}
   */
  advance(now) {
    const before = this.link.state
    this.link.advance(now)
    this.#changed.add("link")
    for (const id of this.locals.expire(now)) this.#changed.add(id)
    const late = this.link.isLive ? this.presses.fallQuiet(now) : []
    for (const press of late) this.#changed.add(press.button)
    /** @type {Effect[]} */
    const effects = late.length ? [send({ type: "snapshot", id: this.#nextId++ })] : []
    if (before !== "stale" && this.link.state === "stale") {
      this.#changed.add("*")
      effects.push(say("lost"))
    }
    return effects
  }

  /** When `advance` has something to do; Infinity if never. */
  get deadline() {
    const answers = this.link.isLive ? this.presses.deadline : Infinity
    return Math.min(this.link.deadline, answers, this.locals.deadline)
  }

  /**
   * @param {Hello} hello
   * @param {number} now
   * @returns {Effect[]}
   */
  #helloed(hello, now) {
    this.announcements.connected(hello.client, hello.epoch !== this.hello?.epoch)
    this.hello = hello
    this.helloAt = now
    this.replica.begin()
    this.#forgetAsked()
    this.#changed.add("link")
    this.assets ||= hello.assets
    return hello.assets === this.assets ? [] : [{ do: "renew" }]
  }

  /**
   * @param {any} message
   * @param {number} now
   * @returns {Effect[]}
   */
  #snapshot(message, now) {
    if (!this.replica.snapshot(message, now)) return []
    this.#changed.add("*")
    this.#forget()
    this.announcements.caughtUp([...this.replica.entries.values()].map((entry) => entry.button))
    if (this.link.isLive) return this.#giveUpQuiet(now)
    const wasStale = this.link.state === "stale"
    this.link.synced()
    const again = this.presses.resume(message.epoch, now).map(send)
    return [{ do: "settled" }, ...again, ...(wasStale ? [say("back")] : [])]
  }

  /**
   * @param {number} now
   * @returns {Effect[]}
   */
  #giveUpQuiet(now) {
    return this.presses.giveUpQuiet().flatMap((press) => this.#lost(press.button, "unanswered", now))
  }

  /**
   * @param {any} message
   * @param {number} now
   * @returns {Effect[]}
   */
  #state(message, now) {
    const changes = this.replica.state(message, now)
    if (message.board || message.gone?.length) {
      this.#changed.add("*")
      this.#forget()
    }
    return this.#changes(changes)
  }

  /**
   * @param {Ack} ack
   * @param {number} now
   * @returns {Effect[]}
   */
  #ack(ack, now) {
    const changes = ack.button ? this.replica.answered(ack.button, now) : []
    if (ack.result === "rejected") return [...this.#refused(ack, ack.reason ?? "error", now), ...this.#changes(changes)]
    this.#asked.delete(ack.id)
    this.announcements.began(ack.run)
    const press = this.presses.answer(ack.id)
    if (press) this.#set(press.button, { notice: undefined, unknown: false, acceptedAt: press.sentAt })
    return this.#changes(changes)
  }

  /**
   * @param {Ack} answer
   * @param {string} reason
   * @param {number} now
   * @returns {Effect[]}
   */
  #refused(answer, reason, now) {
    const press = this.presses.answer(answer.id)
    if (press?.lookup && reason === "unknown_key") return this.#unaccounted(press, now)
    const button = this.replica.entries.get(press?.button ?? this.#asked.get(answer.id) ?? "")?.button
    this.#asked.delete(answer.id)
    if (!button) return []
    this.#set(button.id, { cancelAsked: undefined })
    // What the second press wanted is what the first one does.
    if (reason === "double_press") return []
    return this.#note(button, reason, this.#detailOf(button, reason, answer.retryAfterMs), now, "status", answer.retryAfterMs)
  }

  /**
   * What the words for a refusal need to know.
   * @param {ButtonState} button
   * @param {string} reason of the wire, or what closes the button
   * @param {number | undefined} wait ms
   */
  #detailOf(button, reason, wait) {
    switch (reason) {
      case "busy": return button.policy === "parallel" ? String(button.max ?? "") : ""
      case "disabled": return button.disabledReason ?? ""
      case "locked": return button.lock?.reason ?? ""
      case "blocked": case "group_busy": return this.#labelOf(button.blocked?.button)
      default: return seconds(wait)
    }
  }

  /** @param {string | undefined} id */
  #labelOf(id = "") {
    const button = this.replica.entries.get(id)?.button
    return button ? button.label || button.id : ""
  }

  /**
   * The server has never heard of a press. A server with a memory would have: then it did not arrive. One that lost its
   * memory in between cannot tell.
   * @param {import("./presses.js").Press} press
   * @param {number} now
   */
  #unaccounted(press, now) {
    const forgot = press.epoch !== this.replica.epoch && this.hello?.durable === false
    if (!forgot) return this.#lost(press.button, "not_sent", now)
    this.#set(press.button, { unknown: true })
    return this.#lost(press.button, "outcome_unknown", now)
  }

  /**
   * @param {string} id
   * @param {string} code
   * @param {number} now
   */
  #lost(id, code, now) {
    const button = this.replica.entries.get(id)?.button
    return button ? this.#note(button, code, "", now, "alert") : []
  }

  /**
   * @param {"cancel" | "dismiss"} type
   * @param {string} button
   * @param {string} run
   * @returns {Effect[]}
   */
  #ask(type, button, run) {
    const id = this.#nextId++
    this.#asked.set(id, button)
    return [send({ type, id, button, run })]
  }

  /** Whether it arrived is unknown: it may be asked again. */
  #forgetAsked() {
    for (const id of this.#asked.values()) this.#set(id, { cancelAsked: undefined })
    this.#asked.clear()
  }

  /**
   * @param {ButtonState} button
   * @param {"press" | "retry"} type
   * @param {number} now
   * @returns {Effect[]}
   */
  #send(button, type, now) {
    const run = type === "retry" ? { run: runToRetry(button) } : {}
    const message = { type, id: this.#nextId++, button: button.id, ...run, key: this.#newKey(), origin: "dom" }
    this.presses.start(message, this.replica.epoch, now)
    this.#set(button.id, { notice: undefined, acceptedAt: now })
    return [send(message)]
  }

  /**
   * @param {ButtonState} button
   * @param {string} code
   * @param {number} now
   * @returns {Effect[]}
   */
  #refuse(button, code, now) {
    const wait = code === "limited" ? limitedFor(button, now - (this.replica.entries.get(button.id)?.at ?? now)) : undefined
    const reason = reasons[code] ?? code
    const effects = this.#note(button, reason, this.#detailOf(button, reason, wait), now, "status", wait)
    return code === "offline" ? [{ do: "reconnect" }, ...effects] : effects
  }

  /**
   * @param {ButtonState} button
   * @param {string} code
   * @param {string} detail
   * @param {number} now
   * @param {"status" | "alert"} [tone]
   * @param {number} [wait] until it is worth trying again, ms
   * @returns {Effect[]}
   */
  #note(button, code, detail, now, tone = "status", wait) {
    const freeAt = wait === undefined ? undefined : now + wait
    this.#set(button.id, { notice: { code, detail, until: now + noticeFor, freeAt } })
    return announce({ button: button.id, tone, code, label: button.label, message: detail })
  }

  /**
   * @param {import("./replica.js").Change[]} changes
   * @returns {Effect[]}
   */
  #changes(changes) {
    return changes.flatMap(({ before, after }) => {
      const began = after.run && after.run.run !== before?.run?.run
      if (began) this.locals.set(after.id, { notice: undefined, unknown: false })
      this.#changed.add(after.id)
      return announce(...this.announcements.changed(before, after))
    })
  }

  /**
   * @param {string} id
   * @param {import("./locals.js").Local} values
   */
  #set(id, values) {
    this.#changed.add(id)
    this.locals.set(id, values)
  }

  /** Nothing is kept about buttons that left the board. */
  #forget() {
    this.locals.keep(new Set(itemsOf(this.replica.board)))
  }
}

/** @type {Record<string, string>} what closes a button, as the server would call it where that has other words */
const reasons = { limited: "rate_limited", full: "queue_full" }

/** @param {number | undefined} ms */
function seconds(ms) {
  return ms === undefined ? "" : String(Math.ceil(ms / 1_000))
}
