import { asArray, asNumber, asObject, asString, orNull, unlessNegative } from '../../base/json/check.ts'
import { parseTicks, type Ticks, TICKS_PER_MS, type TickSpan } from '../../base/ticks.ts'

/** Capacity of a ring: the 257th event merges all of them into one. */
export const MERGER_RING = 256

/** A completed period of the transaction merger in one state, or a merged one of 257. */
export interface MergerSpan {
  readonly startTicks: Ticks
  /** From the start of the first period to the end of the last. */
  readonly durationTicks: TickSpan
  /** Time in that state. */
  readonly activeTicks: TickSpan
  /** Client operations that were merged. */
  readonly operations: number
  /** Number of all operations; null: not reported. */
  readonly commands: number | null
}

/** In the order of the response: oldest first. */
export interface MergerSpans {
  readonly single: readonly MergerSpan[]
  readonly summed: readonly MergerSpan[]
}

/**
 * Reads the spans of one kind in `debug/perf-metrics`: `GeneralWait` (waiting for work) or `Transaction`. Errors:
 * `ParseError`.
 */
export function readMergerSpans(response: unknown, kind: 'GeneralWait' | 'Transaction'): MergerSpans {
  const kinds = asArray(asObject(response, '$')['PerfMetrics'], '$.PerfMetrics').map((each) => asObject(each, '$…'))
  const of = kinds.find((each) => each['MetricType'] === kind)
  const read = (field: 'Recent' | 'History', active: string): MergerSpan[] =>
    (orNull(asArray, of?.[field], `$…${field}`) ?? []).flatMap((item) => {
      const each = asObject(item, `$…${field}[]`)
      const startTicks = parseTicks(orNull(asString, each['Start'], '$….Start') ?? '')
      const span = (name: string): TickSpan => Math.round(asNumber(each[name], `$….${name}`) * TICKS_PER_MS) as TickSpan
      if (Number.isNaN(startTicks)) return []
      return [
        {
          startTicks,
          durationTicks: span('Duration'),
          activeTicks: span(active),
          operations: asNumber(each['Counter'], '$….Counter'),
          commands: unlessNegative(each['CommandsCounter'], '$….CommandsCounter'),
        },
      ]
    })
  return { single: read('Recent', 'Duration'), summed: read('History', 'ActiveDuration') }
}
