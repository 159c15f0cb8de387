import { openDialog } from "./dialog.js"
import { arrange, make, setAttribute, setText } from "./dom.js"

/**
 * @typedef {import("../waiting.js").Row} Row
 * @typedef {import("../strings.js").Words} Words
 * @typedef {{element: HTMLElement, text: HTMLElement, cancel: HTMLButtonElement}} Line
 */

/** The list of those that wait for a button, in a dialog. It stays true while it is open; lines are kept by their run. */
export class WaitingView {
  /** The button whose list is open; "" if none is. */
  button = ""
  #words
  #cancel
  #list = make("ol", { class: "waiting-list" })
  #rest = make("p")
  /** @type {Map<string, Line>} */
  #lines = new Map()

  /**
   * @param {Words} words
   * @param {(id: string, run: string) => void} cancel
   */
  constructor(words, cancel) {
    this.#words = words
    this.#cancel = cancel
  }

  /**
   * @param {string} button
   * @param {string} name
   */
  async open(button, name) {
    this.button = button
    this.#lines.clear()
    this.#list.replaceChildren()
    const { waiting, dialog } = this.#words
    const content = [this.#list, this.#rest]
    await openDialog({ title: waiting.title(name), content, actions: [{ value: "", text: dialog.close, kind: "plain" }] })
    this.button = ""
  }

  /**
   * @param {Row[]} rows
   * @param {number} count how many wait, also those without a row
   */
  update(rows, count) {
    const focused = this.#list.contains(document.activeElement)
    arrange(this.#list, rows.map((row) => this.#show(row)))
    for (const run of this.#lines.keys()) if (!rows.some((row) => row.run === run)) this.#lines.delete(run)
    const { nobody, more } = this.#words.waiting
    const hidden = count - rows.length
    setText(this.#rest, hidden > 0 ? more(hidden) : rows.length ? "" : nobody)
    this.#rest.hidden = this.#rest.textContent === ""
    if (focused && !this.#list.contains(document.activeElement)) this.#closeButton?.focus()
  }

  /** @returns {HTMLElement | null | undefined} */
  get #closeButton() {
    return this.#list.closest("dialog")?.querySelector(".actions button")
  }

  /** @param {Row} row */
  #show({ run, text, cancel }) {
    const line = this.#lines.get(run) ?? this.#make(run)
    setText(line.text, text)
    line.cancel.hidden = !cancel
    if (cancel) {
      setText(line.cancel, cancel.visible)
      setAttribute(line.cancel, "aria-label", cancel.name)
      setAttribute(line.cancel, "aria-disabled", cancel.disabled ? "true" : null)
    }
    return line.element
  }

  /** @param {string} run */
  #make(run) {
    const text = make("span", { dir: "auto" })
    const cancel = make("button", { type: "button", class: "cancel" })
    cancel.addEventListener("click", () => this.#cancel(this.button, run))
    const line = { element: make("li", {}, text, cancel), text, cancel }
    this.#lines.set(run, line)
    return line
  }
}
