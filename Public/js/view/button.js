import { takesPressesWhileBusy } from "../intent.js"
import { make, setAttribute, setHidden, setText } from "./dom.js"
import { IconSlot, picture } from "./icon.js"
import { tintValue } from "./tint.js"

/**
 * @typedef {import("../protocol.js").ButtonState} ButtonState
 * @typedef {import("../display.js").Shown} Shown
 * @typedef {import("../strings.js").Words} Words
 *
 * @typedef {object} Handlers
 * @property {(id: string, event: MouseEvent) => void} press
 * @property {(id: string, run: string) => void} cancel
 * @property {(id: string) => void} details
 * @property {(id: string) => void} waiting
 */

/** One placement of one button. Made once; after that only attributes and owned text change. */
export class ButtonView {
  element
  #main
  #icon = new IconSlot()
  /** @type {Record<string, HTMLElement>} */
  #labels
  #cancel = make("button", { type: "button", class: "cancel", hidden: "" })
  #bar
  #fill = make("span", { class: "fill" })
  #noteText = make("span", { class: "text", dir: "auto" })
  #count = make("span")
  #waiting = make("button", { type: "button", class: "waiting", hidden: "" }, picture("clock"), this.#count)
  #details = make("button", { type: "button", class: "details", hidden: "" })
  /** The run that the cancel button would end. */
  #cancelRun = ""
  /** @type {Words} */
  #words

  /**
   * @param {string} id
   * @param {string} domId unique on the page, where `id` may be placed twice
   * @param {Words} words
   * @param {Handlers} handlers
   */
  constructor(id, domId, words, handlers) {
    this.#words = words
    this.#labels = { idle: label("idle"), busy: label("busy"), failure: label("failure") }
    // The board's text is in the board's language, the page's own in the page's.
    for (const own of [this.#noteText, this.#cancel, this.#details]) own.lang = words.language
    const noteId = `${domId}-note`
    const labels = make("span", { class: "labels" }, ...Object.values(this.#labels))
    this.#main = make("button", { type: "button", class: "main", "aria-describedby": noteId })
    this.#main.append(this.#icon.element, labels)
    const scale = { "aria-valuemin": "0", "aria-valuemax": "100" }
    this.#bar = make("div", { class: "bar", role: "progressbar", ...scale, hidden: "" }, this.#fill)
    const note = make("p", { class: "note", id: noteId }, this.#noteText, this.#details)
    const parts = [this.#main, this.#waiting, this.#cancel, this.#bar, note]
    this.element = make("div", { class: "async-button", "data-button": id }, ...parts)
    this.#main.addEventListener("click", (event) => handlers.press(id, event))
    this.#main.addEventListener("keydown", ignoreRepeat)
    this.#cancel.addEventListener("click", () => handlers.cancel(id, this.#cancelRun))
    this.#waiting.addEventListener("click", () => handlers.waiting(id))
    this.#details.addEventListener("click", () => handlers.details(id))
  }

  /**
   * @param {ButtonState} button
   * @param {Shown} shown
   */
  update(button, shown) {
    this.#describe(button)
    const before = this.element.dataset.phase
    // The first drawing of a state is no event: only later ones may animate.
    if (before && before !== shown.phase) setAttribute(this.element, "data-moved", "")
    setAttribute(this.element, "data-phase", shown.phase)
    setAttribute(this.#main, "aria-disabled", shown.disabled ? "true" : null)
    this.#icon.show(shown.glyph)
    this.#showLabel(shown.label)
    this.#showCancel(shown.cancel)
    this.#showBar(shown.bar)
    setText(this.#noteText, shown.note)
    this.#showWaiting(shown.waiting)
    setHidden(this.#details, !shown.details, this.#main)
  }

  /** @param {ButtonState} button what the board says of it, whatever its phase */
  #describe(button) {
    const { element } = this
    const name = nameOf(button)
    setText(this.#labels.idle, name)
    setText(this.#labels.busy, button.busyLabel ?? "")
    setText(this.#labels.failure, this.#words.retry(name))
    setText(this.#details, this.#words.details.visible)
    setAttribute(this.#details, "aria-label", this.#words.details.name(name))
    setAttribute(this.#bar, "aria-label", name)
    this.#icon.setIcon(button.icon ?? "")
    setAttribute(element, "data-icon", button.icon ? "own" : "none")
    setAttribute(element, "data-icon-only", button.iconOnly ? "" : null)
    setAttribute(element, "data-role", button.role ?? "normal")
    setAttribute(element, "data-size", button.size ?? "regular")
    setAttribute(element, "data-queues", takesPressesWhileBusy(button) ? "" : null)
    setAttribute(element, "data-width", button.width ?? "fit")
    setAttribute(element, "data-style", button.style ?? "bordered")
    setAttribute(element, "data-placement", button.progressPlacement ?? "leading")
    setAttribute(element, "data-success", button.successStyle ?? "check")
    setAttribute(element, "data-failure", button.failureStyle ?? "none")
    const tint = tintValue(button.tint)
    if (tint) element.style.setProperty("--tint", tint)
    else element.style.removeProperty("--tint")
  }

  /** @param {string} shown */
  #showLabel(shown) {
    for (const [name, element] of Object.entries(this.#labels)) {
      setAttribute(element, "aria-hidden", name === shown ? null : "true")
    }
  }

  /** @param {Shown["cancel"]} cancel */
  #showCancel(cancel) {
    if (cancel) {
      this.#cancelRun = cancel.run
      setText(this.#cancel, cancel.visible)
      setAttribute(this.#cancel, "aria-label", cancel.name)
      setAttribute(this.#cancel, "aria-disabled", cancel.disabled ? "true" : null)
    }
    setHidden(this.#cancel, !cancel, this.#main)
  }

  /** @param {Shown["waiting"]} waiting */
  #showWaiting(waiting) {
    if (waiting) {
      setText(this.#count, waiting.visible)
      setAttribute(this.#waiting, "aria-label", waiting.name)
    }
    setHidden(this.#waiting, !waiting, this.#main)
  }

  /** @param {number | null} fraction */
  #showBar(fraction) {
    if (fraction !== null) {
      setAttribute(this.#bar, "aria-valuenow", String(Math.round(fraction * 100)))
      this.#fill.style.setProperty("--value", String(fraction))
    }
    setHidden(this.#bar, fraction === null, this.#main)
  }
}

/** @param {string} name */
function label(name) {
  return make("span", { class: "label", "data-for": name, dir: "auto" })
}

/**
 * A key that is held down would click again and again.
 * @param {KeyboardEvent} event
 */
function ignoreRepeat(event) {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault()
}

/**
 * What a button is called; never empty.
 * @param {ButtonState} button
 */
export function nameOf(button) {
  return button.label || button.id
}
