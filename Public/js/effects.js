/**
 * What the store wants done outside. `settled`: the whole state is here. `reconnect`: someone wants a connection now.
 * `renew`: the server has a newer page than this one.
 *
 * @typedef {{do: "send", message: Record<string, unknown>}
 *   | {do: "announce", announcement: import("./announcements.js").Announcement}
 *   | {do: "say", code: "lost" | "back"}
 *   | {do: "ask", why: "confirm" | "unknown", button: import("./protocol.js").ButtonState}
 *   | {do: "settled"} | {do: "reconnect"} | {do: "renew"}} Effect
 */

/**
 * @param {Record<string, unknown>} message
 * @returns {Effect}
 */
export function send(message) {
  return { do: "send", message }
}

/**
 * @param {"lost" | "back"} code
 * @returns {Effect}
 */
export function say(code) {
  return { do: "say", code }
}

/**
 * @param {import("./announcements.js").Announcement | null} announcement
 * @returns {Effect[]}
 */
export function announce(announcement) {
  return announcement ? [{ do: "announce", announcement }] : []
}
