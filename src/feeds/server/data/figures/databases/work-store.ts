import { isErrored, isStopped } from '../../../../../ravendb/index-state.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import type { DatabaseAtWork } from '../../../contract/now.ts'
import type { DatabaseCounts, DatabaseWork, IndexState } from '../../wire/work-wire.ts'

/** Rates from differences of a database's counters. */
export interface CountedRates {
  readonly atTicks: Ticks
  /** Time between the two counts, ms. */
  readonly overMs: number
  readonly requestsPerSecond: number
  readonly writesPerSecond: number
  readonly writeBytesPerSecond: number
  readonly indexedPerSecond: number
  readonly mappedPerSecond: number
  readonly reducedPerSecond: number
}

export interface KnownWork extends DatabaseWork {
  readonly database: string
  readonly atTicks: Ticks
  /** Time of `indexes`, which is older than `atTicks` where the last request for them failed. */
  readonly indexesTicks: Ticks
  /** Time of `states`, likewise. */
  readonly statesTicks: Ticks
  /** Time between this response and the one before, ms; absent or null: there was none, or the database rested between. */
  readonly intervalMs?: number | null
  /** Whether the database is no longer polled, so that only problems that a user has to fix are still reported. */
  readonly isPast: boolean
}

/** Tells, from the newest frames, whether a database may be polled and whether it is loaded. */
export interface WorkStanding {
  readonly isPolled: (database: string) => boolean
  readonly isLoaded: (database: string) => boolean
}

/** Databases whose indexes were not requested. */
export interface UnpolledDatabases {
  /** Names of databases that other clients use: their turn comes. */
  readonly waiting: readonly string[]
  /** Number of loaded databases without activity: a request would keep them loaded. */
  readonly resting: number
  readonly unloaded: number
}

/**
 * Time for which a response is valid while its database is still polled, since the next turn comes earlier. Lasting
 * states of a database that is no longer polled are valid for the same time.
 */
export const HOLDS_TICKS = 900 * TICKS_PER_SECOND

/** States that last until a user ends them. */
const isLasting = (state: IndexState): boolean => isErrored(state) || state.state === 'Disabled'

/** Time for which the figures of a database that is no longer polled are valid. */
const ENDED_TICKS = 60 * TICKS_PER_SECOND

/** Time for which rates are valid: a turn comes every 20 s, and the next one may be late. */
const RATES_HOLD_TICKS = 30 * TICKS_PER_SECOND
/** Maximum time between two counts: a rate over a longer time does not describe the present. */
const RATES_MOST_TICKS = 90 * TICKS_PER_SECOND

/**
 * Rates between two counts; null: no earlier count to compare with, or the counters restarted because the database was
 * loaded again.
 */
function ratesOf(from: DatabaseCounts | null, counts: DatabaseCounts | null): CountedRates | null {
  if (from === null || counts === null) return null
  const ticks = counts.atTicks - from.atTicks
  if (ticks < TICKS_PER_SECOND || ticks > RATES_MOST_TICKS) return null
  if (counts.requests < from.requests || counts.writes < from.writes) return null
  const rate = (name: Exclude<keyof DatabaseCounts, 'atTicks'>): number =>
    Math.max(0, counts[name] - from[name]) / (ticks / TICKS_PER_SECOND)
  return {
    atTicks: counts.atTicks,
    overMs: ticks / TICKS_PER_MS,
    requestsPerSecond: rate('requests'),
    writesPerSecond: rate('writes'),
    writeBytesPerSecond: rate('writeBytes'),
    indexedPerSecond: rate('indexed'),
    mappedPerSecond: rate('mapped'),
    reducedPerSecond: rate('reduced'),
  }
}

/** Indexes with the growth of what they have left since the response before. An index that was up to date then has none. */
function withGrowth(
  indexes: DatabaseWork['indexes'],
  before: Omit<KnownWork, 'isPast'> | undefined,
  atTicks: Ticks,
): DatabaseWork['indexes'] {
  if (indexes === null || before === undefined) return indexes
  const ticks = atTicks - before.indexesTicks
  if (ticks < TICKS_PER_SECOND || ticks > RATES_MOST_TICKS) return indexes
  const left = new Map(before.indexes?.map((each) => [each.index, each.itemsLeft]))
  return indexes.map((each) => {
    const leftBefore = left.get(each.index)
    if (leftBefore === undefined) return each
    return { ...each, growsPerSecond: (each.itemsLeft - leftBefore) / (ticks / TICKS_PER_SECOND) }
  })
}

