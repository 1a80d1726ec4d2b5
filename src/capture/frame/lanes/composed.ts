import type { TimeRange } from '../../../base/ticks.ts'
import { withAlpha } from '../../../charts/canvas/colour.ts'
import { joinBoxes, type GapBand } from '../../../charts/timeline/gap-bands.ts'
import type { LaneBox } from '../../../charts/timeline/lanes/box.ts'
import type { LaneContract, LaneMark, LaneRow } from '../../../charts/timeline/lanes/contract.ts'
import { drawSelectedTime, outlineMark } from '../../../charts/timeline/lanes/draw.ts'
import { markFocus, type MarkPicture } from '../../../charts/timeline/lanes/focus.ts'
import { hitMark, nearestMark, type Indexed, type MarkColumns } from '../../../charts/timeline/marks.ts'
import { visibleSlice } from '../../../charts/timeline/visible-slice.ts'
import { isFileSource, parseSourceId, sourceLabel, type ErrorInfo, type Gap } from '../../client/state.ts'
import { GAP_WORDS } from '../notices/gap-words.ts'
import { ASSUMED_PX, chosenKey, LEAST_PX, type ChosenLane, type LaneChoice } from './chosen.ts'
import type { LaneData, LaneDefinition, LaneItem, LaneTrack } from './lane.ts'
import type { RelatedMark } from './related.ts'
import type { Alignment } from './servers/alignment.ts'

/** Last reading of a lane. */
export interface LaneReading {
  /** Data of the lane; null: none yet. */
  readonly data: LaneData | null
  readonly error: ErrorInfo | null
  /** Clock alignment of a lane of another server; null: a lane of this server, or not read yet. */
  readonly alignment: Alignment | null
}

/** A lane in the layout. */
export interface ComposedRow extends LaneRow {
  readonly chosen: ChosenLane
  /** Definition of the lane; null: no feature of this build publishes it. */
  readonly definition: LaneDefinition | null
  readonly reading: LaneReading
}

export interface ComposedTrack extends LaneBox {
  /** `chosenKey` of its lane. */
  readonly lane: string
  readonly own: LaneTrack
}

export interface ComposedLayout {
  readonly rows: readonly ComposedRow[]
  readonly tracks: readonly ComposedTrack[]
  readonly heightPx: number
}

/** Minimum height of a track, px; lower tracks cannot be distinguished. */
const LEAST_TRACK_PX = 3
const PAD_PX = 2
export const NOT_READ: LaneReading = { data: null, error: null, alignment: null }

export const heightOf = ({ heightPx, isFolded }: ChosenLane, definition: LaneDefinition | null): number =>
  isFolded ? LEAST_PX : Math.max(LEAST_PX, heightPx ?? definition?.heightPx ?? ASSUMED_PX)

/** Name of the server of a lane; null for a file, and for the page's server if its name is not needed. */
export const serverOf = (
  { source, server }: Pick<LaneChoice, 'source' | 'server'>,
  own: string | null,
): string | null => server ?? (source !== null && isFileSource(source) ? null : own)

/** Name of a lane, with its object, source and server if necessary. `own`: name of the page's server, if it is to be shown. */
export function laneTitle(
  { id, source, server, object }: LaneChoice,
  definitions: ReadonlyMap<string, LaneDefinition>,
  own: string | null = null,
): string {
  const ref = source === null ? null : parseSourceId(source)
  const on = serverOf({ source, server }, own)
  const title = definitions.get(id)?.title ?? id
  const one = object === undefined ? '' : `: ${object}`
  return `${title}${one}${ref === null ? '' : ` of ${sourceLabel(ref)}`}${on === null ? '' : ` on ${on}`}`
}

/** Layout of the lanes from top to bottom; the tracks of a lane share its height, as many as fit. */
export function layoutComposed(
  lanes: readonly ChosenLane[],
  definitions: ReadonlyMap<string, LaneDefinition>,
  readings: ReadonlyMap<string, LaneReading>,
): ComposedLayout {
  const rows: ComposedRow[] = []
  const tracks: ComposedTrack[] = []
  let topPx = 0
  for (const chosen of lanes) {
    const key = chosenKey(chosen)
    const definition = definitions.get(chosen.id) ?? null
    const reading = readings.get(key) ?? NOT_READ
    const heightPx = heightOf(chosen, definition)
    rows.push({ key, topPx, heightPx, chosen, definition, reading })
    const insidePx = heightPx - PAD_PX * 2
    const own = (reading.data?.tracks ?? []).slice(0, Math.max(1, Math.floor(insidePx / LEAST_TRACK_PX)))
    const eachPx = own.length === 0 ? 0 : Math.max(1, Math.floor(insidePx / own.length))
    own.forEach((track, i) =>
      tracks.push({
        key: `${key} ${track.key}`,
        lane: key,
        own: track,
        topPx: topPx + PAD_PX + i * eachPx,
        heightPx: eachPx,
      }),
    )
    topPx += heightPx
  }
  return { rows, tracks, heightPx: topPx }
}

/** Gaps of the capture and of single lanes, over the lanes that they affect; adjacent ones are joined. */
export function composedGaps({ rows }: ComposedLayout, gaps: readonly Gap[]): GapBand<Gap>[] {
  const ofCapture = gaps.flatMap((gap) =>
    joinBoxes(rows, ({ reading, chosen }) => {
      const isOfSource = chosen.source === null || chosen.source === gap.source
      return isOfSource && reading.data?.hasGap(gap) === true
    }).map(({ topPx, heightPx }) => ({ gap, words: GAP_WORDS[gap.reason], topPx, heightPx })),
  )
  const own = rows.flatMap(({ reading, topPx, heightPx }) =>
    (reading.data?.gaps ?? []).map((gap) => ({ gap, words: GAP_WORDS[gap.reason], topPx, heightPx })),
  )
  return [...ofCapture, ...own]
}

