import { closedBy, limitedFor } from "./intent.js"
import { countdownOf, foremost, ownPosition } from "./waiting.js"

/**
 * @typedef {import("./strings.js").Words} Words
 * @typedef {import("./display.js").Seen} Seen
 * @typedef {import("./protocol.js").RunState} RunState
 */

/**
 * The line under a button. This tab's own news comes first, for a while; then what the server says.
 * @param {Seen} seen
 * @param {string} shown the phase on display, `stale` included
 * @param {string} phase the phase as last known
 * @param {number} elapsed of the run, ms
 * @param {Words} words
 * @returns {string}
 */
export function noteOf(seen, shown, phase, elapsed, words) {
  const { notice } = seen.local
  if (notice) return noticeText(notice, seen.now, words)
  if (shown === "stale") return words.note.stale(words.phases[phase] ?? phase)
  if (seen.press?.quiet) return words.note.unanswered
  return ofPhase(seen, phase, elapsed, words)
}

/**
 * @param {import("./locals.js").Notice} notice
 * @param {number} now
 * @param {Words} words
 */
function noticeText({ code, detail, freeAt }, now, words) {
  const text = words.refusals[code] ?? (() => words.refused(code))
  return text(freeAt === undefined ? detail : String(Math.max(0, Math.ceil((freeAt - now) / 1_000)) || ""))
}

/**
 * @param {Seen} seen
 * @param {string} phase
 * @param {number} elapsed
 * @param {Words} words
 */
function ofPhase(seen, phase, elapsed, words) {
  const { button } = seen
  const { note } = words
  switch (phase) {
    case "spinning": return button.run ? runningNote(seen, button.run, elapsed, words) : ""
    case "cancelling": return note.list([stoppingNote(button.run, words), ...asides(seen, words)])
    case "success": return successNote(seen, words)
    case "failure": return note.list([errorText(button.error, words), againNote(seen, words)])
    case "unknown": return unknownText(button, words)
    case "held": return heldNote(seen, words)
    case "limited": return words.note.again(words.format.countdown(limitedFor(button, seen.now - seen.at)))
    case "blocked": return note.blocked(seen.labelOf(button.blocked?.button ?? ""))
    case "locked": return note.locked(button.lock?.reason ?? "", button.lock?.by ?? "")
    case "disabled": return button.removed ? note.removed : note.disabled(button.disabledReason ?? "")
    case "idle": return idleNote(seen, words)
    default: return ""
  }
}

/**
 * @param {Seen} seen
 * @param {RunState} run
 * @param {number} elapsed
 * @param {Words} words
 */
function runningNote(seen, run, elapsed, words) {
  const { note, format } = words
  const counted = run.completed !== undefined && run.total !== undefined
  const share = run.progress === undefined ? "" : format.percent(run.progress)
  return note.running({
    elapsed: format.elapsed(elapsed),
    by: seen.isOwn(run) ? note.you : run.by,
    attempt: run.attempt,
    of: run.of,
    progress: counted ? note.progress(run.completed ?? 0, run.total ?? 0, run.unit ?? "") : share,
    text: run.note ?? "",
    asides: asides(seen, words),
  })
}

/**
 * What else there is to know of a busy button that takes presses.
 * @param {Seen} seen
 * @param {Words} words
 */
function asides(seen, words) {
  const position = ownPosition(seen)
  const full = closedBy(seen.button, seen.now - seen.at) === "full"
  return [position ? words.note.yours(position) : "", full ? words.note.full : "", againNote(seen, words)]
}

/**
 * @param {Seen} seen
 * @param {Words} words
 */
function againNote({ button, at, now }, { note, format }) {
  const left = limitedFor(button, now - at)
  return left > 0 ? note.nextPress(format.countdown(left)) : ""
}

/**
 * @param {Seen} seen
 * @param {Words} words
 */
function heldNote(seen, { note, format }) {
  const waiting = foremost(seen)
  if (!waiting) return ""
  const by = seen.isOwn(waiting.run) ? note.you : waiting.run.by
  const left = countdownOf(waiting.run, seen.now - seen.at)
  return left === null ? note.held(waiting.position, by) : note.countdown(format.countdown(left), by)
}

/**
 * @param {RunState | undefined} run
 * @param {Words} words
 */
function stoppingNote(run, { note }) {
  if (run?.stuck) return note.stuck
  return run?.killing ? note.killing : note.stopping
}

/**
 * @param {Seen} seen
 * @param {Words} words
 */
function successNote(seen, words) {
  const { note, format } = words
  const { last } = seen.button
  if (!last) return againNote(seen, words)
  const result = typeof last.result === "string" || typeof last.result === "number" ? String(last.result) : ""
  return note.done({ took: format.duration(last.durationMs), result, warning: last.warning ?? "", again: againNote(seen, words) })
}

/**
 * @param {Seen} seen
 * @param {Words} words
 */
function idleNote({ button, serverNow, isOwn }, words) {
  const { last, description } = button
  if (!last) return description ?? ""
  const when = words.format.moment(last.at, serverNow - last.at)
  const by = isOwn(last) ? words.note.you : last.by
  return words.last[last.outcome]?.(when, by, words.format.duration(last.durationMs)) ?? ""
}

/**
 * What went wrong, in full.
 * @param {import("./protocol.js").ButtonState} button
 * @param {Words} words
 */
export function troubleText(button, words) {
  return button.phase === "failure" ? errorText(button.error, words) : unknownText(button, words)
}

/**
 * The server says so of a run; if it does not, only this tab knows that a press of its own is unaccounted for.
 * @param {import("./protocol.js").ButtonState} button
 * @param {Words} words
 */
function unknownText(button, words) {
  return button.phase === "unknown" ? words.note.outcomeUnknown : words.refusals.outcome_unknown("")
}

/**
 * @param {import("./protocol.js").RunError | undefined} error
 * @param {Words} words
 */
function errorText(error, words) {
  if (!error) return ""
  return error.message || (words.errors[error.code] ?? words.error(error.code))
}
