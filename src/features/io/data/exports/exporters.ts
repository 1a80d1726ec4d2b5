import type { Exporter, ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { Part } from '../responses/parts.ts'
import { countParts } from '../responses/parts.ts'
import type { IoStore } from '../table.ts'
import type { IoExportCount, IoExportParams } from '../../contract.ts'
import { exportParts, rangeOf } from './scope.ts'
import { chromeTrace } from './chrome-trace.ts'
import { endpointJson } from './endpoint-json.ts'
import { csvEvents, ndjsonEvents } from './event-text.ts'
import type { IoFormatId } from './formats.ts'
import { loadParquet, parquetEvents } from './parquet.ts'

/** Every format of `IO_FORMATS`, made by the worker. */
export function ioExporters(store: IoStore, names: LaneNames): readonly Exporter[] {
  const exporter = (
    id: IoFormatId,
    steps: (parts: readonly Part[], out: Pieces, ask: IoExportParams) => ExportSteps,
  ): Exporter => ({
    id,
    plan: (ask: IoExportParams) => {
      const parts = exportParts(store, names, ask)
      return { rows: countParts(parts), steps: (out) => steps(parts, out, ask) }
    },
  })
  return [
    exporter('io.json', (parts, out, ask) => endpointJson(store, parts, ask, out)),
    exporter('io.csv', (parts, out) => csvEvents(store, names, parts, out)),
    exporter('io.ndjson', (parts, out) => ndjsonEvents(store, names, parts, out)),
    exporter('io.trace', (parts, out) => chromeTrace(store, names, parts, out)),
    {
      id: 'io.parquet' satisfies IoFormatId,
      plan: async (ask: IoExportParams) => {
        const library = await loadParquet()
        const parts = exportParts(store, names, ask)
        return { rows: countParts(parts), steps: (out) => parquetEvents(library, store, names, parts, out) }
      },
    },
  ]
}

/** The size of an export; without a filter it comes from the tables' own counts. */
export function countExport(store: IoStore, names: LaneNames, ask: IoExportParams): IoExportCount {
  const parts = exportParts(store, names, ask)
  const { startTicks, endTicks } = rangeOf(ask)
  let rollUps = 0
  for (const part of parts)
    for (const row of part.rollUps.rows) if (row.startTicks >= startTicks && row.startTicks < endTicks) rollUps++
  return { events: countParts(parts), rollUps }
}
