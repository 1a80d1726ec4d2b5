import { kindOf, memberOf, membersOf, plainText } from '../../../../base/json/exact.ts'
import { exactBytes } from '../../../../base/text/exact-text.ts'
import { exactCsvLine } from '../../../../capture/exporting/csv.ts'
import type { Exporters, ExportPlan, RequestingSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import type { QueryExportParams, QueryExports, QueryPage } from '../../contract.ts'
import { readPage } from '../answer.ts'
import { sendPage } from '../run.ts'
import type { Form } from './form.ts'
import { rowsOf } from './rows-of.ts'

/** Column with those fields of a row that have no column of their own. */
const OTHER = 'other fields'
const ID = 'document id'

const CHANGED =
  'They changed while they were read page by page: a result may be missing, or be there twice. Export them again to be sure.'

/** Names of the columns, each unique: a field may have the name of a column of ours. */
export function headOf(columns: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return [ID, ...columns, OTHER].map((name) => {
    let free = name
    while (taken.has(free)) free += '_'
    taken.add(free)
    return free
  })
}

/** Form that writes each row on its own, as the server sent it. */
const textForm = (begin: string, row: (row: string) => string, between = '', end = ''): Form => ({
  begin,
  page: (rows, isFirst) => (isFirst || rows.length === 0 ? '' : between) + rows.map(row).join(between),
  end: () => end,
})

const FORMS: { readonly [Id in keyof QueryExports]: (columns: readonly string[]) => Form | Promise<Form> } = {
  'query.csv': (columns) => textForm(exactCsvLine(headOf(columns)), (row) => exactCsvLine(csvCells(row, columns))),
  'query.ndjson': () => textForm('', (row) => `${row}\n`),
  'query.json': () => textForm('[\n', (row) => row, ',\n', '\n]\n'),
  'query.parquet': async (columns) => {
    const { parquetForm } = await import('./parquet.ts')
    return parquetForm(headOf(columns), (row) => csvCells(row, columns))
  },
}

/** Exports all results of a query; it creates no index. */
export function queryExporters(governor: () => Governor): Exporters<keyof QueryExports> {
  const exporter = (id: keyof QueryExports) => async (params: QueryExportParams) =>
    planOf(governor(), params, await FORMS[id](params.columns))
  return {
    'query.csv': exporter('query.csv'),
    'query.ndjson': exporter('query.ndjson'),
    'query.json': exporter('query.json'),
    'query.parquet': exporter('query.parquet'),
  }
}

async function planOf(governor: Governor, params: QueryExportParams, form: Form): Promise<ExportPlan> {
  const abort = new AbortController()
  const first = readPage(await sendPage(governor, { ...params, start: 0, pageSize: 1 }, abort.signal), 0)
  return { rows: first.total ?? first.rows.length, steps: (out) => writeRows(governor, params, first, form, out) }
}

async function* writeRows(
  governor: Governor,
  params: QueryExportParams,
  first: QueryPage,
  form: Form,
  out: Pieces,
): RequestingSteps {
  const abort = new AbortController()
  try {
    const write = (part: string | Uint8Array): void => out.bytes(typeof part === 'string' ? exactBytes(part) : part)
    write(form.begin)
    let written = 0
    const all = await rowsOf(governor, params, first, abort.signal)
    try {
      for (;;) {
        const { done, value } = await all.next()
        if (done === true) {
          write(form.end())
          return value ? CHANGED : null
        }
        write(form.page(value, written === 0))
        written += value.length
        yield written
      }
    } finally {
      await all.return(false)
    }
  } finally {
    abort.abort()
  }
}

/** Cells of a row. Strings are written without quotes, other values as received. */
export function csvCells(row: string, columns: readonly string[]): (string | null)[] {
  if (kindOf(row) !== 'object') return [null, ...columns.map(() => null), row]
  const members = membersOf(row)
  const metadata = members.findLast(({ key }) => key === '@metadata')?.value
  const id = metadata === undefined ? null : memberOf(metadata, '@id')
  const rest = new Map(members.flatMap(({ key, value }) => (key === '@metadata' ? [] : [[key, value] as const])))
  const cells = columns.map((column) => {
    const value = rest.get(column)
    rest.delete(column)
    return value === undefined || value === 'null' ? null : plainText(value)
  })
  const other = [...rest].map(([key, value]) => `${JSON.stringify(key)}:${value}`)
  return [id === null ? null : plainText(id), ...cells, other.length === 0 ? null : `{${other.join(',')}}`]
}
