import { applyEdits, modify } from 'jsonc-parser'
import { jsonTree, propertyOf, textOf } from './json-text.ts'

const INDENTED = { formattingOptions: { insertSpaces: true, tabSize: 4, eol: '\n' } }

/** Collection that the metadata in a text name; null: none. */
export function collectionIn(text: string): string | null {
  const metadata = propertyOf(text, jsonTree(text), '@metadata')
  const name = textOf(text, propertyOf(text, metadata, '@collection'))
  return name === '' ? null : name
}

/** Adds a collection to the metadata in a text and changes nothing else. Null: the text is not an object. */
export function withCollection(text: string, collection: string): string | null {
  if (jsonTree(text)?.type !== 'object') return null
  // The library indents the whole line that it changes. A text of one line is left as typed.
  const edits = modify(text, ['@metadata', '@collection'], collection, text.includes('\n') ? INDENTED : {})
  return applyEdits(text, edits)
}
