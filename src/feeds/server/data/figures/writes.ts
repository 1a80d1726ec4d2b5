import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { databaseKey } from '../../../../base/text/database-key.ts'
import type { LoggedError } from '../wire/traffic-wire.ts'

/** Writes to a database within a moment. */
export interface WriteCounts {
  /** Database; null: the server itself. */
  readonly database: string | null
  /** Number of those that were not answered 5xx. */
  readonly done: number
  readonly failed: readonly FailedWrites[]
  /** Number of those that failed after the last one that did not. */
  readonly failedSince: number
}

interface FailedWrites {
  readonly status: number
  /** Newest of them, as `PUT /databases/demo/docs`. */
  readonly request: string
  readonly count: number
}

/** Writes to a database of which some failed lately. */
export interface FailingWrites extends WriteCounts {
  /** Time of the first failure, or that of the last write that was done before. */
  readonly sinceTicks: Ticks
  /** Time of the last failure. */
  readonly untilTicks: Ticks
  /** Reason by the server's log; null: not known. */
  readonly reason: LoggedError | null
}

/** Time for which failures are facts, ticks. */
const LATELY_TICKS = 60 * TICKS_PER_SECOND
const MOST_DATABASES = 1000

type Counted = WriteCounts & { readonly atTicks: Ticks }

/** Writes that were seen in the last minute. */
export class WritesStore {
  #seen = new Map<string, readonly Counted[]>()
  readonly #reasons = new Map<string, LoggedError & { readonly atTicks: Ticks }>()
  /** Whether requests were ever listened to. */
  isKnown = false

  take(counts: readonly WriteCounts[], atTicks: Ticks): void {
    this.isKnown = true
    for (const each of counts) {
      const key = keyOf(each.database)
      this.#seen.set(key, [...lately(this.#seen.get(key) ?? [], atTicks), { ...each, atTicks }])
    }
    if (this.#seen.size <= MOST_DATABASES) return
    this.#seen = new Map([...this.#seen].filter(([, all]) => lately(all, atTicks).length > 0))
  }

  explain(database: string | null, error: LoggedError, atTicks: Ticks): void {
    this.#reasons.set(keyOf(database), { ...error, atTicks })
  }

  /** Databases to which a write failed in the last minute. */
  failing(nowTicks: number): FailingWrites[] {
    return [...this.#seen].flatMap(([key, all]): FailingWrites[] => {
      const seen = lately(all, nowTicks)
      const failures = seen.filter(({ failed }) => failed.length > 0)
      const [first, last] = [failures[0], failures.at(-1)]
      if (first === undefined || last === undefined) return []
      const lastDone = seen.findLastIndex(({ done }) => done > 0)
      const failedSince = seen.slice(Math.max(0, lastDone)).reduce((sum, each) => sum + each.failedSince, 0)
      const since = seen.slice(Math.max(0, lastDone)).find((each) => each.failedSince > 0) ?? first
      const reason = this.#reasons.get(key)
      return [
        {
          database: last.database,
          done: seen.reduce((sum, { done }) => sum + done, 0),
          failed: summed(failures.flatMap(({ failed }) => failed)),
          failedSince,
          sinceTicks: since.atTicks,
          untilTicks: last.atTicks,
          reason: reason !== undefined && nowTicks - reason.atTicks <= 2 * LATELY_TICKS ? reason : null,
        },
      ]
    })
  }
}

const keyOf = (database: string | null): string => (database === null ? '' : databaseKey(database))

const lately = (seen: readonly Counted[], nowTicks: number): Counted[] =>
  seen.filter(({ atTicks }) => nowTicks - atTicks <= LATELY_TICKS)

/** Sums by status, most frequent first. */
function summed(all: readonly FailedWrites[]): FailedWrites[] {
  const byStatus = new Map<number, FailedWrites>()
  for (const each of all)
    byStatus.set(each.status, { ...each, count: each.count + (byStatus.get(each.status)?.count ?? 0) })
  return [...byStatus.values()].toSorted((a, b) => b.count - a.count)
}
