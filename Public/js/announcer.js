/** Screen readers miss a text that changes in the same moment as the page. ms */
export const speakAfter = 100
/** News of one button within this long becomes its last. ms */
export const coalesceFor = 500

/**
 * Writes into the two live regions.
 * @typedef {"status" | "alert"} Tone
 */
export class Announcer {
  /** @type {Map<string, {tone: Tone, text: string}>} waiting to be said, newest per subject */
  #waiting = new Map()
  /** @type {Map<string, number>} when a subject was last spoken of */
  #spoken = new Map()
  #outside

  /**
   * @param {object} outside
   * @param {(tone: Tone, text: string) => void} outside.write
   * @param {() => number} outside.now
   * @param {(run: () => void, ms: number) => unknown} outside.setTimer
   */
  constructor(outside) {
    this.#outside = outside
  }

  /**
   * @param {string} subject a button, or the link
   * @param {Tone} tone
   * @param {string} text
   */
  say(subject, tone, text) {
    const queued = this.#waiting.has(subject)
    this.#waiting.set(subject, { tone, text })
    if (queued) return
    const since = this.#outside.now() - (this.#spoken.get(subject) ?? -Infinity)
    const wait = Math.max(speakAfter, coalesceFor - since)
    // Cleared first: the same words twice are otherwise no change, and not read.
    this.#outside.write(tone, "")
    this.#outside.setTimer(() => this.#speak(subject), wait)
  }

  /** @param {string} subject */
  #speak(subject) {
    const news = this.#waiting.get(subject)
    this.#waiting.delete(subject)
    if (!news) return
    this.#remember(subject)
    this.#outside.write(news.tone, news.text)
  }

  /** @param {string} subject */
  #remember(subject) {
    const now = this.#outside.now()
    for (const [each, at] of this.#spoken) if (now - at >= coalesceFor) this.#spoken.delete(each)
    this.#spoken.set(subject, now)
  }
}
