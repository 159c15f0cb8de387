/** How old an unanswered press may be to be sent again: a later start would surprise. ms */
export const resendWithin = 10_000
/** After this long without an answer the tab says so and asks for the whole state. ms */
export const answerWithin = 5_000

/**
 * @typedef {object} Press
 * @property {number} id echoed by the answer
 * @property {string} button
 * @property {Record<string, unknown>} message as sent, its key included
 * @property {string} epoch
 * @property {number} sentAt
 * @property {number} askedAt when it was last put to the server
 * @property {boolean} quiet no answer in time
 * @property {boolean} lookup asking what became of it, not pressing again
 */

/** The presses without an answer yet: at most one per button, so the list is bounded by the board. */
export class Presses {
  /** @type {Map<string, Press>} */
  #byButton = new Map()

  /** @param {string} button */
  of(button) {
    return this.#byButton.get(button)
  }

  get isEmpty() {
    return this.#byButton.size === 0
  }

  /**
   * @param {Record<string, unknown> & {id: number, button: string}} message
   * @param {string} epoch
   * @param {number} now
   */
  start(message, epoch, now) {
    const { id, button } = message
    this.#byButton.set(button, { id, button, message, epoch, sentAt: now, askedAt: now, quiet: false, lookup: false })
  }

  /**
   * @param {unknown} id of the answer
   * @returns {Press | undefined} the press that it ends
   */
  answer(id) {
    const press = [...this.#byButton.values()].find((each) => each.id === id)
    if (press) this.#byButton.delete(press.button)
    return press
  }

  /**
   * A new connection has the whole state: what to put to the server about the presses that the old one took with it.
   * The same life of the server knows the key, so a young press is sent again; else it is only asked about.
   * @param {string} epoch
   * @param {number} now
   */
  resume(epoch, now) {
    return [...this.#byButton.values()].map((press) => {
      press.lookup ||= press.epoch !== epoch || now - press.sentAt > resendWithin
      press.askedAt = now
      press.quiet = false
      const { id, button, message } = press
      return press.lookup ? { type: "lookup", id, button, key: message.key } : message
    })
  }

  /**
   * @param {number} now
   * @returns {Press[]} those that have just become too old to hope for an answer
   */
  fallQuiet(now) {
    const late = [...this.#byButton.values()].filter((press) => !press.quiet && now - press.askedAt >= answerWithin)
    for (const press of late) press.quiet = true
    return late
  }

  /**
   * A whole state came behind them on the same connection, and no answer: it will not come.
   * @returns {Press[]}
   */
  giveUpQuiet() {
    const lost = [...this.#byButton.values()].filter((press) => press.quiet)
    for (const press of lost) this.#byButton.delete(press.button)
    return lost
  }

  get deadline() {
    const waiting = [...this.#byButton.values()].filter((press) => !press.quiet)
    return Math.min(...waiting.map((press) => press.askedAt + answerWithin))
  }
}
