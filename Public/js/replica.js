/**
 * @typedef {import("./protocol.js").ButtonState} ButtonState
 * @typedef {import("./protocol.js").Board} Board
 * @typedef {{button: ButtonState, at: number}} Entry a button, and when this tab heard of it: from then its times count
 * @typedef {{epoch: string, seq: number, board?: Board, buttons: ButtonState[],
 *   resumed: boolean, more: boolean}} Snapshot
 * @typedef {{before: ButtonState | undefined, after: ButtonState}} Change
 * @typedef {{board: Board | null, entries: Map<string, Entry>, seq: number}} Parts
 */

/** The server's state as this tab knows it. Nothing in here is made up locally. */
export class Replica {
  /** @type {Board | null} */
  board = null
  /** @type {Map<string, Entry>} */
  entries = new Map()
  epoch = ""
  seq = 0
  /** @type {Parts | null} the parts of a snapshot until the last one is here */
  #parts = null

  /** Where a new connection may go on, or null if this tab has nothing whole yet. */
  get position() {
    return this.board ? { epoch: this.epoch, seq: this.seq } : null
  }

  /** A new connection begins: half a snapshot of the old one is worth nothing. */
  begin() {
    this.#parts = null
  }

  /**
   * @param {Snapshot} message
   * @param {number} now
   * @returns {boolean} whether the snapshot is whole and now in force
   */
  snapshot(message, now) {
    const keeps = message.resumed && message.epoch === this.epoch
    this.#parts ??= { board: null, entries: keeps ? new Map(this.entries) : new Map(), seq: 0 }
    this.#parts.board ??= message.board ?? null
    this.#parts.seq = message.seq
    for (const button of message.buttons ?? []) put(this.#parts.entries, button, now)
    if (message.more) return false
    this.#swap(message.epoch)
    return true
  }

  /**
   * @param {{seq: number, buttons?: ButtonState[], board?: Board, gone?: string[]}} message
   * @param {number} now
   * @returns {Change[]} what changed; nothing while a snapshot is under way
   */
  state(message, now) {
    const target = this.#parts ?? this
    target.seq = message.seq
    if (message.board) target.board = message.board
    /** @type {Change[]} */
    const changes = []
    for (const button of message.buttons ?? []) {
      const before = target.entries.get(button.id)?.button
      if (put(target.entries, button, now)) changes.push({ before, after: button })
    }
    for (const id of message.gone ?? []) target.entries.delete(id)
    return this.#parts ? [] : changes
  }

  /**
   * The state that came with an answer: for display only, the position stays where it was.
   * @param {ButtonState} button
   * @param {number} now
   * @returns {Change[]}
   */
  answered(button, now) {
    const before = this.entries.get(button.id)?.button
    if (!before || this.#parts) return []
    return put(this.entries, button, now) ? [{ before, after: button }] : []
  }

  /** @param {string} epoch */
  #swap(epoch) {
    const parts = /** @type {Parts} */ (this.#parts)
    this.#parts = null
    this.epoch = epoch
    this.seq = parts.seq
    this.board = parts.board ?? this.board
    this.entries = parts.entries
    const kept = new Set(itemsOf(this.board))
    for (const id of this.entries.keys()) if (!kept.has(id)) this.entries.delete(id)
  }
}

/**
 * Every id on the board, as often as it is placed.
 * @param {Board | null} board
 */
export function itemsOf(board) {
  return (board?.pages ?? []).flatMap((page) => page.sections.flatMap((section) => section.items))
}

/**
 * `rev` rises with every change, so an older state that arrives later is dropped.
 * @param {Map<string, Entry>} entries
 * @param {ButtonState} button
 * @param {number} now
 */
function put(entries, button, now) {
  const known = entries.get(button.id)
  if (known && known.button.rev > button.rev) return false
  entries.set(button.id, { button, at: now })
  return true
}
