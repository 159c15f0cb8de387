/**
 * Those that wait for a button, as this tab sees them.
 * @typedef {import("./strings.js").Words} Words
 * @typedef {import("./display.js").Seen} Seen
 * @typedef {import("./protocol.js").Waiting} Waiting
 *
 * @typedef {{run: string, text: string, cancel: {visible: string, name: string, disabled: boolean} | null}} Row
 */

/**
 * The waiting run that matters most here: this tab's own, else the next one.
 * @param {Seen} seen
 * @returns {{run: Waiting, position: number} | null}
 */
export function foremost({ button: { queue = [] }, isOwn }) {
  const index = Math.max(0, queue.findIndex(isOwn))
  return queue.length ? { run: queue[index], position: index + 1 } : null
}

/**
 * The place of this tab's first waiting run; 0 if none waits.
 * @param {Seen} seen
 */
export function ownPosition({ button: { queue = [] }, isOwn }) {
  return queue.findIndex(isOwn) + 1
}

/**
 * How long the countdown of a waiting run still takes; null if it waits for something else. ms
 * @param {Waiting} waiting
 * @param {number} age how long ago this tab heard of it, ms
 */
export function countdownOf(waiting, age) {
  return waiting.leftMs === undefined ? null : Math.max(0, waiting.leftMs - age)
}

/**
 * The button that opens the list: only where there is more to it than the note and Cancel can say.
 * @param {Seen} seen
 * @param {Words} words
 */
export function waitingButton({ button }, { waiting }) {
  const count = button.queued ?? 0
  if (count === 0 || (count === 1 && button.phase === "held")) return null
  return { visible: waiting.visible(count), name: waiting.name(count, button.label || button.id) }
}

/**
 * A line for each that waits, the next one first.
 * @param {Seen} seen
 * @param {Words} words
 * @returns {Row[]}
 */
export function waitingRows(seen, words) {
  const { button, at, now, stale, local } = seen
  return (button.queue ?? []).map((run, index) => {
    const by = seen.isOwn(run) ? words.note.you : run.by
    const left = countdownOf(run, now - at)
    const disabled = stale || Boolean(local.cancelAsked?.includes(run.run))
    const { visible, name } = words.waiting.cancel
    const cancel = button.cancellable ? { visible, name: name(index + 1, by), disabled } : null
    const starts = left === null ? "" : words.format.countdown(left)
    return { run: run.run, text: words.waiting.row(index + 1, by, starts), cancel }
  })
}