export interface ComposedMark extends LaneMark {
  readonly track: ComposedTrack
  readonly mark: number
}

export const itemOf = ({ track, mark }: Pick<ComposedMark, 'track' | 'mark'>): LaneItem => track.own.itemAt(mark)

export interface ComposedPicture extends MarkPicture<Indexed<MarkColumns>> {
  readonly layout: ComposedLayout
  readonly gaps: readonly GapBand<Gap>[]
  /** Time of the selection, here or in the panel; null: none. */
  readonly selected: Pick<LaneItem, 'startTicks' | 'durationTicks'> | null
  /** Key of the selected track of this timeline; null: not in this timeline. */
  readonly selectedTrack: string | null
  /** Marks that belong to the selected one. */
  readonly related: readonly RelatedMark[]
}

const markAt = (track: LaneBox, marks: Indexed<MarkColumns>, mark: number): ComposedMark => ({
  // The tracks of a composed picture are composed tracks.
  track: track as ComposedTrack,
  mark,
  startTicks: marks.startTicks[mark] ?? Number.NaN,
  durationTicks: marks.durationTicks[mark] ?? 0,
})

/** Contract for lanes of any features: each draws itself; pointer and keys work the same for all. */
export const COMPOSED_LANES: LaneContract<ComposedPicture, ComposedMark, ComposedMark> = {
  drawTrack: (context, picture, track, yPx) => track.own.draw(context, picture, { yPx, heightPx: track.heightPx }),
  drawOverlay: (context, picture, heightPx) => {
    const { selected, selectedTrack, tokens, layout } = picture
    if (selected === null) return
    drawSelectedTime(context, picture, heightPx, selected, withAlpha(tokens.accent, 0.14))
    for (const { track: own, lane, mark } of picture.related) {
      const track = layout.tracks.find(({ key }) => key === `${lane} ${own.key}`)
      if (track !== undefined) outlineMark(context, picture, markAt(track, own.marks, mark), tokens.fg, 1)
    }
    const track = layout.tracks.find(({ key }) => key === selectedTrack)
    if (track !== undefined) outlineMark(context, picture, { track, ...selected }, tokens.accent, 2.5)
  },
  hitTest: ({ layout, scale }, at) => {
    const [track] = visibleSlice(layout.tracks, at.yPx - 1, at.yPx + 1)
    if (track === undefined) return null
    const { marks, isTiled } = track.own
    const mark = isTiled ? tiledAt(marks, scale.toTicks(at.xPx)) : hitMark(marks, scale, at.xPx)
    return mark < 0 ? null : markAt(track, marks, mark)
  },
  markOf: (hit) => hit,
  focus: markFocus(markAt),
}

/** The nearest of marks that tile the time, at most its own length away; −1: no data there. */
function tiledAt(marks: MarkColumns, at: number): number {
  const near = nearestMark(marks, at)
  const first = [near - 1, near].find((mark) => mark >= 0 && distance(marks, mark, at) <= 0)
  if (first !== undefined) return first
  return near >= 0 && distance(marks, near, at) <= (marks.durationTicks[near] ?? 0) ? near : -1
}

function distance(marks: MarkColumns, mark: number, at: number): number {
  const start = marks.startTicks[mark] ?? Number.POSITIVE_INFINITY
  return Math.max(0, start - at, at - start - (marks.durationTicks[mark] ?? 0))
}

/** Summary of a range for a report: counts first, then figures by lane; empty: the lanes show nothing. */
export function summarize(rows: readonly ComposedRow[], range: TimeRange): string {
  const { counts, figures } = summaries(rows, range)
  return [...counts, ...figures].join('; ')
}

/** Summary of a range in a short sentence: the counts, or without any the figures, which each lane's table repeats. */
export function headline(rows: readonly ComposedRow[], range: TimeRange): string {
  const { counts, figures } = summaries(rows, range)
  return (counts.length > 0 ? counts : figures).join('; ')
}

/** Newest summary of each lane's data: a timeline renders with the response of any of its lanes. */
const WORDS = new WeakMap<LaneData, { readonly range: TimeRange; readonly words: string }>()

/** Summary of a lane's data in a range; empty: it shows nothing. */
export function wordsOf(data: LaneData | null, range: TimeRange): string {
  if (data === null) return ''
  const known = WORDS.get(data)
  if (known?.range === range) return known.words
  const words = data.summarize(range)
  WORDS.set(data, { range, words })
  return words
}

interface Summaries {
  /** Summaries of lanes that begin with a number. */
  readonly counts: readonly string[]
  /** Summaries of all other lanes, each after the name of its lane. */
  readonly figures: readonly string[]
}

function summaries(rows: readonly ComposedRow[], range: TimeRange): Summaries {
  const all = rows.map(({ chosen: { server }, definition, reading }) => ({
    title: definition?.title ?? '',
    on: server === null ? '' : ` on ${server}`,
    words: wordsOf(reading.data, range),
  }))
  const counts = all.filter(({ words }) => /^\d/.test(words)).map(({ words, on }) => words + on)
  const figures = all.filter(({ words }) => /^\D/.test(words)).map(({ title, on, words }) => `${title}${on}: ${words}`)
  return { counts, figures }
}
