import type { ExportFormat } from '../../../capture/exporting/exporter.ts'
import type { BatchExportId } from './batches.ts'

/** Export formats of index batches, in the order of the dialog. */
export const BATCH_FORMATS = [
  {
    id: 'indexing.json',
    title: 'Index batches (JSON)',
    opens: 'Opens here again and in the official Studio’s indexing performance, with every operation.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 3000,
  },
  {
    id: 'indexing.csv',
    title: 'CSV',
    opens: 'Opens in any spreadsheet; a line a batch, without its operations.',
    extension: 'csv',
    mediaType: 'text/csv',
    rowBytes: 220,
  },
  {
    id: 'indexing.ndjson',
    title: 'NDJSON',
    opens: 'One batch a line with its operations, for jq, scripts and log stores.',
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    rowBytes: 3200,
  },
  {
    id: 'indexing.trace',
    title: 'Chrome trace (JSON)',
    opens: 'Opens in ui.perfetto.dev and chrome://tracing: a thread for each index, operations laid end to end.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 4000,
  },
] as const satisfies readonly ExportFormat<BatchExportId>[]
