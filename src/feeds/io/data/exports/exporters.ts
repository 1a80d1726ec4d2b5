import type { Exporter, Exporters, ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { Part } from '../responses/parts.ts'
import { countParts } from '../responses/parts.ts'
import type { IoStore } from '../table.ts'
import type { IoExportCount, IoExportId, IoExportParams } from '../../contract/exports.ts'
import { exportParts, rangeOf } from './scope.ts'
import { chromeTrace } from './chrome-trace.ts'
import { endpointJson } from './endpoint-json.ts'
import { csvEvents, ndjsonEvents } from './event-text.ts'
import { loadParquet, parquetEvents } from './parquet.ts'

/** Exporters for all formats of `IO_FORMATS`; they run in the worker. */
export function ioExporters(store: IoStore, names: LaneNames): Exporters<IoExportId> {
  const exporter =
    (steps: (parts: readonly Part[], out: Pieces, params: IoExportParams) => ExportSteps): Exporter<IoExportId> =>
    (params) => {
      const parts = exportParts(store, names, params)
      return { rows: countParts(parts), steps: (out) => steps(parts, out, params) }
    }
  return {
    'io.json': exporter((parts, out, params) => endpointJson(store, parts, params, out)),
    'io.csv': exporter((parts, out) => csvEvents(store, names, parts, out)),
    'io.ndjson': exporter((parts, out) => ndjsonEvents(store, names, parts, out)),
    'io.trace': exporter((parts, out) => chromeTrace(store, names, parts, out)),
    'io.parquet': async (params) => {
      const library = await loadParquet()
      const parts = exportParts(store, names, params)
      return { rows: countParts(parts), steps: (out) => parquetEvents(library, store, names, parts, out) }
    },
  }
}

/** Size of an export; without a filter it is computed from the tables' own counts. */
export function countExport(store: IoStore, names: LaneNames, params: IoExportParams): IoExportCount {
  const parts = exportParts(store, names, params)
  const { startTicks, endTicks } = rangeOf(params)
  let rollUps = 0
  for (const part of parts)
    for (const row of part.rollUps.rows) if (row.startTicks >= startTicks && row.startTicks < endTicks) rollUps++
  return { events: countParts(parts), rollUps }
}
