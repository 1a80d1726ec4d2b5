import type { Bytes } from '../../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { formatTicks, msFromSpan, type Ticks, type TickSpan } from '../../../../base/ticks.ts'
import { type Cell, csvLine } from '../../../../capture/exporting/csv.ts'
import type { Exporter, Exporters, ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { batchJson } from '../responses/batch-json.ts'
import { measuredOrNull } from '../responses/batch-row.ts'
import { readTree } from '../responses/icicle.ts'
import type { Part } from '../responses/parts.ts'
import { stateOf } from '../responses/parts.ts'
import type { BatchStore } from '../table.ts'
import {
  BUDGET,
  BYTES_UNKNOWN,
  CHECKED,
  DOCUMENTS_FAILED,
  DOCUMENTS_IN,
  DOCUMENTS_OUT,
  ID,
  MANAGED,
  REASON,
  TOMBSTONES,
  TREE,
  UNMANAGED,
  WAIT,
} from '../index-table.ts'
import { newTreeView } from '../trees.ts'
import type { BatchExportCount, BatchExportId, BatchExportParams } from '../../contract/batches.ts'
import { countParts, exportParts } from './scope.ts'
import { type ExportedBatch, batchSteps } from './batches.ts'
import { chromeTrace } from './chrome-trace.ts'

/** Counts the batches of an export. */
export const countExport = (store: BatchStore, params: BatchExportParams): BatchExportCount => ({
  batches: countParts(exportParts(store, params)),
})

/** Exporters for every format of `BATCH_FORMATS`; they run in the worker. */
export function batchExporters(store: BatchStore): Exporters<BatchExportId> {
  const exporter =
    (steps: (parts: readonly Part[], out: Pieces) => ExportSteps): Exporter<BatchExportId> =>
    (params) => {
      const parts = exportParts(store, params)
      return { rows: countParts(parts), steps: (out) => steps(parts, out) }
    }
  return {
    'indexing.json': exporter((parts, out) => studioJson(store, parts, out)),
    'indexing.csv': exporter((parts, out) => csvBatches(store, parts, out)),
    'indexing.ndjson': exporter((parts, out) => ndjsonBatches(store, parts, out)),
    'indexing.trace': exporter((parts, out) => chromeTrace(store, parts, out)),
  }
}

/**
 * Writes the list of the server's response of `indexes/performance`, with all received batches instead of the last 25.
 * The `Results` around the list are left out: the official Studio imports only a list (`Raven.Studio`,
 * `indexPerformance.ts`).
 */
function studioJson(store: BatchStore, parts: readonly Part[], out: Pieces): ExportSteps {
  return performanceList(store, parts, out, { head: '[', tail: ']\n', clean: (json) => json })
}

/**
 * Writes the server's list of batches by index, between `head` and `tail`. `clean` maps the JSON of names and batches
 * to what is written.
 */
export function performanceList(
  store: BatchStore,
  parts: readonly Part[],
  out: Pieces,
  { head, tail, clean }: { readonly head: string; readonly tail: string; readonly clean: (json: string) => string },
): ExportSteps {
  const json = exportedBatchJson(store)
  return batchSteps(parts, out, {
    head,
    beginIndex: ({ name }, isFirst) => `${isFirst ? '' : ','}\n{"Name":${clean(JSON.stringify(name))},"Performance":[`,
    batch: (batch, isFirst) => `${isFirst ? '' : ','}\n${clean(JSON.stringify(json(batch)))}`,
    endIndex: ']}',
    tail,
  })
}

function ndjsonBatches(store: BatchStore, parts: readonly Part[], out: Pieces): ExportSteps {
  const json = exportedBatchJson(store)
  return batchSteps(parts, out, {
    head: '',
    batch: (batch) => `${JSON.stringify({ Source: batch.index.source, Index: batch.index.name, ...json(batch) })}\n`,
    tail: '',
  })
}

/** JSON of a batch in the shape of the server's document. */
export function exportedBatchJson(store: BatchStore): (batch: ExportedBatch) => Record<string, unknown> {
  const view = newTreeView()
  return ({ index, part, read }) => {
    readTree(store, index.open, part.kind, read(TREE), `${read(ID)}:${read(START)}`, view)
    return batchJson(store, read, view, part.kind === 'open', store.reasons.get(read(REASON)).text)
  }
}

/** Fields of the export. A cell is empty if its value is not known. */
const FIELDS: readonly (readonly [name: string, cell: (store: BatchStore, batch: ExportedBatch) => Cell])[] = [
  ['start_utc', (_, { read }) => formatTicks(read(START) as Ticks)],
  ['duration_ms', (_, { read }) => msFromSpan(read(DURATION) as TickSpan)],
  ['source', (_, { index }) => index.source],
  ['index', (_, { index }) => index.name],
  ['id', (_, { read }) => read(ID)],
  ['state', (store, { index, part, read }) => stateOf(store, index, part.kind, read(START), read(ID))],
  ['documents_in', (_, { read }) => measuredOrNull(read(DOCUMENTS_IN))],
  ['documents_out', (_, { read }) => measuredOrNull(read(DOCUMENTS_OUT))],
  ['documents_failed', (_, { read }) => measuredOrNull(read(DOCUMENTS_FAILED))],
  ['tombstones', (_, { read }) => measuredOrNull(read(TOMBSTONES))],
  ['documents_bytes', (_, { read }): Bytes | null => (read(BYTES_UNKNOWN) === 1 ? null : (read(SIZE) as Bytes))],
  ['managed_bytes', (_, { read }) => measuredOrNull(read(MANAGED))],
  ['unmanaged_bytes', (_, { read }) => measuredOrNull(read(UNMANAGED))],
  ['allocated_at_last_check_bytes', (_, { read }) => measuredOrNull(read(CHECKED))],
  ['budget_bytes', (_, { read }) => measuredOrNull(read(BUDGET))],
  ['waited_ms', (_, { read }) => msFromSpan(read(WAIT) as TickSpan)],
  ['stop_reason', (store, { read }) => store.reasons.get(read(REASON)).code],
  ['stop_reason_text', (store, { read }) => store.reasons.get(read(REASON)).text],
]

function csvBatches(store: BatchStore, parts: readonly Part[], out: Pieces): ExportSteps {
  return batchSteps(parts, out, {
    head: csvLine(FIELDS.map(([name]) => name)),
    batch: (batch) => csvLine(FIELDS.map(([, cell]) => cell(store, batch))),
    tail: '',
  })
}
