/** How often a tab that should load the new page looks whether it may. ms */
export const lookEvery = 1_000
/** Tabs load the new page spread over this long. ms */
export const spread = 3_000

/** Loads the page again once the server has newer files, as soon as nobody loses anything by it. */
export class Renewal {
  #offered = false
  #outside

  /**
   * @param {object} outside
   * @param {() => void} outside.offer shows that a newer page is there
   * @param {() => boolean} outside.mayReload nothing is typed, open or started
   * @param {() => void} outside.reload
   * @param {(run: () => void, ms: number) => unknown} outside.setTimer
   * @param {() => number} outside.random 0…1
   */
  constructor(outside) {
    this.#outside = outside
  }

  begin() {
    if (this.#offered) return
    this.#offered = true
    this.#outside.offer()
    this.#outside.setTimer(() => this.#look(), this.#outside.random() * spread)
  }

  #look() {
    if (this.#outside.mayReload()) return this.#outside.reload()
    this.#outside.setTimer(() => this.#look(), lookEvery)
  }
}
