/**
 * @typedef {import("./protocol.js").ButtonState} ButtonState
 * @typedef {{do: "ignore"}
 *   | {do: "refuse", code: string}
 *   | {do: "ask", why: "confirm" | "unknown"}
 *   | {do: "send", type: "press" | "retry"}} Intent
 */

/** A press while busy means something to these. */
const welcoming = new Set(["queue", "queue-first", "queue-last", "restart", "parallel"])
const busyPhases = new Set(["held", "pending", "spinning"])

/**
 * A run is under way and another press would be refused.
 * @param {ButtonState} button
 */
export function isBusy(button) {
  return busyPhases.has(button.phase) && !welcoming.has(policyName(button))
}

/**
 * Why the button takes no press, whether it is busy or not; null if it does.
 * @param {ButtonState} button
 * @returns {"removed" | "locked" | "blocked" | "disabled" | null}
 */
export function closedBy(button) {
  if (button.removed) return "removed"
  if (button.lock) return "locked"
  if (button.blocked) return "blocked"
  return button.enabled === false ? "disabled" : null
}

/**
 * What a click on a button means.
 * @param {ButtonState} button
 * @param {object} local what only this tab knows
 * @param {boolean} local.live the connection has the whole state
 * @param {boolean} local.sending an earlier press has no answer yet
 * @param {boolean} local.unknown the outcome of this tab's last press is unknown to everyone
 * @param {boolean} local.confirmed the person has said yes to the question
 * @returns {Intent}
 */
export function intentOf(button, { live, sending, unknown, confirmed }) {
  if (!live) return { do: "refuse", code: "offline" }
  if (sending || isBusy(button)) return { do: "ignore" }
  const closed = closedBy(button)
  if (closed) return { do: "refuse", code: closed }
  if (!confirmed && (unknown || button.phase === "unknown")) return { do: "ask", why: "unknown" }
  if (!confirmed && button.confirm) return { do: "ask", why: "confirm" }
  return { do: "send", type: runToRetry(button) ? "retry" : "press" }
}

/**
 * The run whose outcome is shown and can be tried again under its own name.
 * @param {ButtonState} button
 * @returns {string | undefined}
 */
export function runToRetry(button) {
  const ended = button.phase === "failure" || button.phase === "unknown"
  return ended && button.retryable !== false ? button.error?.run ?? button.last?.run : undefined
}

/**
 * A policy travels as its name, or as its name with numbers: `queue(max 16)`.
 * @param {ButtonState} button
 */
function policyName(button) {
  return /^[a-z-]*/.exec(button.policy ?? "")?.[0] ?? ""
}
