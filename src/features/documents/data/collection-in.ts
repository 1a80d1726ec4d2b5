import { applyEdits, modify } from 'jsonc-parser'
import { jsonTree, propertyOf, skimObject, textOf } from './json-text.ts'

const INDENTED = { formattingOptions: { insertSpaces: true, tabSize: 4, eol: '\n' } }

/** Collection that the metadata in a text name; null: none. Only the metadata are parsed, so any depth is read. */
export function collectionIn(text: string): string | null {
  const metadata = metadataIn(text)
  const name = textOf(metadata, propertyOf(metadata, jsonTree(metadata), '@collection'))
  return name === '' ? null : name
}

/** Id that the metadata of a document name; empty: none. Reads any depth, as `collectionIn`. */
export function idIn(text: string): string {
  const metadata = metadataIn(text)
  return textOf(metadata, propertyOf(metadata, jsonTree(metadata), '@id'))
}

/** Text of the metadata; empty: there are none, or the text is no JSON. */
function metadataIn(text: string): string {
  const from = text.search(/\S/)
  if (text[from] !== '{') return ''
  try {
    const found = skimObject(text, from).findLast(({ key }) => key === '@metadata')
    return found === undefined ? '' : text.slice(found.from, found.to)
  } catch {
    return ''
  }
}

/** Adds a collection to the metadata in a text and changes nothing else. Null: the text is not an object. */
export function withCollection(text: string, collection: string): string | null {
  if (jsonTree(text)?.type !== 'object') return null
  // The library indents the whole line that it changes. A text of one line is left as typed.
  const edits = modify(text, ['@metadata', '@collection'], collection, text.includes('\n') ? INDENTED : {})
  return applyEdits(text, edits)
}
