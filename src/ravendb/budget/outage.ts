import type { RavenError, RavenErrorKind } from '../http/errors.ts'

/** The server did not answer, or something between did in its place. */
const AWAY: ReadonlySet<RavenErrorKind> = new Set(['network', 'timeout', 'busy', 'not-json'])

export const isAway = ({ kind }: RavenError): boolean => AWAY.has(kind)

/** Shortest time between retries out of turn, ms: some servers answer every other request. */
const AT_MOST_EVERY_MS = 5000

/** Out of turn means within this time, ms, at random: many pages notice the same. */
export const SOON_MS = 1000

/** Notices the end of an outage: a request succeeds that had failed. Another request that always worked is no evidence. */
export class Outage {
  readonly #now: () => number
  readonly #failed = new Set<string>()
  #endedMs = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  failed(path: string): void {
    this.#failed.add(path)
  }

  /** True: an outage is over, and whatever waits because of it may try now. */
  answered(path: string): boolean {
    if (!this.#failed.has(path) || this.#now() - this.#endedMs < AT_MOST_EVERY_MS) return false
    this.#failed.clear()
    this.#endedMs = this.#now()
    return true
  }
}
