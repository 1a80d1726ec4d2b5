import type { ExportFormat } from '../../../capture/exporting/exporter.ts'
import type { IoExportId } from './exports.ts'

/** Export formats of I/O events, in the order of the dialog. */
export const IO_FORMATS = [
  {
    id: 'io.json',
    title: 'I/O metrics (JSON)',
    opens: 'Opens here again and in the official Studio’s I/O stats; the only one with roll-ups and gaps.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 110,
  },
  {
    id: 'io.csv',
    title: 'CSV',
    opens: 'Opens in any spreadsheet; safe there, for no name can act as a formula.',
    extension: 'csv',
    mediaType: 'text/csv',
    rowBytes: 200,
  },
  {
    id: 'io.ndjson',
    title: 'NDJSON',
    opens: 'One object a line, for jq, scripts and log stores.',
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    rowBytes: 380,
  },
  {
    id: 'io.parquet',
    title: 'Parquet',
    opens: 'Typed and small, for DuckDB, pandas, Polars and Spark.',
    extension: 'parquet',
    mediaType: 'application/vnd.apache.parquet',
    rowBytes: 24,
  },
  {
    id: 'io.trace',
    title: 'Chrome trace (JSON)',
    opens: 'Opens in ui.perfetto.dev and chrome://tracing: a thread for each kind of each storage.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 220,
  },
] as const satisfies readonly ExportFormat<IoExportId>[]
