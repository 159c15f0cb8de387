import { closedBy, isBusy, runToRetry } from "./intent.js"
import { noteOf } from "./note.js"

/**
 * @typedef {import("./strings.js").Words} Words
 * @typedef {import("./protocol.js").ButtonState} ButtonState
 * @typedef {import("./presses.js").Press} Press
 * @typedef {import("./locals.js").Local} Local
 *
 * @typedef {object} Seen what a button looks like is made from
 * @property {ButtonState} button
 * @property {number} at when this tab heard of it
 * @property {Press | undefined} press
 * @property {Local} local
 * @property {boolean} stale
 * @property {number} now
 * @property {number} serverNow epoch ms by the server's clock
 * @property {(run: {run: string, client?: string} | undefined) => boolean} isOwn
 * @property {(id: string) => string} labelOf another button's label
 *
 * @typedef {object} Shown
 * @property {string} phase
 * @property {boolean} disabled
 * @property {"idle" | "busy" | "failure"} label
 * @property {"own" | "spinner" | "check" | "warning" | "question" | "clock" | "dash"} glyph
 * @property {string} note
 * @property {boolean} details
 * @property {{visible: string, name: string, disabled: boolean} | null} cancel
 * @property {number | null} bar 0…1
 * @property {number} until when it looks different though nothing arrived; Infinity if never
 */

/** How long the spinner waits for the answer to a press. ms */
export const sendingSpinnerAfter = 150
/** When the cancel button shows: never under a double click. ms */
export const cancelAfter = 1_000
/** An estimate fills this much of the bar and waits there. */
const estimateFills = 0.85

/**
 * How one button looks now: a pure projection, drawn by `view/button.js`.
 * @param {Seen} seen
 * @param {Words} words
 * @returns {Shown}
 */
export function display(seen, words) {
  const { button, stale, now } = seen
  const phase = phaseOf(seen)
  const shown = stale ? "stale" : phase
  const elapsed = button.run ? button.run.elapsedMs + (now - seen.at) : 0
  return {
    phase: shown,
    disabled: stale || phase === "sending" || isBusy(button) || closedBy(button) !== null,
    label: labelOf(phase, button),
    glyph: glyphOf(shown, seen),
    note: noteOf(seen, shown, phase, elapsed, words),
    details: phase === "failure" || phase === "unknown",
    cancel: cancelOf(seen, elapsed, words),
    bar: barOf(button, phase, elapsed),
    until: untilOf(seen, phase, elapsed),
  }
}

/**
 * The row of the design's table, the connection left out.
 * @param {Seen} seen
 */
function phaseOf({ button, press, local }) {
  if (press) return "sending"
  if (button.run?.cancelling && isRunning(button.phase)) return "cancelling"
  if (button.phase !== "idle") return button.phase
  if (local.unknown) return "unknown"
  const closed = closedBy(button)
  return closed === "removed" ? "disabled" : closed ?? "idle"
}

/** @param {string} phase */
export function isRunning(phase) {
  return phase === "pending" || phase === "spinning"
}

/**
 * @param {string} phase
 * @param {ButtonState} button
 */
function labelOf(phase, button) {
  if (phase === "failure" || phase === "unknown") return runToRetry(button) || phase === "unknown" ? "failure" : "idle"
  return (phase === "spinning" || phase === "cancelling") && button.busyLabel ? "busy" : "idle"
}

/**
 * @param {string} phase
 * @param {Seen} seen
 * @returns {Shown["glyph"]}
 */
function glyphOf(phase, { button, press, now }) {
  const spinner = button.progressPlacement === "none" ? "own" : "spinner"
  switch (phase) {
    case "sending": return press && now - press.sentAt >= sendingSpinnerAfter ? spinner : "own"
    case "spinning": case "cancelling": return spinner
    case "success": return "check"
    case "failure": return "warning"
    case "unknown": return "question"
    case "held": return "clock"
    case "stale": return "dash"
    default: return "own"
  }
}

/**
 * @param {Seen} seen
 * @param {number} elapsed
 * @param {Words} words
 * @returns {Shown["cancel"]}
 */
function cancelOf({ button, stale, local }, elapsed, words) {
  const { run, label } = button
  const active = button.cancellable && !button.settling && isBusyOrHeld(button.phase)
  if (!run || !active || elapsed < cancelAfter) return null
  const { visible, name } = run.stuck ? words.abandon : words.cancel
  const asked = !run.stuck && (run.cancelling || local.cancelAsked === run.run)
  return { visible, name: name(label), disabled: stale || asked }
}

/** @param {string} phase */
function isBusyOrHeld(phase) {
  return isRunning(phase) || phase === "held"
}

/**
 * @param {ButtonState} button
 * @param {string} phase
 * @param {number} elapsed
 */
function barOf({ run }, phase, elapsed) {
  if (!run || !(isRunning(phase) || phase === "cancelling" || phase === "sending")) return null
  if (run.progress !== undefined) return clamp(run.progress)
  if (run.completed !== undefined && run.total) return clamp(run.completed / run.total)
  return run.estimateMs ? estimateFills * clamp(elapsed / run.estimateMs) : null
}

/** @param {number} fraction */
function clamp(fraction) {
  return Math.min(1, Math.max(0, fraction))
}

/**
 * @param {Seen} seen
 * @param {string} phase
 * @param {number} elapsed
 */
function untilOf({ button, press, stale, now }, phase, elapsed) {
  if (stale) return Infinity
  if (phase === "sending" && press) {
    const spinner = press.sentAt + sendingSpinnerAfter
    return spinner > now ? spinner : Infinity
  }
  if (!button.run || !isBusyOrHeld(button.phase)) return Infinity
  // The next whole second: the note counts them, and the cancel button comes with the first.
  return now + 1_000 - (elapsed % 1_000)
}
