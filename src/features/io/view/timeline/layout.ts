import { compareNames } from '../../../../base/text/compare-names.ts'
import { formatPlural } from '../../../../base/text/format.ts'
import { sourceLabel, parseSourceId, type SourceId } from '../../../../capture/client/state.ts'
import type { LaneBox } from '../../../../charts/timeline/lanes/box.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { compareKinds, kindIndex } from './kinds.ts'
import { laneFinder, orderLanes } from '../../../../feeds/io/contract/lane-order.ts'
import { kindKey, type IoSettings } from '../params.ts'
import type { IoFileInfo, IoLane } from '../../../../feeds/io/contract/lanes.ts'
import type { IoRowRef } from '../../../../feeds/io/contract/rows.ts'

/** A row of the gutter: a source, an environment, one of its kinds, or a file. Rows follow each other without gaps. */
export interface LayoutRow {
  readonly type: 'source' | 'lane' | 'kind' | 'file'
  readonly isNested?: boolean
  readonly key: string
  readonly label: string
  readonly topPx: number
  readonly heightPx: number
  readonly source: SourceId
  readonly lane: IoLane | null
  readonly kind: string | null
  readonly file: IoFileInfo | null
  readonly expandable: boolean
  readonly expanded: boolean
}

/** Place of the marks of one row of data. Tracks ascend by `topPx` and never overlap. */
export interface Track {
  readonly key: string
  readonly ref: IoRowRef
  readonly lane: IoLane
  /** 0…3: known kinds in their order; 4: unknown. */
  readonly kindIndex: number
  readonly topPx: number
  readonly heightPx: number
}

export type IoLayout = LaneRows<Track>

const SOURCE_PX = 26
const LANE_PX = 24
const KIND_PX = 20
const FILE_PX = 18
/** A collapsed lane has four thin tracks at fixed positions, and further ones only for unknown kinds. */
const LANE_PAD_PX = 3
/** Minimum and maximum height of a thin track, including the pixel below it. */
const PITCH_PX = [6, 11] as const

/** Height of the summary table and headings, which is not available to lanes, px. */
export const SUMMARY_PX = 220

/** Pitch of thin tracks at which that number of lanes fills the height without scrolling, within readable limits. */
export function chooseThinPitch(lanes: number, heightPx: number): number {
  const fitting = Math.floor((heightPx / Math.max(1, lanes) - LANE_PAD_PX * 2) / 4)
  return Math.max(PITCH_PX[0], Math.min(PITCH_PX[1], fitting))
}

export const rowKey = (ref: IoRowRef): string => `${ref.kind}~${ref.file ?? ''}~${ref.lane}`

/** Row heights and tracks for one way of drawing lanes. */
interface LaneLook<T> {
  /** Height of a collapsed lane with that number of unknown kinds. */
  readonly lanePx: (unknownKinds: number) => number
  readonly kindPx: number
  readonly filePx: number
  /** Tracks of a collapsed lane; `kinds` are in order. */
  readonly laneTracks: (lane: IoLane, kinds: readonly string[], topPx: number) => readonly T[]
  /** Track of a row of one kind, or of one file of it. */
  readonly rowTrack: (lane: IoLane, kind: string, file: number | null, topPx: number) => T
}

export interface LaneRows<T> {
  readonly rows: readonly LayoutRow[]
  readonly tracks: readonly T[]
  readonly heightPx: number
}

const trackFor = (lane: IoLane, kind: string, file: number | null, topPx: number, heightPx: number): Track => {
  const ref = { lane: lane.id, kind, file }
  return { key: rowKey(ref), ref, lane, kindIndex: kindIndex(kind), topPx, heightPx }
}

/**
 * Converts lanes to rows and tracks. A collapsed lane is one row with a thin track for each kind, so that position as
 * well as hue shows the kind; an expanded lane has a row for each kind, and a kind may have a row for each file.
 */
export const layoutLanes = (
  lanes: readonly IoLane[],
  sources: readonly SourceId[],
  settings: IoSettings,
  thinPitchPx: number = PITCH_PX[0],
): IoLayout =>
  layoutRows<Track>(lanes, sources, settings, {
    lanePx: (unknownKinds) => LANE_PAD_PX * 2 - 1 + (4 + unknownKinds) * thinPitchPx,
    kindPx: KIND_PX,
    filePx: FILE_PX,
    laneTracks: (lane, kinds, topPx) => {
      const unknown = kinds.filter((kind) => kindIndex(kind) === 4)
      return kinds.map((kind) => {
        const place = kindIndex(kind) < 4 ? kindIndex(kind) : 4 + unknown.indexOf(kind)
        return trackFor(lane, kind, null, topPx + LANE_PAD_PX + place * thinPitchPx, thinPitchPx - 1)
      })
    },
    rowTrack: (lane, kind, file, topPx) =>
      file === null
        ? trackFor(lane, kind, file, topPx + 2, KIND_PX - 4)
        : trackFor(lane, kind, file, topPx + 3, FILE_PX - 6),
  })

