import { applyEdits, modify } from 'jsonc-parser'
import { jsonTree, propertyOf, textOf } from './json-text.ts'

const INDENTED = { formattingOptions: { insertSpaces: true, tabSize: 4, eol: '\n' } }

/** Collection that the metadata in a text name; null: they name none. */
export function collectionIn(text: string): string | null {
  const metadata = propertyOf(text, jsonTree(text), '@metadata')
  const name = textOf(text, propertyOf(text, metadata, '@collection'))
  return name === '' ? null : name
}

/** The text with a collection in its metadata: added, and nothing else changed. Null: the text is no object. */
export function withCollection(text: string, collection: string): string | null {
  if (jsonTree(text)?.type !== 'object') return null
  // The library indents the whole line that it adds to: a text of one line stays as it is typed.
  const edits = modify(text, ['@metadata', '@collection'], collection, text.includes('\n') ? INDENTED : {})
  return applyEdits(text, edits)
}
