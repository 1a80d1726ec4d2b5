import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { MERGER_RING, readMergerSpans, type MergerSpan } from '../../../../ravendb/databases/perf-metrics.ts'

/**
 * Shares of ten seconds, or of the known part of them, in which a merger waited for writes or executed transactions. It
 * spent the remaining time on commits.
 */
export interface MergerTime {
  /** Middle of the known part of the ten seconds. */
  readonly atTicks: Ticks
  /** Share of time, 0–1, as `transactions`. The remaining share went into commits, mostly into journal writes. */
  readonly waits: number
  readonly transactions: number
  /** Mean number of writes in a transaction; null: no transaction. */
  readonly writers: number | null
}

/** Event, or the sum of 257 events that the server had combined. */
interface Span {
  readonly start: number
  readonly end: number
  /** Ticks of the span during which the merger was in that state. */
  readonly active: number
  readonly operations: number
  readonly count: number
}

const WINDOW_TICKS = 10 * TICKS_PER_SECOND
/** Number of ten-second windows read from one response: it is polled every 20 s. */
const WINDOWS = 2
/** Minimum known time that is representative for ten seconds. */
const LEAST_TICKS = TICKS_PER_SECOND / 2

/** Reads single events and sums of one kind, and the time `since` which they are complete. */
function readKind(
  response: unknown,
  kind: 'GeneralWait' | 'Transaction',
): { readonly spans: Span[]; readonly since: number } {
  const { single, summed } = readMergerSpans(response, kind)
  const spanOf =
    (count: number) =>
    ({ startTicks, durationTicks, activeTicks, operations }: MergerSpan): Span => ({
      start: startTicks,
      end: startTicks + durationTicks,
      active: activeTicks,
      operations,
      count,
    })
  const spans = [...single.map(spanOf(1)), ...summed.map(spanOf(MERGER_RING + 1))]
  const isWhole = summed.length === 0 && single.length < MERGER_RING
  const since = isWhole ? Number.NEGATIVE_INFINITY : Math.min(...spans.map(({ start }) => start))
  return { spans, since }
}

const lastEnd = (spans: readonly Span[]): number =>
  spans.reduce((last, { end }) => Math.max(last, end), Number.NEGATIVE_INFINITY)

/**
 * Reads `debug/perf-metrics`: how the merger's time was spent in the last 20 s that its events cover. Errors:
 * `ParseError`. An event is reported when it has ended. After a wait, a transaction runs; after a transaction the
 * merger may commit or wait, so that its state after that is not known.
 */
export function readMergerTimes(response: unknown, nowTicks: Ticks): MergerTime[] {
  const waits = readKind(response, 'GeneralWait')
  const work = readKind(response, 'Transaction')
  const [lastWait, lastWork] = [lastEnd(waits.spans), lastEnd(work.spans)]
  if (waits.spans.length + work.spans.length === 0) return []
  const isRunning = lastWait > lastWork
  const end = isRunning ? Math.max(nowTicks, lastWait) : lastWork
  if (isRunning) work.spans.push({ start: lastWait, end, active: end - lastWait, operations: 0, count: 0 })
  const since = Math.max(waits.since, work.since)
  const times: MergerTime[] = []
  for (let window = WINDOWS; window > 0; window--) {
    const to = end - (window - 1) * WINDOW_TICKS
    const from = Math.max(to - WINDOW_TICKS, since)
    if (to - from < LEAST_TICKS || nowTicks - to > WINDOWS * WINDOW_TICKS) continue
    const sum = (spans: readonly Span[], of: (span: Span) => number): number =>
      spans.reduce((total, span) => {
        const overlap = Math.min(to, span.end) - Math.max(from, span.start)
        return overlap <= 0 ? total : total + (of(span) * overlap) / (span.end - span.start)
      }, 0)
    const share = (spans: readonly Span[]): number => Math.min(1, sum(spans, ({ active }) => active) / (to - from))
    const waiting = share(waits.spans)
    const transactions = sum(work.spans, ({ count }) => count)
    times.push({
      atTicks: Math.round((from + to) / 2) as Ticks,
      waits: waiting,
      transactions: Math.min(1 - waiting, share(work.spans)),
      writers: transactions === 0 ? null : sum(work.spans, ({ operations }) => operations) / transactions,
    })
  }
  return times
}
