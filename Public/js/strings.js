import { Format } from "./format.js"

/**
 * @typedef {{elapsed: string, by: string, attempt: number, of?: number, progress: string, text: string}} RunningRun
 */

/**
 * Every sentence of the page, whole: nothing is glued from words elsewhere. Another language is another function of
 * this shape in `languages`. Codes are those of the wire; `label` and `message` are the board's own text.
 * @param {Format} format
 */
function english(format) {
  /** @param {string[]} parts */
  const list = (parts) => parts.filter(Boolean).join("; ")
  return {
    language: "en",
    format,
    loading: { body: "Connecting to the board…" },
    link: { connecting: "Connecting", live: "Live", interrupted: "Live", stale: "Reconnecting" },
    linkHint: {
      connecting: "Waiting for the server.",
      live: "Every change shows at once.",
      interrupted: "Every change shows at once.",
      stale: "The connection is lost. What you see is what was last known.",
    },
    linkSaid: { lost: "Connection lost. Trying again.", back: "Connected again." },
    unreachable: {
      title: "The live connection does not open",
      body: "This page came through, but its WebSocket did not. If the board is behind a reverse proxy, "
        + "the usual cause is that it does not pass on the Upgrade and Connection headers. The page keeps trying.",
    },
    empty: {
      title: "Nothing to press yet",
      body: "This board has no buttons. Put one into a section, start the server again, and it shows up by itself:",
      code: 'Section("Greetings") {\n    AsyncButton("Hello") { try await greet() }\n}',
    },
    /** @param {string} name */
    you: (name) => `You are ${name}`,
    pages: "Pages",
    renewal: { text: "The page has been updated.", action: "Load the new one" },

    /** @param {string} label */
    retry: (label) => `Retry: ${label}`,
    /** @type {{visible: string, name: (label: string) => string}} */
    cancel: { visible: "Cancel", name: (label) => `Cancel ${label}` },
    /** @type {{visible: string, name: (label: string) => string}} */
    abandon: { visible: "Give up", name: (label) => `Give up waiting for ${label}` },
    /** @type {{visible: string, name: (label: string) => string}} */
    details: { visible: "Details", name: (label) => `Details of ${label}` },

    /** @type {{visible: string, name: (label: string) => string}} */
    undo: { visible: "Undo", name: (label) => `Undo ${label}` },

    waiting: {
      /** @param {number} count */
      visible: (count) => format.number(count),
      /** @param {number} count @param {string} label */
      name: (count, label) => `${format.number(count)} waiting for ${label}`,
      /** @param {string} label */
      title: (label) => `Waiting for ${label}`,
      nobody: "Nobody waits any more.",
      /** @param {number} count */
      more: (count) => `And ${format.number(count)} more.`,
      /** @param {number} position @param {string} by @param {string} starts */
      row: (position, by, starts) => `${format.number(position)}. ${by}${starts && ` – starts in ${starts}`}`,
      /** @type {{visible: string, name: (position: number, by: string) => string}} */
      cancel: { visible: "Cancel", name: (position, by) => `Cancel position ${format.number(position)}, pressed by ${by}` },
    },

    note: {
      list,
      unanswered: "No answer – the next snapshot decides.",
      stopping: "Stopping…",
      killing: "Killing…",
      stuck: "It does not stop.",
      settling: "",
      /** @param {{took: string, result: string, warning: string, again: string}} run */
      done: ({ took, result, warning, again }) => list([`Done in ${took}`, result, warning, again]),
      outcomeUnknown: "Outcome unknown: the server stopped while it ran.",
      /** @param {{elapsed: string, by: string, attempt: number, of: number | undefined, progress: string, text: string, asides: string[]}} run */
      running: ({ elapsed, by, attempt, of, progress, text, asides }) => list([
        `Running ${elapsed}${by && ` – started by ${by}`}`,
        attempt > 1 || of ? `attempt ${format.number(attempt)}${of ? ` of ${format.number(of)}` : ""}` : "",
        progress,
        text,
        ...asides,
      ]),
      /** @param {number} completed @param {number} total @param {string} unit */
      progress: (completed, total, unit) => {
        const share = `${format.number(completed)} of ${format.number(total)}`
        return unit ? `${share} ${unit}` : share
      },
      /** @param {number} position @param {string} by */
      held: (position, by) => `Waiting, position ${format.number(position)}${by && ` – pressed by ${by}`}`,
      /** @param {string} left @param {string} by */
      countdown: (left, by) => `Starts in ${left}${by && ` – pressed by ${by}`}`,
      /** @param {number} position */
      yours: (position) => (position === 1 ? "yours is next" : `yours is number ${format.number(position)}`),
      full: "no more may wait",
      /** @param {string} left */
      again: (left) => `Again in ${left}`,
      /** @param {string} left */
      nextPress: (left) => `again in ${left}`,
      /** @param {string} label */
      blocked: (label) => (label ? `Waiting for ${label} to end` : "Waiting for another button"),
      /** @param {string} reason @param {string} by */
      locked: (reason, by) => list([by ? `Locked by ${by}` : "Locked", reason]),
      /** @param {string} reason */
      disabled: (reason) => reason || "Not available",
      removed: "This button has left the board.",
      /** @param {string} state */
      stale: (state) => `Connection lost – last known: ${state}`,
      you: "you",
    },
    /** @type {Record<string, string>} a phase in one word */
    phases: {
      idle: "ready", sending: "sending", held: "waiting", pending: "running", spinning: "running", cancelling: "stopping",
      success: "done", failure: "failed", unknown: "outcome unknown", blocked: "waiting", locked: "locked",
      limited: "not available", disabled: "not available",
    },
    /** @type {Record<string, (when: string, by: string, took: string) => string>} the last outcome, by its code */
    last: {
      succeeded: (when, by, took) => `Done at ${when} by ${by}, took ${took}`,
      failed: (when, by) => `Failed at ${when}, started by ${by}`,
      cancelled: (when, by) => `Cancelled at ${when}, started by ${by}`,
      superseded: (when, by) => `Replaced by a newer run at ${when}, started by ${by}`,
      unknown: (when, by) => `Outcome unknown since ${when}, started by ${by}`,
    },
    /** @type {Record<string, string>} an error of a run that brought no message */
    errors: {
      timeout: "It took longer than allowed.",
      interrupted: "The server stopped while it ran.",
      internal: "The server has a fault.",
    },
    /** @param {string} code */
    error: (code) => `It failed (${code}).`,
    /** @type {Record<string, (detail: string) => string>} why this tab's press did not start a run */
    refusals: {
      offline: () => "Not sent: there is no connection. Press again once it is back.",
      busy: (most) => (most ? `Not started: ${format.number(Number(most))} are running already, and no more may.` : "Not started: it is already running."),
      group_busy: (label) => `Not started: ${label || "another button of its group"} is running.`,
      orphan_running: () => "Not started: an earlier run has not really ended yet.",
      rate_limited: (seconds) => (seconds ? `Not started: too often. Again in ${format.elapsed(Number(seconds) * 1_000)}.` : "Not started: too often."),
      queue_full: () => "Not started: too many are waiting already.",
      disabled: (reason) => reason || "Not available",
      removed: () => "This button has left the board.",
      blocked: (label) => `Not started: it waits for ${label || "another button"} to end.`,
      locked: (reason) => (reason ? `Locked: ${reason}` : "Locked"),
      forbidden: () => "Not started: you may not press this.",
      stale: () => "Something newer has happened since; look again.",
      not_retryable: () => "This cannot be retried.",
      shutting_down: () => "Not started: the server is stopping.",
      unknown_button: () => "Not started: this button has left the board.",
      key_space_full: () => "Not started: the server remembers too many presses. Try again later.",
      unanswered: () => "No answer came. What you see is the server's state.",
      not_sent: () => "The press did not reach the server. Press again if you still want it.",
      outcome_unknown: () => "Outcome unknown: the server restarted and has no record of the press.",
    },
    /** @param {string} code */
    refused: (code) => `Not started (${code}).`,
    /** @type {Record<string, (label: string, message: string) => string>} what a screen reader says */
    said: {
      running: (label) => `${label}: running`,
      held: (label, position) => `${label}: waiting, position ${format.number(Number(position))}`,
      countdown: (label, seconds) => `${label}: starts in ${format.elapsed(Number(seconds) * 1_000)} unless undone`,
      cancelling: (label) => `${label}: stopping`,
      succeeded: (label) => `${label}: done`,
      cancelled: (label) => `${label}: cancelled`,
      superseded: (label) => `${label}: replaced by a newer run`,
      failed: (label, message) => `${label} failed: ${message}`,
      unknown: (label) => `${label}: outcome unknown`,
    },
    /** @param {string} label @param {string} text */
    saidOf: (label, text) => `${label}: ${text}`,
    dialog: {
      cancel: "Cancel",
      close: "Close",
      dismiss: "Dismiss",
      /** @param {string} label */
      confirmTitle: (label) => `${label}?`,
      confirmBody: "Please confirm.",
      /** @param {string} word */
      typeWord: (word) => `Type ${word} to go on`,
      /** @param {string} label */
      unknownTitle: (label) => `${label}: run it again?`,
      unknownBody: "Nobody saw how the last run ended. It may have done its work, or part of it. "
        + "Running it again could do it twice.",
      startedBy: "Started by",
      ended: "Ended",
      took: "Took",
      code: "Code",
    },
  }
}

/** @typedef {ReturnType<typeof english>} Words */

/** @type {Record<string, (format: Format) => Words>} */
const languages = { en: english }

/**
 * The first language asked for that the page speaks, with its region's way of writing numbers.
 * @param {readonly string[]} wanted BCP 47 tags, most wanted first
 * @returns {Words}
 */
export function wordsFor(wanted) {
  const tag = wanted.find((each) => Object.hasOwn(languages, primary(each))) ?? "en"
  return languages[primary(tag)](new Format(tag))
}

/** @param {string} tag */
function primary(tag) {
  return tag.toLowerCase().split("-")[0]
}
