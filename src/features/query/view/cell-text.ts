import { kindOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'

/** A longer text is not seen in a cell; its row has all of it. */
const MOST_UNITS = 300

export interface ResultRow {
  /** Position among all results. */
  readonly position: number
  /** Text as the server sent it. */
  readonly text: string
  /** Values by field, as they are written; of a repeated field the last. Empty where the result is no object. */
  readonly values: ReadonlyMap<string, string>
  /** Id of the document; null: the result is no document. */
  readonly id: string | null
}

export function resultRow(text: string, position: number): ResultRow {
  if (kindOf(text) !== 'object') return { position, text, values: new Map(), id: null }
  const values = new Map(membersOf(text).map(({ key, value }) => [key, value]))
  const metadata = values.get('@metadata')
  const id = metadata === undefined ? null : memberOf(metadata, '@id')
  return { position, text, values, id: id === null ? null : plainText(id) }
}

/** Text of a cell: a string without its quotes, any other value as the server wrote it. */
export function cellText(value: string | undefined): string {
  if (value === undefined) return ''
  const text = value.length > 4 * MOST_UNITS ? value.slice(0, 4 * MOST_UNITS) : value
  if (text.length < value.length) return `${text.slice(0, MOST_UNITS)}…`
  const plain = plainText(text)
  return plain.length > MOST_UNITS ? `${plain.slice(0, MOST_UNITS)}…` : plain
}
