/**
 * @typedef {import("./protocol.js").ButtonState} ButtonState
 * @typedef {{run: string, outcome: string, message: string}} End
 * @typedef {{button: string, tone: "status" | "alert", code: string, label: string, message: string}} Announcement
 */

const busy = new Set(["held", "pending", "spinning"])
/** More runs than one person watches; an older one is no longer news. */
const mostOwn = 64
const alarming = new Set(["failed", "unknown"])

/** Says aloud what became of the runs that this tab began; nothing about anyone else's. */
export class Announcements {
  /** @type {string[]} the runs of this tab, newest last */
  #own = []
  /** @type {Set<string>} */
  #clients = new Set()
  /** @type {Set<string>} runs whose end has been said */
  #said = new Set()
  /** @type {Map<string, End[]>} ends of own runs by button, until the button shows what comes after */
  #ends = new Map()

  /**
   * Another life of the server knows none of the old clients.
   * @param {string} client
   * @param {boolean} anew
   */
  connected(client, anew) {
    if (anew) this.#clients.clear()
    this.#clients.add(client)
  }

  /** @param {string | undefined} run */
  began(run) {
    if (!run || this.#own.includes(run)) return
    this.#own.push(run)
    if (this.#own.length > mostOwn) this.#said.delete(/** @type {string} */ (this.#own.shift()))
  }

  /**
   * Of several runs that end together a state names only the last one.
   * @param {import("./protocol.js").RunMessage} message
   */
  told({ run, button, change, outcome = "", error }) {
    if (change !== "ended" || !this.#own.includes(run) || this.#said.has(run)) return
    const ends = [...(this.#ends.get(button) ?? []), { run, outcome, message: error?.message ?? "" }]
    this.#ends.set(button, ends.slice(-mostOwn))
  }

  /** @param {{run: string, client?: string} | undefined} run */
  isOwn(run) {
    return Boolean(run && (this.#own.includes(run.run) || this.#clients.has(run.client ?? "")))
  }

  /**
   * A snapshot is silent: what it shows has been so for a while.
   * @param {Iterable<ButtonState>} buttons
   */
  caughtUp(buttons) {
    for (const button of buttons) {
      this.#adopt(button)
      if (button.last && !isSettling(button)) this.#said.add(button.last.run)
    }
    this.#ends.clear()
    for (const run of this.#said) if (!this.#own.includes(run)) this.#said.delete(run)
  }

  /**
   * @param {ButtonState | undefined} before
   * @param {ButtonState} after
   * @returns {Announcement[]} the most important last, for of one button only the last is said
   */
  changed(before, after) {
    this.#adopt(after)
    const waits = (after.queue ?? []).flatMap((waiting, index) => (this.#isNew(waiting, before) ? [held(after, waiting, index + 1)] : []))
    const active = this.isOwn(after.run) ? underWay(before, after) : []
    return [...waits.slice(-1), ...active, ...this.#ended(after)]
  }

  /** @param {ButtonState} button */
  #adopt({ run, queue = [] }) {
    for (const each of [run, ...queue]) if (each && this.isOwn(each)) this.began(each.run)
  }

  /**
   * @param {import("./protocol.js").Waiting} waiting
   * @param {ButtonState | undefined} before
   */
  #isNew(waiting, before) {
    return this.isOwn(waiting) && !before?.queue?.some((each) => each.run === waiting.run)
  }

  /**
   * What has ended and is not hidden behind a spinner that lingers; failures last.
   * @param {ButtonState} button
   */
  #ended(button) {
    if (isSettling(button)) return []
    const told = this.#ends.get(button.id) ?? []
    this.#ends.delete(button.id)
    const { last, error } = button
    const shown = last ? [{ run: last.run, outcome: last.outcome, message: error?.message ?? "" }] : []
    const news = [...told, ...shown].filter(({ run }) => {
      const isNew = this.#own.includes(run) && !this.#said.has(run)
      if (isNew) this.#said.add(run)
      return isNew
    })
    const said = news.map(({ outcome, message }) => announcement(button, toneOf(outcome), outcome, message))
    return [...said.filter(({ tone }) => tone === "status"), ...said.filter(({ tone }) => tone === "alert")]
  }
}

/**
 * The runs are over, and the spinner is shown to the end of its shortest time.
 * @param {ButtonState} button
 */
function isSettling({ phase, settling }) {
  return Boolean(settling) && busy.has(phase)
}

/**
 * @param {ButtonState | undefined} before
 * @param {ButtonState} after
 * @returns {Announcement[]}
 */
function underWay(before, after) {
  const same = before?.run?.run === after.run?.run
  if (after.run?.cancelling) return same && before?.run?.cancelling ? [] : [announcement(after, "status", "cancelling")]
  return after.phase === "spinning" && !(same && before?.phase === "spinning") ? [announcement(after, "status", "running")] : []
}

/**
 * @param {ButtonState} button
 * @param {import("./protocol.js").Waiting} waiting
 * @param {number} position
 */
function held(button, waiting, position) {
  if (waiting.leftMs === undefined) return announcement(button, "status", "held", String(position))
  return announcement(button, "status", "countdown", String(Math.ceil(waiting.leftMs / 1_000)))
}

/**
 * @param {string} outcome
 * @returns {"status" | "alert"}
 */
function toneOf(outcome) {
  return alarming.has(outcome) ? "alert" : "status"
}

/**
 * @param {ButtonState} button
 * @param {"status" | "alert"} tone
 * @param {string} code
 * @returns {Announcement}
 */
function announcement(button, tone, code, message = "") {
  return { button: button.id, tone, code, label: button.label, message }
}
