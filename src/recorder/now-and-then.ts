/** Reads something of a server from time to time. */
export class NowAndThen {
  readonly #read: () => Promise<boolean | number>
  readonly #everyMs: number
  readonly #failedMs: number
  #dueMs = 0

  /**
   * `read`: false where nothing was read; then, and after an error, it is called again after `failedMs`. A number, ms, takes the
   * place of `everyMs`.
   */
  constructor(everyMs: number, failedMs: number, read: () => Promise<boolean | number>) {
    this.#everyMs = everyMs
    this.#failedMs = failedMs
    this.#read = read
  }

  /** Reads where it is time. */
  tick(): void {
    if (Date.now() < this.#dueMs) return
    this.#dueMs = Date.now() + this.#failedMs
    this.#read().then(
      (next) => {
        if (next !== false) this.#dueMs = Date.now() + (next === true ? this.#everyMs : next)
      },
      () => {
        // Its right is lacking, or the server is away: it is read again later.
      },
    )
  }
}
