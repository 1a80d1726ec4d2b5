import { sourceId, type SourceRef } from '../../capture/client/state.ts'
import type { Responder, WatchUnopened } from '../../capture/worker/feed.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import type { ServerFeed } from '../../feeds/server/data/feed.ts'

/** Time, ms, for which another database must be the busiest before it is watched: each change takes a whole response. */
const REPLACED_AFTER_MS = 20_000

/**
 * Watches the I/O of the database at work most, whether or not a user has opened it, so that Triage knows of held-up
 * commits from its first minute. Its socket keeps no database loaded.
 */
export class BusiestIo implements Responder {
  readonly name = 'busiest-io'
  readonly responses = {}
  readonly #io: IoFeed
  readonly #busiest: () => ServerFeed['busiest']
  #watchUnopened: WatchUnopened | null = null
  #isKnown = true
  #watched: string | null = null
  /** Since when another database, or none, is the busiest, ms. */
  #otherSinceMs: number | null = null

  /** `busiest`: see `ServerFeed`. */
  constructor(io: IoFeed, busiest: () => ServerFeed['busiest']) {
    this.#io = io
    this.#busiest = busiest
  }

  begin(_: unknown, watchUnopened: WatchUnopened): void {
    this.#watchUnopened = watchUnopened
  }

  /** Follows the busiest database; called with each judgement. */
  follow(nowMs: number): void {
    const busiest = this.#busiest()
    this.#isKnown = busiest !== undefined
    if (busiest === undefined) return
    if (busiest === this.#watched) this.#otherSinceMs = null
    else this.#otherSinceMs ??= nowMs
    const isReplaced = this.#otherSinceMs !== null && nowMs - this.#otherSinceMs >= REPLACED_AFTER_MS
    if (this.#watched === null || isReplaced) {
      this.#watched = busiest
      this.#otherSinceMs = null
    }
    this.#watchUnopened?.(this.#io, this.#watched === null ? null : refOf(this.#watched))
  }

  /** Whether the busiest database, or its I/O, is not known yet. */
  get isAwaited(): boolean {
    if (this.#watched === null) return !this.#isKnown
    const source = sourceId(refOf(this.#watched))
    return ![...this.#io.store.lanes.values()].some((lane) => lane.source === source)
  }
}

const refOf = (name: string): SourceRef => ({ kind: 'database', name })
