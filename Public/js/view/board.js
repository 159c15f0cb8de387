import { itemsOf } from "../replica.js"
import { ButtonView } from "./button.js"
import { arrange, make, setAttribute } from "./dom.js"
import { message } from "./message.js"
import { Sections } from "./section.js"

/**
 * @typedef {import("../protocol.js").Board} Board
 * @typedef {import("../strings.js").Words} Words
 * @typedef {import("./button.js").Handlers} Handlers
 */

/** After a move, a finger may still be on its way to what was there before. ms */
export const settleFor = 300

/** The pages, sections and buttons of a board: keyed nodes that stay where they can. */
export class BoardView {
  #root
  #words
  #handlers
  #sections = new Sections()
  /** @type {Map<string, HTMLElement>} */
  #pages = new Map()
  /** @type {Map<string, ButtonView[]>} the placements of each button */
  #views = new Map()
  #pressed = false
  #movedAt = -Infinity
  /** @type {Board | null} a layout that waits until the pointer is up */
  #waiting = null

  /**
   * @param {HTMLElement} root
   * @param {Words} words
   * @param {Handlers} handlers
   */
  constructor(root, words, handlers) {
    this.#root = root
    this.#words = words
    this.#handlers = handlers
    root.addEventListener("pointerdown", () => { this.#pressed = true })
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => this.#released())
  }

  /** @param {string} id */
  views(id) {
    return this.#views.get(id) ?? []
  }

  /**
   * @param {MouseEvent} event
   * @returns {boolean} whether the click was meant for what stood there a moment ago
   */
  isStray(event) {
    return event.detail > 0 && performance.now() - this.#movedAt < settleFor
  }

  /**
   * Lays the board out; nothing moves under a pressed pointer.
   * @param {Board} board
   * @returns {boolean} whether it is laid out now
   */
  layOut(board) {
    this.#waiting = this.#pressed && this.#views.size ? board : null
    if (this.#waiting) return false
    const first = this.#views.size === 0
    if (this.#arrange(board) && !first) this.#movedAt = performance.now()
    return true
  }

  /** Called when a waiting layout may be done. */
  onReleased = () => {}

  #released() {
    this.#pressed = false
    // The click of this very pointer comes first.
    if (this.#waiting) setTimeout(() => this.onReleased())
  }

  /** @param {Board} board */
  #arrange(board) {
    setAttribute(this.#root, "lang", board.language ?? null)
    const placed = new Set(itemsOf(board))
    for (const id of this.#views.keys()) if (!placed.has(id)) this.#views.delete(id)
    /** @type {Map<string, number>} */
    const used = new Map()
    const take = (/** @type {string} */ id) => {
      const index = used.get(id) ?? 0
      used.set(id, index + 1)
      return this.#placement(id, index).element
    }
    if (placed.size === 0) return arrange(this.#root, [message(this.#words.empty)])
    let moved = false
    const pages = board.pages.map((page) => {
      const element = this.#page(page.id)
      moved = this.#sections.arrange(element, page, take) || moved
      return element
    })
    for (const [id, views] of this.#views) views.length = used.get(id) ?? 0
    return arrange(this.#root, pages) || moved
  }

  /**
   * A button may stand in several places: the first has the button's own id in the document, the others a numbered one.
   * @param {string} id
   * @param {number} index
   */
  #placement(id, index) {
    const views = this.#views.get(id) ?? []
    this.#views.set(id, views)
    views[index] ??= new ButtonView(id, index ? `${id}:${index + 1}` : id, this.#words, this.#handlers)
    return views[index]
  }

  /** @param {string} id */
  #page(id) {
    const page = this.#pages.get(id) ?? make("div", { class: "page", "data-page": id })
    this.#pages.set(id, page)
    return page
  }
}
