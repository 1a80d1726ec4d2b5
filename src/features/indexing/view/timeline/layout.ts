import { compareNames } from '../../../../base/text/compare-names.ts'
import { GAP_WORDS } from '../../../../capture/frame/notices/gap-words.ts'
import { joinBoxes, type GapBand } from '../../../../charts/timeline/gap-bands.ts'
import { placesOf } from '../../../../capture/client/nodes.ts'
import { parseSourceId, sourceLabel, type Gap, type SourceId } from '../../../../capture/client/state.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import type { IndexingSettings } from '../params.ts'
import { allIndexesLane, type IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../../feeds/indexing/contract/indexes.ts'

/** A row of the gutter. Rows follow each other without gaps. */
export interface LaneRow {
  readonly type: 'source' | 'lane'
  readonly key: string
  readonly label: string
  readonly source: SourceId
  /** Index of the lane; null: the row of a source. */
  readonly index: IndexInfo | null
  readonly topPx: number
  readonly heightPx: number
  readonly expanded: boolean
  /** Position of the track of batches, below `topPx`. */
  readonly trackPx: { readonly topPx: number; readonly heightPx: number }
  /** Number of operation depths below the track of an expanded lane: one row each, from depth 1 on. */
  readonly depths: number
}

export interface LaneLayout {
  readonly rows: readonly LaneRow[]
  /** Rows of indexes. */
  readonly tracks: readonly LaneRow[]
  readonly heightPx: number
  /** Shown indexes in order; summaries are requested for these. */
  readonly keys: readonly IndexKey[]
}

const SOURCE_PX = 26
const PAD_PX = 3
export const DEPTH_PX = 15
/** Minimum and maximum height of a collapsed lane. */
const LANE_PX = [15, 27] as const
const OPEN_TRACK_PX = 18
/** Number of rows reserved for operations while their depth is not known. */
const ASSUMED_DEPTHS = 4

/** Height of collapsed lanes at which so many fill the height, within readable limits. */
export const chooseLanePx = (lanes: number, heightPx: number): number =>
  Math.max(LANE_PX[0], Math.min(LANE_PX[1], Math.floor(heightPx / Math.max(1, lanes))))

/**
 * Orders indexes by name or by time spent, within the order of `sources`. A side-by-side replacement is placed below
 * the index that it replaces.
 */
function orderIndexes(
  indexes: readonly IndexInfo[],
  sources: readonly SourceId[],
  order: IndexingSettings['order'],
): IndexInfo[] {
  const place = placesOf(sources)
  const nameOf = (index: IndexInfo): string => index.replaces?.slice(index.replaces.indexOf('|') + 1) ?? index.name
  return indexes.toSorted(
    (a, b) =>
      (place.get(a.source) ?? sources.length) - (place.get(b.source) ?? sources.length) ||
      (order === 'busy' ? b.busyTicks - a.busyTicks : 0) ||
      compareNames(nameOf(a), nameOf(b)) ||
      Number(a.replaces !== null) - Number(b.replaces !== null),
  )
}

/**
 * Indexes → rows. `depths` says how deep the operations of an expanded lane go, where that is known already.
 *
 * ```
 * Orders/Totals   ▇▇▇▇  ▇▇▇▇▇▇▇   ▇     batches
 *                 ┌Map──┐┌Commit┐       depth 1
 *                 │Linq │               depth 2
 * ```
 */
export function layoutLanes(
  indexes: readonly IndexInfo[],
  sources: readonly SourceId[],
  settings: Pick<IndexingSettings, 'find' | 'order' | 'open'>,
  depths: ReadonlyMap<IndexKey, number>,
  lanePx: number = LANE_PX[1],
): LaneLayout {
  const find = settings.find.trim().toLowerCase()
  const shown = orderIndexes(indexes, sources, settings.order).filter(
    (index) => find === '' || index.name.toLowerCase().includes(find),
  )
  const manySources = new Set(indexes.map((index) => index.source)).size > 1
  const rows: LaneRow[] = []
  let topPx = 0
  let lastSource: SourceId | null = null
  for (const index of shown) {
    if (manySources && index.source !== lastSource) {
      const ref = parseSourceId(index.source)
      rows.push({
        type: 'source',
        key: `source~${index.source}`,
        label: ref === null ? index.source : sourceLabel(ref),
        source: index.source,
        index: null,
        topPx,
        heightPx: SOURCE_PX,
        expanded: false,
        trackPx: { topPx, heightPx: 0 },
        depths: 0,
      })
      topPx += SOURCE_PX
      lastSource = index.source
    }
    const expanded = settings.open.has(index.key)
    const rowsBelow = expanded ? Math.max(1, depths.get(index.key) ?? ASSUMED_DEPTHS) : 0
    const trackPx = expanded ? OPEN_TRACK_PX : lanePx - PAD_PX * 2
    const heightPx = trackPx + PAD_PX * 2 + (expanded ? rowsBelow * DEPTH_PX + PAD_PX : 0)
    rows.push({
      type: 'lane',
      key: index.key,
      label: index.name,
      source: index.source,
      index,
      topPx,
      heightPx,
      expanded,
      trackPx: { topPx: topPx + PAD_PX, heightPx: trackPx },
      depths: rowsBelow,
    })
    topPx += heightPx
  }
  const tracks = rows.filter((row) => row.index !== null)
  return { rows, tracks, heightPx: topPx, keys: shown.map((index) => index.key) }
}

/** Top of the row of operations of a depth ≥ 1. */
export const depthTopPx = (row: LaneRow, depth: number): number =>
  row.trackPx.topPx + row.trackPx.heightPx + 2 + (depth - 1) * DEPTH_PX

export const rowOf = (layout: LaneLayout, key: IndexKey): LaneRow | null =>
  layout.rows.find((row) => row.index?.key === key) ?? null

/** Row at that height; null: none. */
export const rowAt = (layout: LaneLayout, yPx: number): LaneRow | null =>
  visibleSlice(layout.rows, yPx, yPx + 0.001)[0] ?? null

/**
 * Gaps of the batches; a capture also contains gaps of other data. `lane` null in the result: a gap of a whole source.
 * A time in which the server was unresponsive is recorded for a source, and applies to its batches.
 */
export function gapsOfIndexes(gaps: readonly Gap[], indexes: readonly IndexInfo[]): Gap[] {
  const keys = new Set(indexes.map((index) => index.key))
  const sources = new Set(indexes.map((index) => index.source))
  const wholes = new Set(Array.from(sources, allIndexesLane))
  return gaps.flatMap((gap) => {
    if (gap.lane === null) return gap.reason === 'server-unresponsive' && sources.has(gap.source) ? [gap] : []
    if (wholes.has(gap.lane)) return [{ ...gap, lane: null }]
    return keys.has(gap.lane) ? [gap] : []
  })
}

/** Number of batches that the server keeps per index. */
const RING = 25

/**
 * Time up to which nothing is known of an index. The server keeps its last 25 batches: with fewer, all since the
 * database was loaded are known; with 25, there may have been more before the first. −∞: known from the beginning.
 */
export const unknownUntil = ({ counts, firstTicks }: IndexInfo): number =>
  counts.batches >= RING && !Number.isNaN(firstTicks) ? firstTicks : -Infinity

/** Converts gaps to bands over their lanes; adjacent lanes are joined. */
export const layoutGaps = (rows: readonly LaneRow[], gaps: readonly Gap[]): GapBand<Gap>[] =>
  gaps.flatMap((gap) =>
    joinBoxes(
      rows,
      (row) => row.index !== null && row.source === gap.source && (gap.lane === null || gap.lane === row.key),
    ).map(({ topPx, heightPx }) => ({ gap, words: GAP_WORDS[gap.reason], topPx, heightPx })),
  )
