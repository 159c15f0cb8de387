import { arrange, make, setText } from "./dom.js"

/** @typedef {import("../protocol.js").Page} Page */

/** The cards of a page, found again by page and title. */
export class Sections {
  /** @type {Map<string, {card: HTMLElement, title: HTMLElement, grid: HTMLElement}>} */
  #cards = new Map()

  /**
   * @param {HTMLElement} parent
   * @param {Page} page
   * @param {(id: string) => HTMLElement} take the element of an item's next placement
   * @returns {boolean} whether something moved
   */
  arrange(parent, page, take) {
    let moved = false
    /** @type {Map<string, number>} */
    const used = new Map()
    const cards = page.sections.map((section) => {
      const count = used.get(section.title) ?? 0
      used.set(section.title, count + 1)
      const { card, title, grid } = this.#card(`${page.id}/${count}/${section.title}`)
      setText(title, section.title)
      title.hidden = section.title === ""
      card.style.setProperty("--count", String(Math.max(1, section.items.length)))
      moved = arrange(grid, section.items.map(take)) || moved
      return card
    })
    return arrange(parent, cards) || moved
  }

  /** @param {string} key */
  #card(key) {
    const known = this.#cards.get(key)
    if (known) return known
    const title = make("h2")
    const grid = make("div", { class: "grid" })
    const made = { title, grid, card: make("section", {}, title, grid) }
    this.#cards.set(key, made)
    return made
  }
}
