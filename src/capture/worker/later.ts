import type { Feed, LaterPart } from './feed.ts'

/**
 * Parts of feeds whose code is loaded after the rest: at the first request for one of them, or before, so that they are
 * there if the server is gone.
 */
export class LaterParts {
  readonly #feeds: readonly Feed[]
  #parts: Promise<readonly LaterPart[]> | null = null

  constructor(feeds: readonly Feed[]) {
    this.#feeds = feeds
  }

  /** Rejects if the code cannot be loaded; the next call tries again. */
  get(): Promise<readonly LaterPart[]> {
    this.#parts ??= Promise.all(this.#feeds.flatMap((feed) => (feed.later === undefined ? [] : [feed.later()]))).catch(
      (error: unknown) => {
        this.#parts = null
        throw error
      },
    )
    return this.#parts
  }
}