/** Lanes in order as rows, each with the tracks of `look`. */
export function layoutRows<T>(
  lanes: readonly IoLane[],
  sources: readonly SourceId[],
  settings: IoSettings,
  look: LaneLook<T>,
): LaneRows<T> {
  const isFound = laneFinder(settings.find)
  const shown = orderLanes(lanes, sources).filter(({ label }) => isFound(label))
  const manySources = new Set(lanes.map((lane) => lane.source)).size > 1
  const rows: LayoutRow[] = []
  const tracks: T[] = []
  let topPx = 0
  const addRow = (row: Omit<LayoutRow, 'topPx'>): void => {
    rows.push({ ...row, topPx })
    topPx += row.heightPx
  }

  let lastSource: SourceId | null = null
  for (const lane of shown) {
    if (manySources && lane.source !== lastSource) {
      const ref = parseSourceId(lane.source)
      const label = ref === null ? lane.source : sourceLabel(ref)
      addRow({ ...blank(lane.source), type: 'source', key: `source~${lane.source}`, label, heightPx: SOURCE_PX })
      lastSource = lane.source
    }
    const visible = lane.kinds
      .map(({ kind }) => kind)
      .filter((kind) => !settings.hiddenKinds.has(kind))
      .toSorted(compareKinds)
    const expanded = settings.openLanes.has(lane.id)
    const base = { ...blank(lane.source), lane, label: lane.label, expandable: true, expanded }
    if (!expanded) {
      const unknownKinds = visible.filter((kind) => kindIndex(kind) === 4).length
      tracks.push(...look.laneTracks(lane, visible, topPx))
      addRow({ ...base, type: 'lane', key: lane.id, heightPx: look.lanePx(unknownKinds) })
      continue
    }
    addRow({ ...base, type: 'lane', key: lane.id, heightPx: LANE_PX })
    for (const kind of visible) {
      const key = kindKey(lane.id, kind)
      const open = settings.openKinds.has(key)
      tracks.push(look.rowTrack(lane, kind, null, topPx))
      addRow({ ...base, type: 'kind', isNested: true, key, label: kind, kind, heightPx: look.kindPx, expanded: open })
      if (!open) continue
      const files = lane.files
        .filter((file) => file.kinds.includes(kind))
        .toSorted((a, b) => b.lastTicks - a.lastTicks || compareNames(a.name, b.name))
      for (const file of files) {
        tracks.push(look.rowTrack(lane, kind, file.id, topPx))
        addRow({
          ...base,
          type: 'file',
          isNested: true,
          key: `${key}~${file.id}`,
          label: file.name,
          kind,
          file,
          heightPx: look.filePx,
          expandable: false,
          expanded: false,
        })
      }
      const left = lane.filesLeft[kind] ?? 0
      if (left > 0)
        addRow({
          ...base,
          type: 'file',
          isNested: true,
          key: `${key}~left`,
          label: formatPlural(left, 'older file'),
          kind,
          heightPx: FILE_PX,
          expandable: false,
          expanded: false,
        })
    }
  }
  return { rows, tracks, heightPx: topPx }
}

const blank = (source: SourceId): Pick<LayoutRow, 'source' | 'lane' | 'kind' | 'file' | 'expandable' | 'expanded'> => ({
  source,
  lane: null,
  kind: null,
  file: null,
  expandable: false,
  expanded: false,
})

/** Track at that height, or the nearest within `slackPx`; null: none. `tracks` must ascend from the top. */
export function trackAt<T extends LaneBox>(tracks: readonly T[], yPx: number, slackPx = 1): T | null {
  let best: T | null = null
  let bestPx = slackPx
  for (const track of visibleSlice(tracks, yPx - slackPx - 1, yPx + slackPx + 1)) {
    const awayPx = Math.max(track.topPx - yPx, yPx - track.topPx - track.heightPx, 0)
    if (awayPx > bestPx || (best !== null && awayPx === bestPx)) continue
    best = track
    bestPx = awayPx
  }
  return best
}

/** Track of a kind of a lane; null: filtered out, or an unknown lane. */
export const trackOf = (layout: IoLayout, lane: string, kind: string): Track | null =>
  layout.tracks.find((track) => track.ref.lane === lane && track.ref.kind === kind && track.ref.file === null) ?? null
