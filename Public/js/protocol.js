/**
 * The part of the wire that this page reads, as types. Nothing here runs.
 * Durations are milliseconds, times epoch milliseconds of the server's clock.
 *
 * @typedef {object} RunState
 * @property {string} run
 * @property {number} attempt
 * @property {number} [of]
 * @property {string} by
 * @property {string} client
 * @property {number} elapsedMs
 * @property {number} [progress] 0…1
 * @property {number} [completed]
 * @property {number} [total]
 * @property {string} [unit]
 * @property {number} [estimateMs]
 * @property {string} [note]
 * @property {boolean} cancelling
 * @property {boolean} [killing]
 * @property {boolean} [stuck]
 *
 * @typedef {object} RunError
 * @property {string} code
 * @property {string} message
 * @property {string} run
 * @property {boolean} retryable
 * @property {string[]} [needs]
 *
 * @typedef {object} LastRun
 * @property {string} run
 * @property {string} outcome
 * @property {number} at
 * @property {number} durationMs
 * @property {string} by
 * @property {unknown} [result]
 * @property {string} [warning]
 * @property {boolean} [late]
 *
 * @typedef {object} Waiting
 * @property {string} run
 * @property {string} by
 * @property {string} client
 * @property {string} for
 * @property {number} [leftMs]
 *
 * @typedef {object} Confirm
 * @property {string} [title]
 * @property {string} [message]
 * @property {string} [word] what must be typed before the action is accepted
 *
 * @typedef {object} ButtonState
 * @property {string} id
 * @property {number} rev
 * @property {string} label
 * @property {string} [busyLabel]
 * @property {string} [description]
 * @property {string} [icon]
 * @property {boolean} [iconOnly] the label is there for screen readers only
 * @property {string} [role]
 * @property {string} [size]
 * @property {string} [width]
 * @property {string} [tint]
 * @property {string} [style]
 * @property {string} [progressPlacement]
 * @property {string} [successStyle]
 * @property {string} [failureStyle]
 * @property {Confirm | string} [confirm]
 * @property {unknown[]} [arguments]
 * @property {string} [policy]
 * @property {string} phase
 * @property {{button: string, run?: string}} [blocked]
 * @property {boolean} [enabled]
 * @property {string} [disabledReason]
 * @property {{reason?: string, by?: string}} [lock]
 * @property {boolean} [settling]
 * @property {boolean} [overdue]
 * @property {boolean} [cancellable]
 * @property {boolean} [retryable]
 * @property {boolean} [removed]
 * @property {Waiting[]} [queue]
 * @property {RunState} [run]
 * @property {RunError} [error]
 * @property {LastRun} [last]
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {string[]} items
 *
 * @typedef {object} Page
 * @property {string} id
 * @property {string} title
 * @property {Section[]} sections
 *
 * @typedef {object} Board
 * @property {string} title
 * @property {string} [language]
 * @property {Page[]} pages
 *
 * @typedef {object} Hello
 * @property {string} epoch
 * @property {boolean} durable
 * @property {string} assets
 * @property {string} client
 * @property {{name: string, roles?: string[]}} [user]
 * @property {number} time
 * @property {number} pingMs
 *
 * @typedef {object} Ack
 * @property {number | string} [id]
 * @property {string} result
 * @property {string} [reason]
 * @property {string} [run]
 * @property {string} [outcome]
 * @property {number} [retryAfterMs]
 * @property {ButtonState} [button]
 */

/** The subprotocol that the page speaks. */
export const subprotocol = "pushboard.v1"

/**
 * The socket's address, from the page's own: same host, same folder, and TLS exactly if the page has it.
 * @param {string} page the address of the page
 * @param {{epoch: string, seq: number} | null} resume where the last connection got to
 */
export function socketAddress(page, resume) {
  const url = new URL("ws", page)
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:"
  if (resume) {
    url.searchParams.set("epoch", resume.epoch)
    url.searchParams.set("seq", String(resume.seq))
  }
  return url.href
}

/**
 * One key per intent. `crypto.randomUUID` is missing on plain http, `getRandomValues` is not.
 * @param {{getRandomValues: (bytes: Uint8Array) => Uint8Array}} [source]
 */
export function newKey(source = crypto) {
  const bytes = source.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
