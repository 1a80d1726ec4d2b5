import { Fields } from '../../../../../base/json/fields.ts'
import type { Governor } from '../../../../../ravendb/governor/governor.ts'

/** An index that has errors, or was stopped by them. */
export interface FailingIndex {
  readonly index: string
  /** `Error`: it indexes nothing any more. */
  readonly isErrored: boolean
  /** Kept by the server, at most 500. */
  readonly errors: number
}

const MOST_INDEXES = 100
/** Delay before the same database is polled again while its errors grow, ms. */
const AGAIN_MS = 30_000
/** As many as the store of databases holds: with fewer, those with old errors would be read again and again. */
const MOST_DATABASES = 20_000

/** `indexes/stats`: those with errors, most first. Errors: `ParseError`. */
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
  /** When their number grew, if lately. */
  readonly grewTicks?: number | null
  readonly overview: {
    readonly online: boolean
    readonly erroredIndexes: number | null
    readonly indexingErrors: number
  }
}

/**
 * Reads from a loaded database of which indexes its errors are, once as it is first seen and once for each change of their
 * number: the dashboard reports only how many there are, and which of them grow is known by what there was before. A
 * database that is not loaded gets no request, and none is kept loaded.
 */
export class FailingAsker {
  /** `againMs`: not before then. */
  readonly #asked = new Map<string, { readonly counts: string; readonly againMs: number }>()
  #isAsking = false

  /** Failing indexes of the next database; null: none is due, or the request failed. */
  async next(
    governor: Governor,
    databases: readonly WithErrors[],
  ): Promise<{ readonly database: string; readonly indexes: readonly FailingIndex[] } | null> {
    const now = governor.env.now()
    const due = databases.find(({ name, overview }) => {
      const before = this.#asked.get(name)
      const isNew = before === undefined || (before.counts !== countsOf(overview) && now >= before.againMs)
      return overview.online && isNew
    })
    if (due === undefined || this.#isAsking) return null
    this.#isAsking = true
    // Errors that were not read are read once more later, though the number stays the same.
    let [counts, againMs] = ['', now + AGAIN_MS]
    try {
      const response = await governor.json('indexesStats', { database: due.name }, { priority: 'poll' })
      counts = countsOf(due.overview)
      // The first that grow after they were quiet are read at once.
      if (due.grewTicks == null) againMs = now
      return { database: due.name, indexes: readFailing(response) }
    } catch {
      // Refused, or unloaded meanwhile: its errors are still counted.
      return null
    } finally {
      this.#isAsking = false
      if (this.#asked.size >= MOST_DATABASES) this.#asked.clear()
      this.#asked.set(due.name, { counts, againMs })
    }
  }
}

const countsOf = ({ erroredIndexes, indexingErrors }: WithErrors['overview']): string =>
  `${String(erroredIndexes)} ${String(indexingErrors)}`
