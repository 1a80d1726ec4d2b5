import type { Feed, LaterPart } from './feed.ts'

/**
 * Parts of feeds whose code is fetched once the rest works: at the first request for one of them, or before, so that
 * they are there when the server is gone.
 */
export class LaterParts {
  readonly #feeds: readonly Feed[]
  #parts: Promise<readonly LaterPart[]> | null = null

  constructor(feeds: readonly Feed[]) {
    this.#feeds = feeds
  }

  /** Rejects where the code cannot be had; it is fetched again the next time. */
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