/** Times of the merger that waited least; empty: no database reported any. */
export function busiestMerger(works: readonly DatabaseWork[]): DatabaseWork['mergerTimes'] {
  const waits = ({ mergerTimes }: DatabaseWork): number =>
    mergerTimes.reduce((sum, each) => sum + each.waits, 0) / mergerTimes.length
  return (
    works.filter(({ mergerTimes }) => mergerTimes.length > 0).toSorted((a, b) => waits(a) - waits(b))[0]?.mergerTimes ??
    []
  )
}

/**
 * Totals over the indexes of a database, for the page. The server also calls an index in error paused; here it counts
 * as in error only.
 */
export function atWork(work: KnownWork): DatabaseAtWork {
  const { database, atTicks, indexesTicks, statesTicks, isPast, indexes, states, merger, waiting } = work
  const errored = new Set(states?.filter(isErrored).map(({ index }) => index))
  const known = isPast || indexesTicks < atTicks ? null : indexes
  const itemsLeft = known === null ? null : known.reduce((sum, index) => sum + index.itemsLeft, 0)
  const stoppedIndexes =
    known === null || (errored.size > 0 && statesTicks < atTicks)
      ? null
      : known.filter((each) => isStopped(each) && !errored.has(each.index)).length
  return { database, atTicks, staleIndexes: known?.length ?? null, stoppedIndexes, itemsLeft, waiting, merger }
}

/** Newest responses of databases at work. */
export class WorkStore {
  readonly #work = new Map<string, Omit<KnownWork, 'isPast'>>()
  readonly #rates = new Map<string, CountedRates>()

  take(database: string, work: DatabaseWork, atTicks: Ticks): void {
    const before = this.#work.get(database)
    const rates = ratesOf(before?.counts ?? null, work.counts)
    if (rates === null) this.#rates.delete(database)
    else this.#rates.set(database, rates)
    // A request that failed ends no problem that lasts until a user fixes it.
    const indexes = withGrowth(work.indexes, before, atTicks) ?? before?.indexes?.filter(isStopped) ?? null
    const indexesTicks = work.indexes === null ? (before?.indexesTicks ?? atTicks) : atTicks
    const states = work.states ?? before?.states?.filter(isLasting) ?? null
    const statesTicks = work.states === null ? (before?.statesTicks ?? atTicks) : atTicks
    const ticks = before === undefined ? Number.NaN : atTicks - before.atTicks
    const intervalMs = ticks > 0 && ticks <= HOLDS_TICKS ? ticks / TICKS_PER_MS : null
    this.#work.set(database, { ...work, database, atTicks, indexes, indexesTicks, states, statesTicks, intervalMs })
  }

  /** Rates of the newest turn; null: not polled twice recently, so that there is nothing to compare. */
  rates(database: string, nowTicks: number): CountedRates | null {
    const rates = this.#rates.get(database)
    return rates === undefined || nowTicks - rates.atTicks > RATES_HOLD_TICKS ? null : rates
  }

  /** Newest response; undefined: none, or too old for its figures to be valid now. */
  newest(database: string, nowTicks: number): Omit<KnownWork, 'isPast'> | undefined {
    const work = this.#work.get(database)
    return work === undefined || nowTicks - work.atTicks > ENDED_TICKS ? undefined : work
  }

  /** Whether a response of the database is stored and still valid, at least in part. */
  has(database: string): boolean {
    return this.#work.has(database)
  }

  /** Responses that are still valid; the others are dropped. */
  fresh(nowTicks: number, { isPolled, isLoaded }: WorkStanding): KnownWork[] {
    return [...this.#work.values()].flatMap((work): KnownWork[] => {
      const { database } = work
      const ageTicks = nowTicks - work.atTicks
      if (ageTicks > HOLDS_TICKS || !isLoaded(database)) {
        this.#work.delete(database)
        return []
      }
      const indexes = nowTicks - work.indexesTicks > HOLDS_TICKS ? null : work.indexes
      const states = nowTicks - work.statesTicks > HOLDS_TICKS ? null : work.states
      const isPresent = isPolled(database) || ageTicks <= ENDED_TICKS
      return [isPresent ? { ...work, indexes, states, isPast: false } : pastOf({ ...work, indexes, states })]
    })
  }
}

const pastOf = (work: Omit<KnownWork, 'isPast'>): KnownWork => ({
  ...work,
  isPast: true,
  indexes: work.indexes?.filter(isStopped) ?? null,
  states: work.states?.filter(isLasting) ?? null,
  counts: null,
  merger: null,
  mergerTimes: [],
  waiting: null,
  operations: null,
})
