import type { Node } from 'jsonc-parser'
import { exactBytes, exactText } from '../../../base/text/exact-text.ts'
import type { AttachmentInfo, OpenedDocument } from '../contract.ts'
import { atOnce, indentingJson, type Steps } from './indent-json.ts'
import { itemsOf, jsonTree, propertyOf, skimFirst, skimObject, textOf, type SkimmedProperty } from './json-text.ts'

const METADATA = '@metadata'

/** Metadata that the server always writes itself, regardless of what a client sends: not part of the edited text. */
const OF_SERVER: ReadonlySet<string> = new Set([
  '@attachments',
  '@change-vector',
  '@counters',
  '@flags',
  '@id',
  '@last-modified',
  '@timeseries',
])

/** Whether the server would ignore a change of this metadata key. */
export const isServerMetadata = (key: string): boolean => OF_SERVER.has(key)

/** Reads the document in `{"Results":[…]}`; null: there is none. Errors: `Error` for any other response. */
export const readDocument = (bytes: Uint8Array): OpenedDocument | null => atOnce(readingDocument(bytes))

/** `readDocument` in steps, for a document of any size. */
export function* readingDocument(bytes: Uint8Array): Steps<OpenedDocument | null> {
  const text = exactText(bytes)
  const results = skimObject(text, text.indexOf('{')).find(({ key }) => key === 'Results')
  if (results === undefined || text[results.from] !== '[') throw new Error('The response has no list of results.')
  const found = skimFirst(text, results.from)
  if (found === null || text[found.from] !== '{') return null
  yield
  const around = exactBytes(text.slice(0, found.from) + text.slice(found.to))
  return yield* opened(text.slice(found.from, found.to), bytes.length - around.length)
}

/** `raw`: one document as the server wrote it, of so many bytes. */
function* opened(raw: string, bytes: number): Steps<OpenedDocument> {
  const properties = skimObject(raw, 0)
  const metadata = properties.findLast(({ key }) => key === METADATA)
  const metadataText = metadata === undefined ? '{}' : raw.slice(metadata.from, metadata.to)
  const tree = jsonTree(metadataText)
  const of = (key: string): Node | null => propertyOf(metadataText, tree, key)
  const names = (key: string): readonly string[] => itemsOf(of(key)).map((item) => textOf(metadataText, item))
  return {
    id: textOf(metadataText, of('@id')),
    changeVector: textOf(metadataText, of('@change-vector')),
    modified: textOf(metadataText, of('@last-modified')),
    collection: textOf(metadataText, of('@collection')),
    text: yield* indentingJson(withoutServerMetadata(raw, properties, metadata)),
    bytes,
    flags: textOf(metadataText, of('@flags'))
      .split(', ')
      .filter((flag) => flag !== ''),
    attachments: itemsOf(of('@attachments')).map((item) => attachmentOf(metadataText, item)),
    counters: names('@counters'),
    series: names('@timeseries'),
  }
}

function attachmentOf(text: string, item: Node): AttachmentInfo {
  const of = (key: string): string => textOf(text, propertyOf(text, item, key))
  return { name: of('Name'), contentType: of('ContentType'), bytes: Number(of('Size')), hash: of('Hash') }
}

/**
 * Removes the server's metadata and leaves every other byte as it is. If no metadata remain, the whole `@metadata`
 * property is removed.
 */
function withoutServerMetadata(
  raw: string,
  properties: readonly SkimmedProperty[],
  metadata: SkimmedProperty | undefined,
): string {
  if (metadata === undefined) return raw
  const join = (all: readonly SkimmedProperty[]): string =>
    `{${all.map(({ keyFrom, to }) => raw.slice(keyFrom, to)).join(',')}}`
  const kept = skimObject(raw, metadata.from).filter(({ key }) => !OF_SERVER.has(key))
  return kept.length > 0
    ? raw.slice(0, metadata.from) + join(kept) + raw.slice(metadata.to)
    : join(properties.filter((each) => each !== metadata))
}
