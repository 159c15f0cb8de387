/** The few ways in which this page writes to the document: never as HTML, and only what differs. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {Node[]} children
 */
export function makeSVG(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/**
 * @param {Element} element an owned one, without children
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value null takes it away
 */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/**
 * Hides or shows; if the focus was in there, it goes to a neighbour instead of getting lost.
 * @param {HTMLElement} element
 * @param {boolean} hidden
 * @param {HTMLElement} neighbour
 */
export function setHidden(element, hidden, neighbour) {
  if (element.hidden === hidden) return
  const focused = hidden && element.contains(document.activeElement)
  element.hidden = hidden
  if (focused) neighbour.focus({ preventScroll: true })
}

/**
 * Makes the children of `parent` these, in this order. What stays is not touched, so focus and scroll stay too.
 * @param {Element} parent
 * @param {HTMLElement[]} wanted
 * @returns {boolean} whether something that was there has moved or gone
 */
export function arrange(parent, wanted) {
  const keep = new Set(wanted)
  const focused = document.activeElement
  let moved = false
  for (const child of [...parent.children]) {
    if (keep.has(/** @type {HTMLElement} */ (child))) continue
    child.remove()
    moved = true
  }
  wanted.forEach((element, index) => {
    const there = parent.children[index]
    if (there === element) return
    moved ||= element.parentNode === parent || there !== undefined
    parent.insertBefore(element, there ?? null)
  })
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true })
  }
  return moved
}

/** @param {string} id of an element that the page has from the start */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}
