import type { ActivityEntry } from '../../../actions/client/activity-entry.ts'
import type { Figure } from '../../../actions/figures.ts'
import type { Recorded } from '../../../actions/model.ts'
import { environmentOf } from '../../../actions/rows/storage.ts'
import { actionById } from '../../../actions/table.ts'
import { uncovered } from '../../../base/uncovered.ts'
import { formatBytes, formatDuration, formatPlural } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import type { CaptureClient } from '../../../capture/client/client.ts'
import type { Gap } from '../../../capture/client/state.ts'
import type { IoLane } from '../../../feeds/io/contract.ts'
import type { SeriesRows } from '../../../feeds/server/contract.ts'
import { type Between, ioMissing } from './effect.ts'

/* Figures of the server, or of an environment, that are recorded beside an action: kept with its entry. */

const MINUTE_TICKS = 60 * TICKS_PER_SECOND
/** Uncertainty of the server's clock. */
const CLOCK_TICKS = 3 * TICKS_PER_SECOND
/** Time within which an environment's I/O for an action arrives. */
const LATE_TICKS = 20 * TICKS_PER_SECOND

interface Span {
  readonly startTicks: Ticks
  readonly endTicks: Ticks
}

/** Kind of figures that is recorded beside an entry; null: only batches, or nothing. */
export function recordedBeside({ call }: ActivityEntry): Exclude<Recorded, { kind: 'index-batches' }> | null {
  const recorded = actionById(call.action)?.recorded
  return recorded === undefined || recorded.kind === 'index-batches' ? null : recorded
}

interface TimeSpan {
  readonly startTicks: number
  readonly endTicks: number
}

const isEmpty = ({ startTicks, endTicks }: TimeSpan): boolean => endTicks <= startTicks

/** Bounds of an action without neighbours. */
const ALONE: Between = { fromTicks: Number.NEGATIVE_INFINITY, untilTicks: Number.POSITIVE_INFINITY }

/** Spans before and after an entry; null: too early to measure. I/O is counted from the click, CPU from the end. */
export function spansOf(
  { startedTicks, endedTicks, state }: ActivityEntry,
  kind: 'server' | 'io',
  nowTicks: number | null,
  { fromTicks, untilTicks }: Between = ALONE,
): { readonly before: Span; readonly after: Span } | null {
  if (state !== 'done' || endedTicks === null || nowTicks === null || nowTicks < endedTicks + LATE_TICKS) return null
  const cut = ({ startTicks, endTicks }: TimeSpan): TimeSpan => ({
    startTicks: Math.max(startTicks, fromTicks + CLOCK_TICKS),
    endTicks: Math.min(endTicks, untilTicks - CLOCK_TICKS),
  })
  const before = cut({ startTicks: startedTicks - MINUTE_TICKS, endTicks: startedTicks - CLOCK_TICKS })
  const after = cut(
    kind === 'io'
      ? { startTicks: startedTicks - CLOCK_TICKS, endTicks: endedTicks + LATE_TICKS }
      : { startTicks: endedTicks + CLOCK_TICKS, endTicks: Math.min(nowTicks, endedTicks + CLOCK_TICKS + MINUTE_TICKS) },
  )
  if (isEmpty(before) || isEmpty(after)) return null
  return { before: before as Span, after: after as Span }
}

/** Time, ms, after which an unmeasured effect counts as not recorded. */
export const LATE_MS = 60_000

const NOT_RECORDED = {
  io: 'not recorded. Choose its database as a source to record its I/O.',
  server: 'not recorded. The CPU of the server is recorded while this page is open.',
} as const

/** Why there are no figures beside a completed entry. */
export const missingBeside = (
  { beside, endedMs }: ActivityEntry,
  kind: keyof typeof NOT_RECORDED,
  nowMs: number,
): string =>
  beside === undefined && (endedMs === null || nowMs - endedMs < LATE_MS)
    ? 'recorded until a minute after its end'
    : NOT_RECORDED[kind]

/** Figures measured over a span; null: nothing of it was recorded. Errors: `CaptureError`. */
export async function measureBeside(
  client: CaptureClient,
  entry: ActivityEntry,
  recorded: Exclude<Recorded, { kind: 'index-batches' }>,
  span: Span,
): Promise<readonly Figure[] | null> {
  if (recorded.kind === 'io') return measureIo(client, entry, recorded.ioKind, span)
  const { series } = await client.request('server.series', { ...span, keys: [recorded.key], maxPoints: 60 })
  const figure = series[0] === undefined ? null : meanOf(series[0], recorded.label)
  return figure === null ? null : [figure]
}

/** Mean of the samples, with minimum and maximum; null: no samples. */
export function meanOf({ length, mean, min, max, count }: SeriesRows, label: string): Figure | null {
  let [sum, samples, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < length; row++) {
    const n = count[row] ?? 0
    if (n === 0) continue
    sum += (mean[row] ?? 0) * n
    samples += n
    low = Math.min(low, min[row] ?? low)
    high = Math.max(high, max[row] ?? high)
  }
  return samples === 0 ? null : { label, unit: 'percent', value: sum / samples, range: [low, high], aim: 'less' }
}

const IO_LABELS = { DataFlush: 'Data flushes', DataSync: 'Data syncs' } as const

async function measureIo(
  client: CaptureClient,
  { call }: ActivityEntry,
  kind: keyof typeof IO_LABELS,
  span: Span,
): Promise<readonly Figure[] | null> {
  const environment = environmentOf(call)
  const lanesOf = async (find: string): Promise<readonly IoLane[]> => {
    const sources = [`db:${call.target.database ?? ''}`]
    return (await client.request('io.lanes', { sources, find, page: 0, openKinds: [] })).lanes
  }
  const all = await lanesOf('')
  const lanes = environment.type === 'Index' ? await lanesOf(environment.name) : all
  const lane = lanes.find(
    ({ type, label }) => type === environment.type && (type === 'Documents' || label === environment.name),
  )
  if (lane === undefined) return null
  const unknown = unknownOf(span, { lane: lane.id, kind, gaps: client.getState().gaps, lanes: all })
  if (uncovered(span, unknown) === null) return null
  const none: TickSpan | null = null
  const { kinds } = await client.request('io.summary', {
    ...span,
    rows: [{ lane: lane.id, kind, file: null }],
    filter: { minTicks: none, maxTicks: none, minBytes: null, maxBytes: null },
    slowestLimit: 0,
  })
  const of = kinds.find((each) => each.kind === kind)
  const words = `${formatPlural(of?.count ?? 0, 'event')}, ${formatBytes(of?.bytes ?? 0)} in ${formatDuration(span.endTicks - span.startTicks)}${unknown.length === 0 ? '' : ' (recorded in part)'}`
  return [{ label: IO_LABELS[kind], unit: 'text', value: words }]
}

interface Known {
  readonly lane: string
  readonly kind: string
  readonly gaps: readonly Gap[]
  /** All lanes of the database. */
  readonly lanes: readonly IoLane[]
}

/** Unknown parts of a span in a lane: its gaps, and the time before the first event of any lane of the database. */
function unknownOf(span: Span, { lane, kind, gaps, lanes }: Known): readonly Span[] {
  const fromTicks = Math.min(...lanes.flatMap(({ kinds }) => kinds.map(({ firstTicks }) => firstTicks)))
  const within = ioMissing(gaps, span, lane, kind)
  return fromTicks > span.startTicks
    ? [...within, { startTicks: span.startTicks, endTicks: Math.min(fromTicks, span.endTicks) as Ticks }]
    : within
}
