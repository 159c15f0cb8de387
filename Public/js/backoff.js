/** The first wait, the longest, ms. */
export const shortest = 200
export const longest = 30_000

/** Doubling waits with jitter, so that many tabs do not come back in one moment. */
export class Backoff {
  #attempts = 0
  #random

  /** @param {() => number} random 0…1 */
  constructor(random) {
    this.#random = random
  }

  /** The next wait: between half and the whole of its step. ms */
  next() {
    const step = Math.min(longest, shortest * 2 ** this.#attempts)
    this.#attempts += 1
    return step * (0.5 + this.#random() / 2)
  }

  reset() {
    this.#attempts = 0
  }
}
