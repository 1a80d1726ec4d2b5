import type { RavenError, RavenErrorKind } from '../errors/errors.ts'

/** Errors that mean that the server, or a gateway in its place, did not answer. */
const AWAY: ReadonlySet<RavenErrorKind> = new Set(['network', 'timeout', 'busy', 'not-json'])

export const isAway = ({ kind }: RavenError): boolean => AWAY.has(kind)

/** Minimum time between early retries, ms: some servers answer only every other request. */
const AT_MOST_EVERY_MS = 5000

/** Early retries are spread at random over this time, ms, since many pages notice the same outage. */
export const SOON_MS = 1000

/** Detects the end of an outage: a request succeeds that failed before. */
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

  /** Records an answer. Returns true if it ends an outage, so that what waits may retry. */
  answered(path: string): boolean {
    if (!this.#failed.has(path) || this.#now() - this.#endedMs < AT_MOST_EVERY_MS) return false
    this.#failed.clear()
    this.#endedMs = this.#now()
    return true
  }
}
