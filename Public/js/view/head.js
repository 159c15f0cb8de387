import { arrange, byId, make, setAttribute, setText } from "./dom.js"

/**
 * @typedef {import("../protocol.js").Board} Board
 * @typedef {import("../strings.js").Words} Words
 * @typedef {import("../link.js").Link} Link
 */

/** The line above the board: title, pages, who one is, and whether what one sees is true. */
export class Head {
  #words
  /** @type {Map<string, HTMLAnchorElement>} */
  #tabs = new Map()

  /** @param {Words} words */
  constructor(words) {
    this.#words = words
    byId("pages").setAttribute("aria-label", words.pages)
    new ResizeObserver(([{ target }]) => keepClear(target)).observe(byId("head"))
  }

  /** @param {Link} link */
  showLink({ state }) {
    document.documentElement.dataset.link = state
    setText(byId("link-text"), this.#words.link[state])
    setAttribute(byId("link"), "title", this.#words.linkHint[state])
  }

  /** @param {string | undefined} name */
  showUser(name) {
    setText(byId("you"), name ? this.#words.you(name) : "")
  }

  /**
   * @param {Board} board
   * @param {string} fragment of the address: the page to show
   */
  showBoard(board, fragment) {
    setText(byId("title"), board.title)
    setAttribute(byId("title"), "lang", board.language ?? null)
    if (document.title !== board.title) document.title = board.title
    const shown = board.pages.find((page) => page.id === fragment) ?? board.pages[0]
    const nav = byId("pages")
    nav.hidden = board.pages.length < 2
    arrange(nav, board.pages.map((page) => this.#tab(page.id, page.title, page === shown)))
    for (const element of document.querySelectorAll("[data-page]")) {
      const hidden = element.getAttribute("data-page") !== shown?.id
      if (element instanceof HTMLElement) element.hidden = hidden
    }
  }

  /**
   * @param {string} id
   * @param {string} title
   * @param {boolean} current
   */
  #tab(id, title, current) {
    const tab = this.#tabs.get(id) ?? make("a", { href: `#${id}` })
    this.#tabs.set(id, tab)
    setText(tab, title)
    setAttribute(tab, "aria-current", current ? "page" : null)
    return tab
  }
}

/**
 * What gets the focus is scrolled clear of the head, whose height is known only here.
 * @param {Element} head
 */
function keepClear(head) {
  document.documentElement.style.setProperty("--head", `${head.getBoundingClientRect().height}px`)
}
