import { Fields } from '../../../../base/json/fields.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { Operation } from '../../../../ravendb/operations-wire.ts'
import type { MergerTime } from './merger-wire.ts'

/*
 * Readers for the responses of a database at work. Only such databases are polled, since a request would keep an idle
 * one loaded. Errors of all: `ParseError`.
 */

/** Counters of a database since it was loaded. */
export interface DatabaseCounts {
  /** Time of the count, by the server's clock. */
  readonly atTicks: Ticks
  readonly requests: number
  /** Written documents, attachments, counters and time series. */
  readonly writes: number
  readonly writeBytes: number
  readonly indexed: number
  readonly mapped: number
  readonly reduced: number
}

const WRITTEN = ['Docs', 'Attachments', 'Counters', 'TimeSeries']

/** Reads `metrics` of a database. */
export function readDatabaseCounts(response: unknown, atTicks: Ticks): DatabaseCounts {
  const body = new Fields(response)
  const count = (part: string, meter: string): number => body.in(part).in(meter).number('Count')
  const written = (meter: string): number => WRITTEN.reduce((sum, part) => sum + count(part, meter), 0)
  return {
    atTicks,
    requests: count('Requests', 'RequestsPerSec'),
    writes: written('PutsPerSec'),
    writeBytes: written('BytesPutsPerSec'),
    indexed: count('MapIndexes', 'IndexedPerSec'),
    mapped: count('MapReduceIndexes', 'MappedPerSec'),
    reduced: count('MapReduceIndexes', 'ReducedPerSec'),
  }
}

/** Index that is not up to date. */
export interface IndexWork {
  readonly index: string
  /** `Running`, `Paused`, `Disabled`, `Pending`, or another value that the server reported. */
  readonly status: string
  /** Number of documents, tombstones and deleted ranges that it has not processed yet. */
  readonly itemsLeft: number
  readonly itemsPerSecond: number
  /** By how much `itemsLeft` grew per second since the response before; negative: it shrank; absent: not known. */
  readonly growsPerSecond?: number
}

const MOST_INDEXES = 500
const LEFT = ['NumberOfItemsToProcess', 'NumberOfTombstonesToProcess', 'NumberOfTimeSeriesDeletedRangesToProcess']

/** Reads `indexes/progress`: only indexes that are not up to date, those with the most work first. */
export function readProgress(response: unknown): IndexWork[] {
  return new Fields(response)
    .each('Results')
    .slice(0, MOST_INDEXES)
    .flatMap((entry): IndexWork[] => {
      if (entry.all['IsStale'] === false) return []
      const collections = entry.inOrNull('Collections')
      const left = Object.keys(collections?.all ?? {}).flatMap((name) => {
        const collection = collections?.in(name)
        return LEFT.map((field) => collection?.numberOrNull(field) ?? 0)
      })
      return [
        {
          index: entry.text('Name'),
          status: entry.textOrNull('IndexRunningStatus') ?? 'Running',
          itemsLeft: left.reduce((sum, count) => sum + count, 0),
          itemsPerSecond: entry.numberOrNull('ProcessedPerSecond') ?? 0,
        },
      ]
    })
    .toSorted((a, b) => b.itemsLeft - a.itemsLeft)
}

/** Index with a problem: stopped by a user, stopped because of errors, or not up to date. */
export interface IndexState {
  readonly index: string
  /** `Normal`, `Idle`, `Disabled`, `Error`, or another value that the server reported. */
  readonly state: string
  readonly isStale: boolean
  /** End of its last batch; null: never, or not reported. */
  readonly indexedTicks: Ticks | null
}

/** Part of `stats`, without counts. */
export interface StatsPart {
  /** Number of writes that wait for the merger; null: this version does not report it. */
  readonly waiting: number | null
  /** Indexes that are stale or not in a healthy state. */
  readonly states: readonly IndexState[]
}

