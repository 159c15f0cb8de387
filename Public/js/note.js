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
  if (notice) return (words.refusals[notice.code] ?? (() => words.refused(notice.code)))(notice.detail)
  if (shown === "stale") return words.note.stale(words.phases[phase] ?? phase)
  if (seen.press?.quiet) return words.note.unanswered
  return ofPhase(seen, phase, elapsed, words)
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
    case "cancelling": return stoppingNote(button.run, words)
    case "success": return successNote(seen, words)
    case "failure": return errorText(button.error, words)
    case "unknown": return unknownText(button, words)
    case "held": return note.held(1, seen.isOwn(button.queue?.[0]) ? note.you : button.queue?.[0]?.by ?? "")
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
function runningNote(seen, run, elapsed, { note, format }) {
  const counted = run.completed !== undefined && run.total !== undefined
  const share = run.progress === undefined ? "" : format.percent(run.progress)
  return note.running({
    elapsed: format.elapsed(elapsed),
    by: seen.isOwn(run) ? note.you : run.by,
    attempt: run.attempt,
    of: run.of,
    progress: counted ? note.progress(run.completed ?? 0, run.total ?? 0, run.unit ?? "") : share,
    text: run.note ?? "",
  })
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
function successNote({ button: { last } }, { note, format }) {
  if (!last) return ""
  const result = typeof last.result === "string" || typeof last.result === "number" ? String(last.result) : ""
  return note.done({ took: format.duration(last.durationMs), result, warning: last.warning ?? "" })
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
