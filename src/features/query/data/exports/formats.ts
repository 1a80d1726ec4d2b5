import type { ExportFormat } from '../../../../capture/exporting/exporter.ts'
import type { QueryExports } from '../../contract.ts'

/** Formats that results are exported to, in the order of the menu. */
export const QUERY_FORMATS = [
  {
    id: 'query.csv',
    title: 'CSV',
    opens: 'A column for each field on screen; fields of other rows are in the last one, as JSON.',
    extension: 'csv',
    mediaType: 'text/csv',
    rowBytes: 500,
  },
  {
    id: 'query.ndjson',
    title: 'NDJSON',
    opens: 'A result a line, as the server sent it.',
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    rowBytes: 800,
  },
  {
    id: 'query.parquet',
    title: 'Parquet',
    opens: 'The columns of CSV, each value as a text with the digits that the server sent.',
    extension: 'parquet',
    mediaType: 'application/vnd.apache.parquet',
    rowBytes: 200,
  },
  {
    id: 'query.json',
    title: 'JSON',
    opens: 'One list of all results, as the server sent them.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 800,
  },
] as const satisfies readonly ExportFormat<keyof QueryExports>[]
