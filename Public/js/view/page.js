import { display } from "../display.js"
import { BoardView } from "./board.js"
import { nameOf } from "./button.js"
import { byId, make } from "./dom.js"
import { Head } from "./head.js"
import { message } from "./message.js"

/**
 * @typedef {import("../store.js").Store} Store
 * @typedef {import("../strings.js").Words} Words
 * @typedef {import("../protocol.js").ButtonState} ButtonState
 */

/** Draws what changed in the store, once per frame of the screen. */
export class PageView {
  #store
  #words
  #root = byId("board")
  #board
  #head
  #requested = false
  /** @type {Map<string, number>} when a button looks different by itself */
  #until = new Map()
  /** Told after each drawing: `deadline` may have moved. */
  onDrawn = () => {}

  /**
   * @param {Store} store
   * @param {Words} words
   * @param {import("./button.js").Handlers} handlers
   */
  constructor(store, words, handlers) {
    this.#store = store
    this.#words = words
    this.#board = new BoardView(this.#root, words, handlers)
    this.#board.onReleased = () => this.redraw()
    this.#head = new Head(words)
  }

  /**
   * When something has to be drawn though nothing arrived; Infinity if never. A drawing that is on its way sees to it
   * all, and in a hidden tab it is on its way until the tab is looked at.
   */
  get deadline() {
    return this.#requested ? Infinity : Math.min(...this.#until.values())
  }

  drawSoon() {
    if (this.#requested) return
    this.#requested = true
    requestAnimationFrame(() => this.#draw())
  }

  /** Everything again, the layout included. */
  redraw() {
    this.#drawAll()
    this.onDrawn()
  }

  /** @param {MouseEvent} event */
  isStray(event) {
    return this.#board.isStray(event)
  }

  /** @param {() => void} reload */
  offerRenewal(reload) {
    const { text, action } = this.#words.renewal
    const button = make("button", { type: "button" }, action)
    button.addEventListener("click", reload)
    const offer = byId("renewal")
    offer.replaceChildren(make("span", {}, text), button)
    offer.hidden = false
  }

  /**
   * What a screen reader hears.
   * @param {import("../announcements.js").Announcement} announcement
   */
  said({ code, label, message, button }) {
    const words = this.#words
    const name = label || button
    const said = words.said[code]
    if (said) return said(name, message)
    return words.saidOf(name, (words.refusals[code] ?? (() => words.refused(code)))(message))
  }

  /** @param {ButtonState} button how long ago its last run ended, ms, by the server's clock */
  ageOf(button) {
    return this.#serverNow() - (button.last?.at ?? 0)
  }

  #draw() {
    this.#requested = false
    const changed = this.#store.takeChanged()
    const now = performance.now()
    for (const [id, until] of this.#until) if (until <= now) changed.add(id)
    if (changed.has("link") || changed.has("*")) this.#drawHead()
    if (changed.has("*")) this.#drawAll()
    else for (const id of changed) this.#drawButton(id)
    this.onDrawn()
  }

  #drawHead() {
    const { link, hello, replica } = this.#store
    this.#head.showLink(link)
    this.#head.showUser(hello?.user?.name)
    if (replica.board) return
    const { unreachable, loading } = this.#words
    this.#root.replaceChildren(message(link.unreachable ? unreachable : loading))
  }

  #drawAll() {
    const { board, entries } = this.#store.replica
    if (!board) return
    if (this.#board.layOut(board)) this.#head.showBoard(board, location.hash.slice(1))
    for (const id of this.#until.keys()) if (!entries.has(id)) this.#until.delete(id)
    for (const id of entries.keys()) this.#drawButton(id)
  }

  /** @param {string} id */
  #drawButton(id) {
    const entry = this.#store.replica.entries.get(id)
    if (!entry) return
    const shown = display(this.#seen(id, entry), this.#words)
    if (shown.until < Infinity) this.#until.set(id, shown.until)
    else this.#until.delete(id)
    for (const view of this.#board.views(id)) view.update(entry.button, shown)
  }

  /**
   * @param {string} id
   * @param {import("../replica.js").Entry} entry
   */
  #seen(id, { button, at }) {
    const store = this.#store
    return {
      button,
      at,
      press: store.presses.of(id),
      local: store.locals.of(id),
      stale: store.link.state === "stale",
      now: performance.now(),
      serverNow: this.#serverNow(),
      isOwn: (/** @type {{run: string, client?: string} | undefined} */ run) => store.announcements.isOwn(run),
      labelOf: (/** @type {string} */ other) => {
        const named = store.replica.entries.get(other)?.button
        return named ? nameOf(named) : ""
      },
    }
  }

  #serverNow() {
    const { hello, helloAt } = this.#store
    return (hello?.time ?? 0) + performance.now() - helloAt
  }
}
