import { nameOf } from "./button.js"
import { openDialog } from "./dialog.js"
import { make } from "./dom.js"

/**
 * @typedef {import("../protocol.js").ButtonState} ButtonState
 * @typedef {import("../strings.js").Words} Words
 */

/**
 * Asks before a press that the board wants confirmed, or whose last outcome nobody knows.
 * @param {ButtonState} button
 * @param {"confirm" | "unknown"} why
 * @param {Words} words
 * @returns {Promise<boolean>}
 */
export async function askBeforePress(button, why, words) {
  const name = nameOf(button)
  const destructive = button.role === "destructive"
  const { title, body, word } = question(button, why, words)
  const input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" })
  const content = [make("p", {}, body), ...(word ? [make("label", {}, words.dialog.typeWord(word), input)] : [])]
  const accept = why === "unknown" ? words.retry(name) : name
  const cautious = destructive || why === "unknown"
  if (word) input.autofocus = true
  const answer = await openDialog({
    title,
    content,
    actions: [
      { value: "", text: words.dialog.cancel, kind: "plain", focused: cautious && !word },
      { value: "accept", text: accept, kind: destructive ? "destructive" : "accept", focused: !cautious && !word },
    ],
    prepare: (form) => {
      if (word) requireWord(input, word, /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]")))
    },
  })
  return answer === "accept"
}

/**
 * @param {ButtonState} button
 * @param {"confirm" | "unknown"} why
 * @param {Words} words
 */
function question({ confirm, ...button }, why, { dialog }) {
  const name = nameOf(button)
  const own = typeof confirm === "string" ? { message: confirm } : confirm ?? {}
  const unknown = why === "unknown"
  return {
    title: unknown ? dialog.unknownTitle(name) : own.title || dialog.confirmTitle(name),
    body: unknown ? dialog.unknownBody : own.message || dialog.confirmBody,
    word: own.word,
  }
}

/**
 * @param {HTMLInputElement} input
 * @param {string} word
 * @param {HTMLButtonElement} submit
 */
function requireWord(input, word, submit) {
  const check = () => { submit.disabled = input.value.trim() !== word }
  input.addEventListener("input", check)
  check()
}

/**
 * Shows a failed run whole: the note has room for three lines only.
 * @param {ButtonState} button
 * @param {string} text what went wrong
 * @param {number} age of the outcome, ms
 * @param {Words} words
 * @returns {Promise<boolean>} whether the outcome should be dismissed
 */
export async function showDetails(button, text, age, words) {
  const { dialog, format } = words
  const { error, last } = button
  // Without an error, the last run that the server knows is not the one in question.
  /** @type {[string, string][]} */
  const facts = error && last ? [
    [dialog.startedBy, last.by],
    [dialog.ended, format.moment(last.at, age)],
    [dialog.took, format.duration(last.durationMs)],
    [dialog.code, error.code],
  ] : []
  const list = facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])
  const message = make("pre", { tabindex: "0" }, text)
  const answer = await openDialog({
    title: nameOf(button),
    content: [message, make("dl", {}, ...list)],
    actions: [
      { value: "", text: dialog.close, kind: "plain" },
      { value: "dismiss", text: dialog.dismiss, kind: "accept" },
    ],
  })
  return answer === "dismiss"
}
