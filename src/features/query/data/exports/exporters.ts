import { kindOf, memberOf, membersOf, plainText } from '../../../../base/json/exact.ts'
import { exactBytes } from '../../../../base/text/exact-text.ts'
import { csvLine } from '../../../../capture/exporting/csv.ts'
import type { Exporters, ExportPlan, RequestingSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { Governor } from '../../../../ravendb/budget/governor.ts'
import type { QueryExportParams, QueryExports } from '../../contract.ts'
import { readPage } from '../answer.ts'
import { sendPage } from '../run.ts'

/** Size of the page that is held: results of any number pass through that much memory. */
const PAGE_BYTES = 4 * 1024 * 1024
const FIRST_ROWS = 256
const MOST_ROWS = 8192

/** Column of a row’s fields that are in no column of their own. */
const OTHER = 'other fields'
const ID = 'document id'

/** How rows are written, each as the server sent it. */
interface Form {
  readonly begin: string
  readonly row: (row: string, isFirst: boolean) => string
  readonly end: string
}

const formOf: { readonly [Id in keyof QueryExports]: (columns: readonly string[]) => Form } = {
  'query.csv': (columns) => ({
    begin: csvLine([ID, ...columns, OTHER]),
    row: (row) => csvLine(csvCells(row, columns)),
    end: '',
  }),
  'query.ndjson': () => ({ begin: '', row: (row) => `${row}\n`, end: '' }),
  'query.json': () => ({ begin: '[', row: (row, isFirst) => `${isFirst ? '\n' : ',\n'}${row}`, end: '\n]\n' }),
}

/** Results of a query, page after page, through the same endpoint as on screen: it creates no index. */
export const queryExporters = (governor: () => Governor): Exporters<keyof QueryExports> => ({
  'query.csv': (params) => planOf(governor(), params, formOf['query.csv'](params.columns)),
  'query.ndjson': (params) => planOf(governor(), params, formOf['query.ndjson']([])),
  'query.json': (params) => planOf(governor(), params, formOf['query.json']([])),
})

async function planOf(governor: Governor, params: QueryExportParams, form: Form): Promise<ExportPlan> {
  const abort = new AbortController()
  const first = readPage(await sendPage(governor, { ...params, start: 0, pageSize: 1 }, abort.signal), 0)
  return { rows: first.total ?? first.rows.length, steps: (out) => writePages(governor, params, form, out) }
}

async function* writePages(governor: Governor, params: QueryExportParams, form: Form, out: Pieces): RequestingSteps {
  const abort = new AbortController()
  try {
    out.text(form.begin)
    let written = 0
    let position = 0
    let pageSize = FIRST_ROWS
    for (;;) {
      const response = await sendPage(governor, { ...params, start: position, pageSize }, abort.signal)
      const { rows, total, skipped, scanned } = readPage(response, position)
      for (const row of rows) out.bytes(exactBytes(form.row(row, written++ === 0)))
      position += rows.length + skipped
      yield written
      // Queries with a filter have no number of results beforehand.
      const end = scanned > 0 ? null : total
      if (rows.length === 0 || (end === null ? rows.length < pageSize : position >= end)) {
        if (end !== null && position !== end)
          throw new Error(
            `${written} results came, and the server now has ${end}: they changed meanwhile. Export them again.`,
          )
        break
      }
      pageSize = Math.min(MOST_ROWS, Math.max(1, Math.floor((PAGE_BYTES * rows.length) / response.bytes)))
    }
    out.text(form.end)
  } finally {
    abort.abort()
  }
}

/** Texts are written without quotes, everything else as it came. */
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
