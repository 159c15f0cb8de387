import { make, makeSVG, setAttribute, setText } from "./dom.js"
import { dash, drawingOf, isCharacter, spinnerArc, spinnerTrack } from "./icons.js"
import { joinTheClock } from "./spinners.js"

/** @typedef {import("../display.js").Shown["glyph"]} Glyph */

/** @type {Record<string, string>} what a phase draws in place of the button's own icon */
const glyphs = {
  spinner: spinnerArc, dash, check: drawingOf("check"), warning: drawingOf("warning"), question: drawingOf("question"),
  clock: drawingOf("clock"),
}

/** The square beside a label. Its nodes stay; only the path, a character and attributes change. */
export class IconSlot {
  element
  #character = make("span", { class: "character" })
  #path = makeSVG("path", { pathLength: "1" })
  #drawing
  #icon = ""

  constructor() {
    const track = makeSVG("path", { class: "track", d: spinnerTrack })
    this.#drawing = makeSVG("svg", { viewBox: "0 0 24 24" }, track, this.#path)
    this.element = make("span", { class: "icon", "aria-hidden": "true" }, this.#drawing, this.#character)
  }

  /** @param {string} icon a name, a character, or nothing */
  setIcon(icon) {
    this.#icon = icon
  }

  /** @param {Glyph} glyph */
  show(glyph) {
    const own = glyph === "own"
    const character = own && isCharacter(this.#icon)
    setText(this.#character, character ? this.#icon : "")
    if (!own) setAttribute(this.#path, "d", glyphs[glyph])
    else if (this.#icon && !character) setAttribute(this.#path, "d", drawingOf(this.#icon))
    const empty = own && !this.#icon
    const before = this.element.dataset.glyph
    setAttribute(this.element, "data-glyph", empty ? "none" : character ? "character" : glyph)
    if (glyph === "spinner" && before !== "spinner") joinTheClock(this.#drawing)
  }
}
