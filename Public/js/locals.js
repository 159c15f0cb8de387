/**
 * @typedef {{code: string, detail: string, until: number}} Notice a word about this tab's own doing, for a while
 *
 * @typedef {object} Local
 * @property {Notice} [notice]
 * @property {boolean} [unknown] nobody can tell what became of this tab's last press
 * @property {number} [acceptedAt] when the last click became a press
 * @property {string} [cancelAsked] the run that this tab wants ended
 */

/** What only this tab knows about each button. Bounded by the board: `keep` drops the rest. */
export class Locals {
  /** @type {Map<string, Local>} */
  #byButton = new Map()

  /**
   * @param {string} id
   * @returns {Local}
   */
  of(id) {
    return this.#byButton.get(id) ?? {}
  }

  /**
   * @param {string} id
   * @param {Local} values
   */
  set(id, values) {
    this.#byButton.set(id, { ...this.of(id), ...values })
  }

  /**
   * @param {number} now
   * @returns {string[]} the buttons whose notice has been there long enough
   */
  expire(now) {
    const over = [...this.#byButton].filter(([, { notice }]) => notice && notice.until <= now).map(([id]) => id)
    for (const id of over) this.set(id, { notice: undefined })
    return over
  }

  /** When `expire` has something to do; Infinity if never. */
  get deadline() {
    return Math.min(...[...this.#byButton.values()].map(({ notice }) => notice?.until ?? Infinity))
  }

  /** @param {Set<string>} ids */
  keep(ids) {
    for (const id of this.#byButton.keys()) if (!ids.has(id)) this.#byButton.delete(id)
  }
}
