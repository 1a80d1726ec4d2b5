import type { Bytes } from '../../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { Quantiles } from '../../../../base/columns/select.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { BatchFilter, BatchRow, IndexKey, ReasonCode, ReasonWeight } from '../../contract/batches.ts'
import type { IndexingSummaryResponse, IndexingSummaryParams, IndexSummary } from '../../contract/summary.ts'
import { REASON_CODES } from '../../contract/batches.ts'
import type { BatchStore } from '../table.ts'
import { DOCUMENTS_FAILED, DOCUMENTS_IN, DOCUMENTS_OUT, ID, REASON, WAIT, type IndexTable } from '../index-table.ts'
import { batchRow } from './batch-row.ts'
import type { Part } from './parts.ts'
import { eachSlice, forEachMatching, partsOf, reachingInto, stateOf } from './parts.ts'

/**
 * Sums, exact percentiles, stop reasons and the longest batches of the completed batches that start in the range.
 * O(batches in range), in slices between which other responses are served.
 */
export async function summaryResponse(
  store: BatchStore,
  params: IndexingSummaryParams,
  signal: AbortSignal,
): Promise<IndexingSummaryResponse> {
  const pace = new Pace(signal)
  const parts = partsOf(store, params)
  const indexes: IndexSummary[] = []
  for (const key of params.indexes) {
    const own = parts.filter(({ index }) => index.key === key)
    if (store.indexes.has(key)) indexes.push(await summarise(store, key, own, params, pace))
  }
  const total = await summarise(store, null, parts, params, pace)
  return { total, indexes, largest: await largestOf(store, parts, params.largestLimit, pace) }
}

/** Sums up one index, or all parts together (`null`). */
export async function summarise(
  store: BatchStore,
  index: IndexKey | null,
  parts: readonly Part[],
  range: TimeRange & { readonly filter: BatchFilter },
  pace: Pace,
): Promise<IndexSummary> {
  const counts = { batches: 0, worked: 0, empty: 0, failed: 0, training: 0, lost: 0 }
  const training = { documents: 0, busy: 0 }
  const sums = {
    running: 0,
    busy: 0,
    share: 0,
    documentsPerSecond: 0,
    documentsIn: 0,
    documentsOut: 0,
    documentsFailed: 0,
    bytes: 0,
    wait: 0,
  }
  const reasons = new Map<number, number>()
  const quantiles = new Quantiles()
  let maxTicks = Number.NaN
  for (const part of parts) {
    const { events, kind } = part
    const known = knownTicks(part.index, range)
    if (kind === 'training') {
      forEachMatching(part, (chunk, row) => {
        counts.training++
        training.documents += Math.max(0, chunk.read(DOCUMENTS_IN, row))
        training.busy += chunk.read(DURATION, row)
      })
      continue
    }
    for (const row of reachingInto(events, range.startTicks))
      if (kind !== 'open') sums.share += overlap(events.read(START, row), events.read(DURATION, row), range) / known
    if (kind === 'open') {
      forEachMatching(part, (chunk, row) => {
        const state = stateOf(store, part.index, kind, chunk.read(START, row), chunk.read(ID, row))
        if (state === 'lost') counts.lost++
        else sums.running++
      })
      continue
    }
    await eachSlice(part, pace, (slice) =>
      forEachMatching(slice, (chunk, row) => {
        const duration = chunk.read(DURATION, row)
        counts.batches++
        counts[kind]++
        sums.busy += duration
        sums.share += overlap(chunk.read(START, row), duration, range) / known
        const documentsIn = Math.max(0, chunk.read(DOCUMENTS_IN, row))
        sums.documentsIn += documentsIn
        sums.documentsPerSecond += documentsIn / (known / TICKS_PER_SECOND)
        sums.documentsOut += Math.max(0, chunk.read(DOCUMENTS_OUT, row))
        sums.documentsFailed += Math.max(0, chunk.read(DOCUMENTS_FAILED, row))
        sums.bytes += chunk.read(SIZE, row)
        sums.wait += chunk.read(WAIT, row)
        const reason = chunk.read(REASON, row)
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        if (kind !== 'empty') {
          quantiles.add(duration)
          if (!(maxTicks >= duration)) maxTicks = duration
        }
      }),
    )
  }
  const [p50Ticks = Number.NaN, p99Ticks = Number.NaN] = await quantiles.resolve([0.5, 0.99], async (visit) => {
    for (const part of parts)
      if (part.kind === 'worked' || part.kind === 'failed')
        await eachSlice(part, pace, (slice) => forEachMatching(slice, (chunk, row) => visit(chunk.read(DURATION, row))))
  })
  const table = index === null ? undefined : store.indexes.get(index)
  return {
    index,
    counts,
    running: sums.running,
    busyTicks: sums.busy as TickSpan,
    busyShare: sums.share,
    knownTicks: knownTicks(table, range) as TickSpan,
    documentsIn: sums.documentsIn,
    documentsOut: sums.documentsOut,
    documentsFailed: sums.documentsFailed,
    bytes: sums.bytes as Bytes,
    training: { batches: counts.training, documents: training.documents, busyTicks: training.busy as TickSpan },
    documentsPerBusySecond: sums.busy === 0 ? Number.NaN : sums.documentsIn / (sums.busy / TICKS_PER_SECOND),
    documentsPerSecond: sums.documentsPerSecond,
    p50Ticks,
    p99Ticks,
    maxTicks,
    waitTicks: sums.wait as TickSpan,
    reasons: reasonCounts(store, reasons),
  }
}

