import { closedBy, isBusy, limitedFor, runToRetry } from "./intent.js"
import { noteOf } from "./note.js"
import { countdownOf, foremost, waitingButton } from "./waiting.js"

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
 * @property {{run: string, visible: string, name: string, disabled: boolean} | null} cancel
 * @property {{visible: string, name: string} | null} waiting opens the list of those that wait
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
    disabled: stale || phase === "sending" || isBusy(button) || closedBy(button, now - seen.at) !== null,
    label: labelOf(phase, button),
    glyph: glyphOf(shown, seen),
    note: noteOf(seen, shown, phase, elapsed, words),
    details: phase === "failure" || phase === "unknown",
    cancel: cancelOf(seen, elapsed, words),
    waiting: waitingButton(seen, words),
    bar: barOf(button, phase, elapsed),
    until: untilOf(seen, elapsed),
  }
}

/**
 * The row of the design's table, the connection left out.
 * @param {Seen} seen
 */
function phaseOf({ button, press, local, at, now }) {
  if (press) return "sending"
  if (button.run?.cancelling && isRunning(button.phase)) return "cancelling"
  if (button.phase !== "idle") return button.phase
  if (local.unknown) return "unknown"
  const closed = closedBy(button, now - at)
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
function cancelOf(seen, elapsed, words) {
  const { button, stale, local } = seen
  const target = button.cancellable ? cancelTarget(seen, elapsed, words) : null
  if (!target) return null
  const { run, stopping, words: { visible, name } } = target
  return { run, visible, name: name(button.label), disabled: stale || stopping || askedFor(local, target) }
}

/**
 * What the cancel button under this one would end. A run gets it after a second; what only waits gets it at once, since
 * a countdown leaves little time.
 * @param {Seen} seen
 * @param {number} elapsed
 * @param {Words} words
 */
function cancelTarget(seen, elapsed, words) {
  const { phase, run, settling } = seen.button
  if (phase === "held") {
    const waiting = foremost(seen)?.run
    if (!waiting) return null
    const kind = waiting.for === "countdown" ? words.undo : words.cancel
    return { run: waiting.run, stopping: false, stuck: false, words: kind }
  }
  if (!run || settling || !isRunning(phase) || elapsed < cancelAfter) return null
  const stuck = Boolean(run.stuck)
  return { run: run.run, stopping: run.cancelling && !stuck, stuck, words: stuck ? words.abandon : words.cancel }
}

/**
 * @param {Local} local
 * @param {{run: string, stuck: boolean}} target
 */
function askedFor(local, { run, stuck }) {
  return !stuck && Boolean(local.cancelAsked?.includes(run))
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
 * @param {number} elapsed
 */
function untilOf(seen, elapsed) {
  const { button, press, stale, now, at, local } = seen
  if (stale) return Infinity
  const spinner = press ? press.sentAt + sendingSpinnerAfter : Infinity
  // The next whole second: the note counts them, and the cancel button comes with the first.
  const second = button.run && isRunning(button.phase) ? now + 1_000 - (elapsed % 1_000) : Infinity
  const waits = [
    limitedFor(button, now - at), (local.notice?.freeAt ?? now) - now,
    ...(button.queue ?? []).map((waiting) => countdownOf(waiting, now - at) ?? 0),
  ]
  const counts = waits.filter((left) => left > 0).map((left) => now + (left % 1_000 || 1_000))
  return Math.min(spinner > now ? spinner : Infinity, second, ...counts)
}