const HEALTHY: ReadonlySet<string> = new Set(['Normal', 'Idle'])

/** Reads `stats`. */
export function readStats(response: unknown): StatsPart {
  const stats = new Fields(response)
  const states = stats.eachOrNone('Indexes').flatMap((entry): IndexState[] => {
    const state = entry.textOrNull('State') ?? 'Normal'
    const isStale = entry.isTrue('IsStale')
    if (!isStale && HEALTHY.has(state)) return []
    return [{ index: entry.text('Name'), state, isStale, indexedTicks: entry.ticksOrNull('LastIndexingTime') }]
  })
  const waiting = stats.numberOrNull('NumberOfTransactionMergerQueueOperations')
  return { waiting, states: states.slice(0, MOST_INDEXES) }
}

/**
 * Figures of a database's transaction merger over its last minute. The merger combines waiting writes into
 * transactions.
 */
export interface MergerFigures {
  /** Time that the figures cover, ms: a minute, or less if the server remembers less. */
  readonly spanMs: number
  readonly transactions: number
  /** Number of writes in these transactions. */
  readonly operations: number
  /** Total time in transactions, ms; the merger executes one at a time. */
  readonly busyMs: number
  readonly longestMs: number
}

const SPAN_TICKS = 60_000 * TICKS_PER_MS
/**
 * Number of transactions in a combined entry: the 257th combines all of them into one entry, which does not report
 * their number.
 */
const FOLDED = 257

/**
 * Reads `debug/perf-metrics`. If nothing was merged in the last minute, the figures cover a whole minute without
 * transactions.
 */
export function readMerger(response: unknown, nowTicks: Ticks): MergerFigures {
  const merged = new Fields(response).each('PerfMetrics').find((kind) => kind.all['MetricType'] === 'Transaction')
  const sum = { transactions: 0, operations: 0, busyMs: 0, longestMs: 0, firstTicks: Number.POSITIVE_INFINITY }
  const add = (list: 'Recent' | 'History', transactions: number, busy: string, longest: string): void => {
    for (const item of merged?.eachOrNone(list) ?? []) {
      const startTicks = item.ticksOrNull('Start')
      // Leaves out a transaction that began before the span: the part inside it is not reported.
      if (startTicks === null || startTicks < nowTicks - SPAN_TICKS) continue
      sum.transactions += transactions
      sum.operations += item.number('Counter')
      sum.busyMs += item.number(busy)
      sum.longestMs = Math.max(sum.longestMs, item.number(longest))
      sum.firstTicks = Math.min(sum.firstTicks, startTicks)
    }
  }
  add('Recent', 1, 'Duration', 'Duration')
  add('History', FOLDED, 'ActiveDuration', 'MaxDuration')
  const { firstTicks, ...figures } = sum
  if (sum.transactions === 0) return { ...figures, spanMs: SPAN_TICKS / TICKS_PER_MS }
  return { ...figures, spanMs: Math.max(1000, Math.min(SPAN_TICKS, nowTicks - firstTicks) / TICKS_PER_MS) }
}

/** Operations of a database as listed. */
export interface ListedOperations {
  readonly atTicks: Ticks
  readonly running: readonly Operation[]
  /** Operations that ended in the last two minutes. */
  readonly ended: readonly Operation[]
}

/** Response of a database at work. Null parts were refused or could not be read. */
export interface DatabaseWork {
  /** Counters; null: not reported. */
  readonly counts: DatabaseCounts | null
  /** Indexes that are not up to date, those with the most work first. */
  readonly indexes: readonly IndexWork[] | null
  readonly states: readonly IndexState[] | null
  readonly merger: MergerFigures | null
  /** Recent times of the merger by activity, ascending; empty: not reported. */
  readonly mergerTimes: readonly MergerTime[]
  readonly waiting: number | null
  /** Operations that run, and those that ended recently. */
  readonly operations: ListedOperations | null
}