/** Part of the range of which the batches of an index are known, ticks, at least 1; of no index: the range. */
const knownTicks = (index: IndexTable | undefined, { startTicks, endTicks }: TimeRange): number =>
  Math.max(1, endTicks - Math.max(startTicks, index?.droppedBeforeTicks ?? startTicks))

const overlap = (startTicks: number, durationTicks: number, range: TimeRange): number =>
  Math.max(0, Math.min(range.endTicks, startTicks + durationTicks) - Math.max(range.startTicks, startTicks))

/**
 * Counts reasons by code, because texts with the same code differ in their numbers. The words are those of the most
 * common text.
 */
function reasonCounts(store: BatchStore, texts: ReadonlyMap<number, number>): IndexSummary['reasons'] {
  const codes = new Map<ReasonCode, { count: number; most: number; words: string; weight: ReasonWeight }>()
  for (const [text, count] of texts) {
    const { code, weight, words } = store.reasons.get(text)
    const known = codes.get(code) ?? { count: 0, most: 0, words, weight }
    if (count > known.most) Object.assign(known, { most: count, words })
    known.count += count
    codes.set(code, known)
  }
  return Array.from(codes, ([code, { count, weight, words }]) => ({ code, weight, count, words })).toSorted(
    (a, b) => b.count - a.count || REASON_CODES.indexOf(a.code) - REASON_CODES.indexOf(b.code),
  )
}

/** The longest batches in the range, including one that began before the range and reaches into it. */
async function largestOf(store: BatchStore, parts: readonly Part[], limit: number, pace: Pace): Promise<BatchRow[]> {
  let found: { part: Part; row: number; duration: number }[] = []
  let least = -1
  const trim = (): void => {
    found = found.toSorted((a, b) => b.duration - a.duration).slice(0, limit)
    if (found.length === limit) least = found.at(-1)?.duration ?? -1
  }
  if (limit <= 0) return []
  for (const part of parts)
    await eachSlice(part, pace, (slice) => {
      forEachMatching(slice, (chunk, row, firstRow) => {
        const duration = chunk.read(DURATION, row)
        if (duration > least) found.push({ part, row: firstRow + row, duration })
      })
      if (found.length > limit * 4) trim()
    })
  trim()
  return found.map(({ part, row }) => batchRow(store, part, row))
}
