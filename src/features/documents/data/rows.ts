import type { Node } from 'jsonc-parser'
import { exactText } from '../../../base/text/exact-text.ts'
import type { DocumentCell, DocumentPage, DocumentRow } from '../contract.ts'
import { itemsOf, jsonTree, propertiesOf, propertyOf, rawText, textOf } from './json-text.ts'

/* Lists of documents, whose cells contain what the server wrote. */

/** Maximum number of characters of a cell, which is shown on one line. */
const CELL = 300

/** Reads a page of `studio/collections/preview`, or of `docs` with metadata only, which reports no total. */
export function readPage(bytes: Uint8Array): DocumentPage {
  const text = exactText(bytes)
  const tree = jsonTree(text)
  const results = propertyOf(text, tree, 'Results')
  if (results?.type !== 'array') throw new Error('The response has no list of results.')
  const total = propertyOf(text, tree, 'TotalResults')
  const rows = itemsOf(results).map((item) => rowOf(text, item))
  return {
    total: total === null ? rows.length : Number(rawText(text, total)),
    fields: byUse(
      itemsOf(propertyOf(text, tree, 'AvailableColumns')).map((column) => textOf(text, column)),
      rows,
    ),
    rows,
  }
}

/**
 * Sorts fields by the number of rows that have them, most first, so that one document of another collection does not
 * fill the columns.
 */
function byUse(fields: readonly string[], rows: readonly DocumentRow[]): readonly string[] {
  const uses = new Map(fields.map((field) => [field, rows.filter(({ cells }) => Object.hasOwn(cells, field)).length]))
  return fields.toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0))
}

function rowOf(text: string, item: Node): DocumentRow {
  const metadata = propertyOf(text, item, '@metadata')
  const of = (key: string): string => textOf(text, propertyOf(text, metadata, key))
  const cells = new Map<string, DocumentCell>()
  for (const { key, value } of propertiesOf(text, item)) if (key !== '@metadata') cells.set(key, cellOf(text, value))
  const nested = (key: '$a' | '$o', words: (count: string) => string): void => {
    for (const { key: field, value } of propertiesOf(text, propertyOf(text, metadata, key)))
      cells.set(field, { text: words(rawText(text, value)), kind: 'nested' })
  }
  nested('$a', (count) => `[ ${count} ]`)
  nested('$o', (count) => `{ ${count} }`)
  return {
    id: of('@id'),
    collection: of('@collection'),
    changeVector: of('@change-vector'),
    modified: of('@last-modified'),
    cells: Object.fromEntries(cells),
  }
}

function cellOf(text: string, value: Node): DocumentCell {
  const kind = value.type === 'string' || value.type === 'number' ? value.type : 'word'
  return {
    text: textOf(text, value).slice(0, CELL),
    kind: value.type === 'object' || value.type === 'array' ? 'nested' : kind,
  }
}
