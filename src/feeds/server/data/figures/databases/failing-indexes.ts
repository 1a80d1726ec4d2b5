import { Fields } from '../../../../../base/json/fields.ts'
import type { Governor } from '../../../../../ravendb/governor/governor.ts'

/** Index that has errors, or was stopped because of them. */
export interface FailingIndex {
  readonly index: string
  /** Whether its state is `Error`: it no longer indexes anything. */
  readonly isErrored: boolean
  /** Number of errors, of which the server keeps at most 500. */
  readonly errors: number
}

const MOST_INDEXES = 100
/** Delay before the same database is polled again while its errors grow, ms. */
const AGAIN_MS = 30_000
/**
 * Maximum number of databases, the same as in the database store. With fewer, databases with old errors would be read
 * again and again.
 */
const MOST_DATABASES = 20_000

/**
 * Reads `indexes/stats`: indexes with errors, those in state `Error` first, then by number of errors. Errors:
 * `ParseError`.
 */
export function readFailing(response: unknown): FailingIndex[] {
  return new Fields(response)
    .each('Results')
    .map((entry) => ({
      index: entry.text('Name'),
      isErrored: entry.all['State'] === 'Error',
      errors: entry.numberOrNull('ErrorsCount') ?? 0,
    }))
    .filter(({ isErrored, errors }) => isErrored || errors > 0)
    .toSorted((a, b) => Number(b.isErrored) - Number(a.isErrored) || b.errors - a.errors)
    .slice(0, MOST_INDEXES)
}

interface WithErrors {
  readonly name: string
  /** Time at which the number of errors last grew, if recently. */
  readonly grewTicks?: number | null
  readonly overview: {
    readonly online: boolean
    readonly erroredIndexes: number | null
    readonly indexingErrors: number
  }
}

/**
 * Reads which indexes of a loaded database have errors: once when it is first seen, and once after each change of the
 * number of errors. The dashboard reports only that number; which indexes have new errors follows from a comparison
 * with the previous reading. A database that is not loaded gets no request, and none is kept loaded.
 */
export class FailingPolls {
  /** State of each database that was read; no further request before `againMs`. */
  readonly #polled = new Map<string, { readonly counts: string; readonly againMs: number }>()
  #isPolling = false

  /** Failing indexes of the next database that is due; null: none is due, or the request failed. */
  async next(
    governor: Governor,
    databases: readonly WithErrors[],
  ): Promise<{ readonly database: string; readonly indexes: readonly FailingIndex[] } | null> {
    const now = governor.env.now()
    const due = databases.find(({ name, overview }) => {
      const before = this.#polled.get(name)
      const isNew = before === undefined || (before.counts !== countsOf(overview) && now >= before.againMs)
      return overview.online && isNew
    })
    if (due === undefined || this.#isPolling) return null
    this.#isPolling = true
    // If the request fails, the errors are read again later although their number has not changed.
    let [counts, againMs] = ['', now + AGAIN_MS]
    try {
      const response = await governor.json('indexesStats', { database: due.name }, { priority: 'poll' })
      counts = countsOf(due.overview)
      // If the errors had not grown before, the next increase is read at once.
      if (due.grewTicks == null) againMs = now
      return { database: due.name, indexes: readFailing(response) }
    } catch {
      // Refused, or the database was unloaded meanwhile. Its errors are still counted.
      return null
    } finally {
      this.#isPolling = false
      if (this.#polled.size >= MOST_DATABASES) this.#polled.clear()
      this.#polled.set(due.name, { counts, againMs })
    }
  }
}

const countsOf = ({ erroredIndexes, indexingErrors }: WithErrors['overview']): string =>
  `${String(erroredIndexes)} ${String(indexingErrors)}`
