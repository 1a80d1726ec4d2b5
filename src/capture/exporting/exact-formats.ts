/** Formats that keep each value as sent, in the order of the menu; a feature adds its exporter's `id`. */
export const EXACT_FORMATS = [
  {
    kind: 'csv',
    title: 'CSV',
    opens:
      "A column for each field on screen; fields of other rows are in the last one, as JSON. A text that a spreadsheet would run begins with '.",
    extension: 'csv',
    mediaType: 'text/csv',
    rowBytes: 500,
  },
  {
    kind: 'ndjson',
    title: 'NDJSON',
    opens: 'A row a line, as the server sent it.',
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    rowBytes: 800,
  },
  {
    kind: 'parquet',
    title: 'Parquet',
    opens:
      'The columns of CSV, each value as a text with the digits that the server sent. A byte that is no UTF-8 becomes �.',
    extension: 'parquet',
    mediaType: 'application/vnd.apache.parquet',
    rowBytes: 200,
  },
  {
    kind: 'json',
    title: 'JSON',
    opens: 'One list of all rows, as the server sent them.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 800,
  },
] as const
