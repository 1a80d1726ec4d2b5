import { ALL_TIMES, type TimeRange } from '../../../../base/ticks.ts'
import type { Part } from '../responses/parts.ts'
import { partsOf } from '../responses/parts.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { IoExportParams } from '../../contract/exports.ts'
import type { IoStore } from '../table.ts'

export const rangeOf = (params: IoExportParams): TimeRange => params.range ?? ALL_TIMES

/** Rows to export, as a snapshot: later rows do not change it. Lanes are in the order of the sources. */
export function exportParts(store: IoStore, names: LaneNames, params: IoExportParams): Part[] {
  return partsOf(store, names, {
    ...rangeOf(params),
    rows: params.rows ?? { sources: params.sources, find: '', hiddenKinds: [] },
    filter: params.filter,
  })
}
