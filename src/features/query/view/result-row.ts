import { kindOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'

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
