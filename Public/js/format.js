/** Numbers, durations and times of day as a language writes them. */
export class Format {
  #number
  #fraction
  #percent
  #time
  #dateTime

  /** @param {string} language a BCP 47 tag */
  constructor(language) {
    this.#number = new Intl.NumberFormat(language)
    this.#fraction = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    this.#percent = new Intl.NumberFormat(language, { style: "percent" })
    this.#time = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" })
    this.#dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })
  }

  /** @param {number} value */
  number(value) {
    return this.#number.format(value)
  }

  /** @param {number} fraction 0…1 */
  percent(fraction) {
    return this.#percent.format(fraction)
  }

  /**
   * What a run took: one decimal below ten seconds, whole units above. The unit symbols are those of the SI.
   * @param {number} ms
   */
  duration(ms) {
    if (ms < 1_000) return `${this.number(Math.round(ms))}\u00a0ms`
    if (ms < 9_950) return `${this.#fraction.format(ms / 1_000)}\u00a0s`
    return this.elapsed(ms)
  }

  /**
   * What a run has taken so far, in whole seconds.
   * @param {number} ms
   */
  elapsed(ms) {
    const seconds = Math.floor(ms / 1_000)
    if (seconds < 60) return `${this.number(seconds)}\u00a0s`
    const minutes = Math.floor(seconds / 60)
    if (minutes < 60) return `${this.number(minutes)}\u00a0min ${this.number(seconds % 60)}\u00a0s`
    return `${this.number(Math.floor(minutes / 60))}\u00a0h ${this.number(minutes % 60)}\u00a0min`
  }

  /**
   * The time of day; with the date if that is long ago.
   * @param {number} at epoch ms
   * @param {number} age ms
   */
  moment(at, age) {
    return (age < 18 * 3_600_000 ? this.#time : this.#dateTime).format(at)
  }
}
