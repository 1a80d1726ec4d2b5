import type { Ticks } from '../../base/brand.ts'
import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../../base/check.ts'
import { TICKS_PER_MS } from '../../base/ticks.ts'
import { ticksOrNull } from './widgets.ts'

/*
 * Answers of a database that is at work: asked only of such, since they would keep an idle one loaded.
 * Errors of all: `ParseError`.
 */

/** An index that has work left. */
export interface IndexWork {
  readonly index: string
  /** `Running`, `Paused`, `Disabled`, `Pending`, or what the server said. */
  readonly status: string
  /** Documents, tombstones and deleted ranges that it has not seen yet. */
  readonly itemsLeft: number
  readonly itemsPerSecond: number
}

const MOST_INDEXES = 500
const LEFT = ['NumberOfItemsToProcess', 'NumberOfTombstonesToProcess', 'NumberOfTimeSeriesDeletedRangesToProcess']

/** `indexes/progress`: only indexes that are not up to date, most work first. */
export function readProgress(answer: unknown): IndexWork[] {
  return asArray(asObject(answer, '$')['Results'], '$.Results')
    .slice(0, MOST_INDEXES)
    .flatMap((item, row) => {
      const path = `$.Results[${row}]`
      const entry = asObject(item, path)
      const collections = Object.values(orNull(asObject, entry['Collections'], `${path}.Collections`) ?? {})
      const left = collections.flatMap((each) => {
        const collection = asObject(each, `${path}.Collections`)
        return LEFT.map((field) => orNull(asNumber, collection[field], `${path}.Collections.${field}`) ?? 0)
      })
      if (entry['IsStale'] === false) return []
      return {
        index: asString(entry['Name'], `${path}.Name`),
        status: orNull(asString, entry['IndexRunningStatus'], `${path}.IndexRunningStatus`) ?? 'Running',
        itemsLeft: left.reduce((sum, count) => sum + count, 0),
        itemsPerSecond: orNull(asNumber, entry['ProcessedPerSecond'], `${path}.ProcessedPerSecond`) ?? 0,
      }
    })
    .toSorted((a, b) => b.itemsLeft - a.itemsLeft)
}

/** The transaction merger of a database, which makes one transaction of the writes that wait: over its last minute. */
export interface MergerFigures {
  /** What the figures are of, ms: a minute, or less where the server remembers less. */
  readonly spanMs: number
  readonly transactions: number
  /** Writes that these transactions held. */
  readonly operations: number
  /** In transactions in all; the merger does one at a time. */
  readonly busyMs: number
  readonly longestMs: number
}

const SPAN_TICKS = 60_000 * TICKS_PER_MS
/** The 257th folds all of them into one, which does not tell how many it holds. */
const FOLDED = 257

/** `debug/perf-metrics`; null: it has merged nothing in the last minute. */
export function readMerger(answer: unknown, nowTicks: Ticks): MergerFigures | null {
  const kinds = asArray(asObject(answer, '$')['PerfMetrics'], '$.PerfMetrics').map((kind) => asObject(kind, '$…'))
  const merged = kinds.find((kind) => kind['MetricType'] === 'Transaction')
  const list = (field: string): JsonObject[] =>
    (orNull(asArray, merged?.[field], `$…${field}`) ?? []).map((item) => asObject(item, `$…${field}[]`))
  const sum = { transactions: 0, operations: 0, busyMs: 0, longestMs: 0, firstTicks: Number.POSITIVE_INFINITY }
  const add = (item: JsonObject, endTicks: number, transactions: number, busy: string, longest: string): void => {
    const startTicks = ticksOrNull(orNull(asString, item['Start'], '$….Start'))
    if (startTicks === null || endTicks < nowTicks - SPAN_TICKS) return
    sum.transactions += transactions
    sum.operations += asNumber(item['Counter'], '$….Counter')
    sum.busyMs += asNumber(item[busy], `$….${busy}`)
    sum.longestMs = Math.max(sum.longestMs, asNumber(item[longest], `$….${longest}`))
    sum.firstTicks = Math.min(sum.firstTicks, startTicks)
  }
  for (const item of list('Recent')) {
    const startTicks = ticksOrNull(orNull(asString, item['Start'], '$….Start')) ?? Number.NaN
    add(item, startTicks, 1, 'Duration', 'Duration')
  }
  for (const item of list('History')) {
    const startTicks = ticksOrNull(orNull(asString, item['Start'], '$….Start')) ?? Number.NaN
    // What lies half in the span is left out: its part inside is not told.
    if (startTicks < nowTicks - SPAN_TICKS) continue
    add(item, startTicks, FOLDED, 'ActiveDuration', 'MaxDuration')
  }
  if (sum.transactions === 0) return null
  const { firstTicks, ...figures } = sum
  return { ...figures, spanMs: Math.max(1000, Math.min(SPAN_TICKS, nowTicks - firstTicks) / TICKS_PER_MS) }
}

/** `stats`: writes that wait for the merger; null: this version does not tell. */
export const readQueue = (answer: unknown): number | null =>
  orNull(asNumber, asObject(answer, '$')['NumberOfTransactionMergerQueueOperations'], '$.NumberOfTransactionMerger…')

/** What a database at work answered. A part that it refused, or that could not be read, is null. */
export interface DatabaseWork {
  /** Not up to date, most work first. */
  readonly indexes: readonly IndexWork[] | null
  readonly merger: MergerFigures | null
  readonly waiting: number | null
}
