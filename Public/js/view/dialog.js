import { make } from "./dom.js"

/**
 * @typedef {object} Action
 * @property {string} value what the dialog answers
 * @property {string} text
 * @property {"plain" | "accept" | "destructive"} kind
 * @property {boolean} [focused] where the focus starts; else at the first that can have it
 */

let count = 0

/**
 * Opens a modal question. The browser keeps the focus inside and gives it back afterwards; Escape answers "".
 * @param {object} what
 * @param {string} what.title
 * @param {Node[]} what.content
 * @param {Action[]} what.actions the first one is the way out
 * @param {(form: HTMLFormElement) => void} [what.prepare]
 * @returns {Promise<string>}
 */
export function openDialog({ title, content, actions, prepare }) {
  const titleId = `dialog-${++count}`
  const buttons = actions.map(makeAction)
  const row = make("div", { class: "actions" }, ...buttons)
  const body = make("div", { class: "body" }, ...content)
  const form = make("form", { method: "dialog" }, make("h2", { id: titleId }, title), body, row)
  const dialog = make("dialog", { "aria-labelledby": titleId }, form)
  // The way out must not be what Enter in a field chooses, so it is no submit button.
  buttons[0].addEventListener("click", () => dialog.close(""))
  prepare?.(form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove()
      resolve(dialog.returnValue)
    })
  })
}

/** Whether someone is being asked something. */
export function dialogIsOpen() {
  return document.querySelector("dialog[open]") !== null
}

/**
 * @param {Action} action
 * @param {number} index
 */
function makeAction({ value, text, kind, focused }, index) {
  const button = make("button", { type: index === 0 ? "button" : "submit", value, "data-kind": kind }, text)
  button.autofocus = focused ?? false
  return button
}
