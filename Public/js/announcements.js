/**
 * @typedef {import("./protocol.js").ButtonState} ButtonState
 * @typedef {{button: string, tone: "status" | "alert", code: string, label: string, message: string}} Announcement
 */

const busy = new Set(["held", "pending", "spinning"])
const alarming = new Set(["failed", "unknown"])

/** Says aloud what became of the runs that this tab began; nothing about anyone else's. */
export class Announcements {
  /** @type {string[]} the runs of this tab, newest last */
  #own = []
  /** @type {Set<string>} */
  #clients = new Set()
  /** @type {Set<string>} runs whose end has been said */
  #said = new Set()

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
    // Sixty-four are more than one person watches; an older run is no longer news.
    if (this.#own.length > 64) this.#said.delete(/** @type {string} */ (this.#own.shift()))
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
      if (this.isOwn(button.run)) this.began(button.run?.run)
      if (button.last && !busy.has(button.phase)) this.#said.add(button.last.run)
    }
    for (const run of this.#said) if (!this.#own.includes(run)) this.#said.delete(run)
  }

  /**
   * @param {ButtonState | undefined} before
   * @param {ButtonState} after
   * @returns {Announcement | null}
   */
  changed(before, after) {
    if (this.isOwn(after.run)) this.began(after.run?.run)
    if (busy.has(after.phase)) return this.isOwn(after.run) ? underWay(before, after) : null
    const last = after.last
    if (!last || !this.#own.includes(last.run) || this.#said.has(last.run)) return null
    this.#said.add(last.run)
    const tone = alarming.has(last.outcome) ? "alert" : "status"
    return announcement(after, tone, last.outcome, after.error?.message)
  }
}

/**
 * @param {ButtonState | undefined} before
 * @param {ButtonState} after
 */
function underWay(before, after) {
  if (after.run?.cancelling) return before?.run?.cancelling ? null : announcement(after, "status", "cancelling")
  if (after.phase === "spinning" && before?.phase !== "spinning") return announcement(after, "status", "running")
  if (after.phase === "held" && before?.phase !== "held") return announcement(after, "status", "held")
  return null
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
