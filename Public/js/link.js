/** How long a broken connection stays unmarked: a quick reconnect should not flash. ms */
export const staleAfter = 500
/** How long a first connection may take before the page explains itself. ms */
export const explainAfter = 5_000

/** Whether what is shown may be believed. `state` is what the indicator says. */
export class Link {
  /** @type {"connecting" | "live" | "interrupted" | "stale"} */
  state = "connecting"
  /** The page loaded, its socket never opened: say so, with the likely cause. */
  unreachable = false
  /** @type {number} */
  #since

  /** @param {number} now */
  constructor(now) {
    this.#since = now
  }

  get isLive() {
    return this.state === "live"
  }

  /** The whole state has arrived. */
  synced() {
    this.state = "live"
    this.unreachable = false
  }

  /**
   * @param {number} now
   * @param {boolean} [atOnce] a frozen or restored tab knows nothing about the time it missed
   */
  lost(now, atOnce = false) {
    if (this.state === "live") {
      this.state = "interrupted"
      this.#since = now
    }
    if (atOnce && this.state === "interrupted") this.state = "stale"
  }

  /** @param {number} now */
  advance(now) {
    if (now < this.deadline) return
    if (this.state === "interrupted") this.state = "stale"
    else if (this.state === "connecting") this.unreachable = true
  }

  /** When `advance` has something to do; Infinity if never. */
  get deadline() {
    if (this.state === "interrupted") return this.#since + staleAfter
    if (this.state === "connecting" && !this.unreachable) return this.#since + explainAfter
    return Infinity
  }
}
