import type { TableName } from './manifest.ts'
import type { ArchiveRecord, IoRecord, LogMarkRecord } from './records.ts'
import { COLUMNS, type TableRows, type Value } from './tables.ts'

export interface RecordRow {
  readonly table: TableName
  /** Sort key: rows of a file are sorted by it, then by time. */
  readonly key: string
  readonly fromTicks: number
  readonly toTicks: number
  /** Values in the order of `COLUMNS`. */
  readonly values: readonly Value[]
}

/** Records that become a row each, except figures, which become several. */
export type OtherRecord = Exclude<ArchiveRecord, IoRecord | LogMarkRecord | { readonly t: 'known' }>

/** Converts a record of a journal to rows of tables. */
export function rowsOfRecord(record: OtherRecord): RecordRow[] {
  switch (record.t) {
    case 'sum': {
      const { source, path, type, kind, file, r } = record
      const values = [source, path, type, kind, file, ...r]
      return [{ table: 'io-rollups', key: `${source} ${path} ${kind}`, fromTicks: r[0], toTicks: r[1], values }]
    }
    case 'batch': {
      const { source, index, id, startTicks, durationTicks, json } = record
      const values = [source, index, id, startTicks, durationTicks, json]
      const key = `${source} ${index}`
      return [{ table: 'batches', key, fromTicks: startTicks, toTicks: startTicks + durationTicks, values }]
    }
    case 'gap': {
      const { source, lane, kind, reason, startTicks, endTicks, missingCount, missingBytes, detail } = record.gap
      const values = [source, lane, kind, reason, startTicks, endTicks, missingCount, missingBytes, detail]
      return [{ table: 'gaps', key: source, fromTicks: startTicks, toTicks: endTicks, values }]
    }
    case 'vital':
      return record.ticks.map((at, i) => {
        const values = [record.key, at, record.values[i] ?? Number.NaN]
        return { table: 'vitals', key: record.key, fromTicks: at, toTicks: at, values }
      })
    case 'note': {
      const { id, atTicks, json } = record
      return [{ table: 'notifications', key: '', fromTicks: atTicks, toTicks: atTicks, values: [id, atTicks, json] }]
    }
    case 'finding': {
      const { id, level, title, startTicks, endTicks, json } = record
      const values = [id, level, title, startTicks, endTicks, json]
      return [{ table: 'findings', key: '', fromTicks: startTicks, toTicks: endTicks, values }]
    }
    case 'command': {
      const { index, term, atTicks, kind } = record
      const key = String(index).padStart(16, '0')
      return [{ table: 'cluster-log', key, fromTicks: atTicks, toTicks: atTicks, values: [index, term, atTicks, kind] }]
    }
    case 'setting': {
      const { key, atTicks, kind, value, before } = record
      return [
        {
          table: 'configuration',
          key,
          fromTicks: atTicks,
          toTicks: atTicks,
          values: [key, atTicks, kind, value, before],
        },
      ]
    }
    case 'log': {
      const { atTicks, level, resource, component, logger, message } = record
      const values = [atTicks, level, resource, component, logger, message]
      return [{ table: 'logs', key: '', fromTicks: atTicks, toTicks: atTicks, values }]
    }
    case 'stacks': {
      const { atTicks, title, json } = record
      return [{ table: 'stacks', key: '', fromTicks: atTicks, toTicks: atTicks, values: [atTicks, title, json] }]
    }
    case 'query': {
      const { id, startTicks, endTicks, json } = record
      const values = [id, startTicks, endTicks, json]
      return [{ table: 'queries', key: '', fromTicks: startTicks, toTicks: endTicks, values }]
    }
  }
}

/** Rows as a file would contain them; null: none. Seeds are already in files. */
export function tableRowsOf(record: ArchiveRecord): TableRows | null {
  if (record.t === 'known' || record.t === 'log-mark' || 'seed' in record) return null
  if (record.t === 'io') return ioRowsOf(record)
  const rows = rowsOfRecord(record)
  const [first] = rows
  if (first === undefined) return null
  const columns = COLUMNS[first.table].map(({ name }, at) => [name, rows.map(({ values }) => values[at] ?? null)])
  return { table: first.table, length: rows.length, columns: Object.fromEntries(columns) as TableRows['columns'] }
}

function ioRowsOf({ c, source, path, type, kind, file }: IoRecord): TableRows {
  const [starts = [], durations = [], sizes = [], fileSizes = [], compressed = [], accelerations = []] = c
  const { length } = starts
  const same = (value: string): readonly string[] => Array.from({ length }, () => value)
  const known = (values: readonly number[]): readonly Value[] => values.map((value) => (value < 0 ? null : value))
  return {
    table: 'io',
    length,
    columns: {
      source: same(source),
      path: same(path),
      type: same(type),
      kind: same(kind),
      file: same(file),
      start_ticks: starts,
      duration_ticks: durations,
      // An event whose own size is invalid has −2 as the size of its file.
      size_bytes: sizes.map((size, i) => (fileSizes[i] === -2 ? null : size)),
      file_size_bytes: known(fileSizes),
      compressed_bytes: known(compressed),
      acceleration: known(accelerations),
    },
  }
}
