import type { Ticks } from '../../../../base/brand.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap, SourceId } from '../../../../capture/client/state.ts'
import type { Part } from '../responses/parts.ts'
import { partsOf } from '../responses/parts.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { IoFilter, IoRows } from '../../contract.ts'
import type { IoStore } from '../table.ts'

/** Which I/O goes out. */
export interface IoExportAsk {
  readonly sources: readonly SourceId[]
  /** Null: every kind of every lane of the sources. */
  readonly rows: IoRows | null
  /** Events that start in it; null: of all times. */
  readonly range: TimeRange | null
  readonly filter: IoFilter
  /** What is not known of the sources; goes out where the format has a place for it. */
  readonly gaps: readonly Gap[]
}

/** `io.exportCount`. */
export interface IoExportCount {
  readonly events: number
  /** Roll-ups that start in the range. */
  readonly rollUps: number
}

const ALL_TIMES: TimeRange = {
  startTicks: Number.NEGATIVE_INFINITY as Ticks,
  endTicks: Number.POSITIVE_INFINITY as Ticks,
}

export const rangeOf = (ask: IoExportAsk): TimeRange => ask.range ?? ALL_TIMES

/** The rows that go out, as they are at this moment: later ones change nothing of it. Lanes in the order of the sources. */
export function exportParts(store: IoStore, names: LaneNames, ask: IoExportAsk): Part[] {
  return partsOf(store, names, {
    ...rangeOf(ask),
    rows: ask.rows ?? { sources: ask.sources, find: '', hiddenKinds: [] },
    filter: ask.filter,
  })
}
