import type { Bytes } from '../../../../base/brand.ts'
import { formatBytes, formatPlural } from '../../../../base/text/format.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import type {
  LaneItem,
  LaneLook,
  LaneModule,
  LaneRelations,
  LaneRequest,
  LaneTrack,
} from '../../../../capture/frame/lanes/lane.ts'
import { markTrack, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import { indexMarks, type Indexed } from '../../../../charts/timeline/marks.ts'
import type { MarksWindow } from '../../../../charts/timeline/marks-window.ts'
import { formatEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import type { IoLane } from '../../../../feeds/io/contract/lanes.ts'
import type { IoRowMarks } from '../../../../feeds/io/contract/marks.ts'
import { NO_FILTER } from '../../../../feeds/io/contract/rows.ts'
import { kindLook } from '../timeline/kinds.ts'

/** Marks of all environments combined in one row, ascending by start. */
interface Together {
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  /** Index of the environment in the list, and of the mark within its marks. */
  readonly lane: Uint32Array
  readonly mark: Uint32Array
  /** Number of events that the mark represents, over all environments. */
  readonly count: Uint32Array
}

/** Merges marks of environments: the slowest event and the count for each pixel. O(n log n) */
export function mergeMarks(rows: readonly IoRowMarks[], resolutionTicks: number): Together {
  const all = rows.flatMap((row, lane) => Array.from({ length: row.length }, (_, mark) => ({ row, lane, mark })))
  all.sort((a, b) => (a.row.startTicks[a.mark] ?? 0) - (b.row.startTicks[b.mark] ?? 0))
  const kept: { row: IoRowMarks; lane: number; mark: number; count: number }[] = []
  let pixel = Number.NaN
  for (const { row, lane, mark } of all) {
    const own = Math.floor((row.startTicks[mark] ?? 0) / resolutionTicks)
    const count = row.count[mark] ?? 1
    const last = kept.at(-1)
    if (last === undefined || own !== pixel) kept.push({ row, lane, mark, count })
    else if ((row.durationTicks[mark] ?? 0) > (last.row.durationTicks[last.mark] ?? 0))
      kept[kept.length - 1] = { row, lane, mark, count: last.count + count }
    else last.count += count
    pixel = own
  }
  return {
    length: kept.length,
    startTicks: Float64Array.from(kept, ({ row, mark }) => row.startTicks[mark] ?? 0),
    durationTicks: Float64Array.from(kept, ({ row, mark }) => row.durationTicks[mark] ?? 0),
    lane: Uint32Array.from(kept, ({ lane }) => lane),
    mark: Uint32Array.from(kept, ({ mark }) => mark),
    count: Uint32Array.from(kept, ({ count }) => count),
  }
}

const relationsOf = ({ id, source, type, label, labelIsReal }: IoLane): LaneRelations =>
  type === 'Index' && labelIsReal ? { storage: id, index: `${source}|${label}` } : { storage: id }

/** Environments with events of a kind, and the marks of each. */
export interface KindRows {
  readonly kind: string
  readonly lanes: readonly IoLane[]
  readonly rows: readonly IoRowMarks[]
}

/** Reads the marks of kinds, of those lanes that have them. */
export async function readKinds(
  request: LaneRequest,
  all: readonly IoLane[],
  kinds: readonly string[],
  window: MarksWindow,
  signal: AbortSignal,
): Promise<readonly KindRows[]> {
  const wanted = kinds.map((kind) => ({
    kind,
    lanes: all.filter((lane) => lane.kinds.some((each) => each.kind === kind)),
  }))
  const refs = wanted.flatMap(({ kind, lanes }) => lanes.map(({ id }) => ({ lane: id, kind, file: null })))
  if (refs.length === 0) return []
  const { rows } = await request('io.marks', { rows: refs, pieces: window.pieces, filter: NO_FILTER }, signal)
  let at = 0
  return wanted
    .map(({ kind, lanes }) => ({ kind, lanes, rows: rows.slice(at, (at += lanes.length)) }))
    .filter(({ lanes }) => lanes.length > 0)
}

/** Track of a kind, its environments together, with the number of events of each mark. */
export function kindTrack(
  { kind, lanes, rows }: KindRows,
  key: string,
  resolutionTicks: number,
): { readonly track: LaneTrack; readonly marks: Indexed<Together> } {
  const { title } = kindLook(kind)
  const marks = indexMarks(mergeMarks(rows, resolutionTicks))
  const itemAt = (at: number): LaneItem => {
    const lane = lanes[marks.lane[at] ?? 0] as IoLane
    const sizeBytes = (rows[marks.lane[at] ?? 0]?.sizeBytes[marks.mark[at] ?? 0] ?? Number.NaN) as Bytes
    const startTicks = (marks.startTicks[at] ?? Number.NaN) as Ticks
    const durationTicks = (marks.durationTicks[at] ?? Number.NaN) as TickSpan
    const others = (marks.count[at] ?? 1) - 1
    return {
      startTicks,
      durationTicks,
      title,
      facts: [
        ['Storage', lane.label],
        ['Size', formatBytes(sizeBytes)],
        ...(others > 0 ? [['In this pixel', `${formatPlural(others, 'shorter one')} more`] as const] : []),
      ],
      evidence: [],
      of: relationsOf(lane),
      link: {
        text: 'Open in I/O',
        panel: 'io',
        parts: { selection: formatEventRef({ lane: lane.id, kind, startTicks, durationTicks, sizeBytes }) },
      },
    }
  }
  const looks = [lookOf(kind)]
  const track = markTrack({ key, title: key === '' ? '' : title, marks, looks, lookAt: () => 0, itemAt })
  return { track, marks }
}

export function lookOf(kind: string): LaneLook {
  const { title, token, pattern } = kindLook(kind)
  return { title, token, pattern: pattern === 'hatched' ? pattern : 'solid' }
}

/** Lane with the events of one kind, over all environments of the sources. */
export const kindLane = (kind: string): LaneModule => ({
  everyMs: 250,
  read: async (request, { sources, window }, signal) => {
    const { lanes } = await request('io.lanes', { sources, find: '', page: 0, openKinds: [] }, signal)
    const read = await readKinds(request, lanes, [kind], window, signal)
    const tracks = read.map((rows) => kindTrack(rows, '', window.resolutionTicks))
    const { one, many } = kindLook(kind)
    return {
      tracks: tracks.map(({ track }) => track),
      nothing: 'none',
      summarize: summarizeMarks(
        tracks.map(({ marks }) => marks),
        { one, many, countAt: (track, at) => tracks[track]?.marks.count[at] ?? 1 },
      ),
      legend: [lookOf(kind)],
      // A gap of one environment does not affect the others.
      hasGap: (gap) => gap.lane === null && (gap.kind === null || gap.kind === kind) && sources.includes(gap.source),
      gaps: [],
    }
  },
})
