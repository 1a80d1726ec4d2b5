import { START } from '../../../base/columns/event-chunk.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { laneId } from './lane-table.ts'
import { FIRST_FOLDED } from '../contract/limits.ts'
import type { LaneId } from '../contract/lanes.ts'
import type { IoStore } from './table.ts'
import type { IoDocument, IoFileRows } from './reading/wire.ts'
import { FILE, trackKind } from './reading/wire.ts'

/** Newest event of a current file. If a whole document after a pause no longer contains it, events were lost. */
export interface RingMark {
  readonly lane: LaneId
  readonly kind: string
  readonly file: string
  readonly startTicks: number
}

/** Newest event seen, per lane and kind of the source. */
export function ringMarks(store: IoStore, source: SourceId): RingMark[] {
  const marks: RingMark[] = []
  for (const lane of store.lanes.values()) {
    // A lane or file that represents several has no ring.
    if (lane.source !== source || lane.environments !== null) continue
    for (const { kind, events } of lane.tracks.values()) {
      if (events.length === 0) continue
      const last = events.read(FILE, events.length - 1)
      if (last >= FIRST_FOLDED) continue
      const file = lane.fileName(last)
      marks.push({ lane: lane.id, kind, file, startTicks: events.lastTicks })
    }
  }
  return marks
}

/**
 * Checks whether a whole document connects to the marks: the event of each must still be in its ring, or inside a
 * roll-up of it. Returns the marks that the document does not contain, including those of environments that no longer
 * exist (a deleted index).
 */
export function forgottenMarks(source: SourceId, document: IoDocument, marks: readonly RingMark[]): RingMark[] {
  const environments = new Map(
    document.environments.map((environment) => [laneId(source, environment.path), environment]),
  )
  return marks.filter((mark) => {
    const environment = environments.get(mark.lane)
    return environment?.files.some((file) => file.name === mark.file && remembers(file, mark)) !== true
  })
}

function remembers(file: IoFileRows, mark: RingMark): boolean {
  const rows = file.kinds.find(({ kind }) => trackKind(file.name, kind) === mark.kind)
  return (
    rows !== undefined &&
    ((rows.events.columns[START] as Float64Array).includes(mark.startTicks) ||
      rows.rollUps.some((rollUp) => rollUp.startTicks <= mark.startTicks && rollUp.endTicks >= mark.startTicks))
  )
}
