/** Runs a reading of a server at intervals. */
export class NowAndThen {
  readonly #read: () => Promise<boolean | number>
  readonly #everyMs: number
  readonly #failedMs: number
  #dueMs = 0

  /**
   * `read` returns false if nothing was read; then, and after an error, it is called again after `failedMs`. If it
   * returns a number, that many ms replace `everyMs`.
   */
  constructor(everyMs: number, failedMs: number, read: () => Promise<boolean | number>) {
    this.#everyMs = everyMs
    this.#failedMs = failedMs
    this.#read = read
  }

  /** Reads if it is due. */
  tick(): void {
    if (Date.now() < this.#dueMs) return
    this.#dueMs = Date.now() + this.#failedMs
    this.#read().then(
      (next) => {
        if (next !== false) this.#dueMs = Date.now() + (next === true ? this.#everyMs : next)
      },
      () => {
        // The right for it is missing, or the server does not answer: it is read again later.
      },
    )
  }
}
