import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import { hitMark } from '../../../../charts/timeline/marks.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import type { IoPicture } from './picture.ts'
import { trackAt, type Track } from './layout.ts'
import { hitRollUp } from './marks.ts'
import type { IoEventRef } from '../../../../feeds/io/contract/rows.ts'
import type { IoRollUps, IoRowMarks } from '../../../../feeds/io/contract/marks.ts'
import type { StallMark } from '../../../stalls/contract.ts'
import { stallAt, type StallPlaces } from '../stalls/marks.ts'

export interface MarkHit {
  readonly type: 'mark'
  readonly track: Track
  readonly ref: IoEventRef
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  /** Number of events that the mark represents; this is the slowest. */
  readonly count: number
}

export interface RollUpHit {
  readonly type: 'rollup'
  readonly track: Track
  readonly startTicks: number
  readonly endTicks: number
  readonly sizeBytes: number
  readonly busyTicks: number
  readonly minTicks: number
  readonly maxTicks: number
  /** Number of roll-ups that the band represents. */
  readonly count: number
}

export interface StallHit {
  readonly type: 'stall'
  readonly stall: StallMark
}

/** Events as columns; each is the slowest of `count`. */
type EventColumns = Pick<IoRowMarks, 'startTicks' | 'durationTicks' | 'sizeBytes' | 'count'>

export type IoHit = MarkHit | RollUpHit | StallHit

const JOURNAL = 'JournalWrite'

/** Places stalls at the top of the journal write track, at their start. */
export const STALL_PLACES: StallPlaces<IoPicture> = {
  laneOf: ({ ref }) => (ref.kind === JOURNAL && ref.file === null ? ref.lane : null),
  yOf: (_picture, track) => track.topPx + 1,
}

export function markHit(track: Track, marks: EventColumns, i: number): MarkHit {
  const startTicks = (marks.startTicks[i] ?? 0) as Ticks
  const durationTicks = (marks.durationTicks[i] ?? 0) as TickSpan
  return {
    type: 'mark',
    track,
    ref: {
      lane: track.ref.lane,
      kind: track.ref.kind,
      startTicks,
      durationTicks,
      sizeBytes: (marks.sizeBytes[i] ?? 0) as Bytes,
    },
    startTicks,
    durationTicks,
    count: marks.count[i] ?? 1,
  }
}

/** Object at a point of the content, in the order stall, mark, roll-up; null: none. */
export function hitTestTracks(picture: IoPicture, at: Point): IoHit | null {
  const { scale, layout, marks: held } = picture
  const stall = stallAt(picture, at, STALL_PLACES)
  if (stall !== null) return { type: 'stall', stall }
  const track = trackAt(layout.tracks, at.yPx, 3)
  const marks = track === null ? undefined : held.get(track.key)
  if (track === null || marks === undefined) return null
  const mark = hitMark(marks, scale, at.xPx)
  if (mark >= 0) return markHit(track, marks, mark)
  const band = hitRollUp(marks.rollUps, scale, at.xPx)
  return band < 0 ? null : rollUpHit(track, marks.rollUps, band)
}

export const rollUpHit = (track: Track, rollUps: IoRollUps, i: number): RollUpHit => ({
  type: 'rollup',
  track,
  startTicks: rollUps.startTicks[i] ?? Number.NaN,
  endTicks: rollUps.endTicks[i] ?? Number.NaN,
  sizeBytes: rollUps.sizeBytes[i] ?? Number.NaN,
  busyTicks: rollUps.busyTicks[i] ?? Number.NaN,
  minTicks: rollUps.minTicks[i] ?? Number.NaN,
  maxTicks: rollUps.maxTicks[i] ?? Number.NaN,
  count: rollUps.count[i] ?? 1,
})
