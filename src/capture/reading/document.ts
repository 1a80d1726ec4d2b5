import { errorText } from '../../base/text/error-text.ts'
import { JsonBytes, JsonBytesError } from '../../base/json/json-bytes.ts'
import type { Rule } from '../../base/json/json-walk.ts'
import { JsonWalk } from '../../base/json/json-walk.ts'
import { ByteReader, bytesAtHand } from './byte-reader.ts'
import { NestedArchive, UnknownDocument } from './refusal.ts'
import { jsonStart, SNIFF_BYTES, sniffContainer, sniffPaths } from './sniff.ts'

/** Reader of a kind of document: a rule for its root, and the handling of a truncated one. */
export interface DocumentReader {
  readonly rule: Rule
  /** Called if the document ends early: hand on what is complete. */
  readonly salvage: () => void
  /** Sentence for a document that was read to its end without data for the panel; null: it had data. */
  readonly describeEmpty?: () => string | null
}

/** Chooses the reader by the paths at the beginning of the document; null: not a known document. */
export type ChooseReader = (paths: ReadonlySet<string>) => DocumentReader | null | Promise<DocumentReader | null>

export interface ReadingProgress {
  /** Bytes of the (unpacked) document that were read. */
  readonly bytes: number
  readonly documents: number
}

/** End of a document. */
export interface ReadingEnd extends ReadingProgress {
  /** Byte where its readable part ends, with expectation and finding; null: it was read to its end. */
  readonly broken: { readonly at: number; readonly message: string } | null
  /** Byte where a further document of another kind begins, which was not read; null: there is none. */
  readonly foreignAt: number | null
}

/** Time, ms, after which other messages are handled. */
const TURN_MS = 12

export interface ReadOptions {
  readonly choose: ChooseReader
  /** Called for a value of an unexpected kind, which is skipped. */
  readonly mismatch: (at: number, expected: string) => void
  /** `isOver`: the end of the document. */
  readonly progress: (progress: ReadingProgress, isOver: boolean) => void
  readonly signal: AbortSignal
  /** Lets pending messages run; resolves soon. */
  readonly turn: () => Promise<void>
  readonly now: () => number
}

/**
 * Reads one JSON text (or several in a row) into tables, from a stream piece by piece or from memory. Throws `Refusal`
 * for an unknown document (`NestedArchive` for an archive); what was read before an error is kept.
 */
export async function readDocument(
  source: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array,
  options: ReadOptions,
): Promise<ReadingEnd> {
  const { signal } = options
  const reader = source instanceof Uint8Array ? bytesAtHand(source) : new ByteReader(source)
  const json = new JsonBytes()
  let walk: JsonWalk | null = null
  let chosen: DocumentReader | null = null
  let waiting = 0
  let turnEndMs = options.now() + TURN_MS
  const abort = (): void => reader.cancel(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    for (;;) {
      const { bytes, done, error } = await reader.next(waiting)
      signal.throwIfAborted()
      if (walk === null) {
        waiting = bytes.length
        if (waiting < SNIFF_BYTES && !done) continue
        chosen = await choose(bytes, options.choose)
        signal.throwIfAborted()
        walk = new JsonWalk(json, chosen.rule, options.mismatch)
        json.look(bytes)
        json.pos = jsonStart(bytes)
      } else json.look(bytes)
      // A stream that failed has not ended: an open value is not a fault of the document.
      json.isLast = done && error === null
      walk.run()
      waiting = json.end - json.pos
      const progress = { bytes: json.at, documents: walk.documents }
      options.progress(progress, done)
      if (done) {
        if (error !== null) throw error
        if (walk.isOpen) throw new JsonBytesError(json.at, 'the rest of the document', 'the end')
        return { ...progress, broken: null, foreignAt: walk.foreignAt }
      }
      if (options.now() >= turnEndMs) {
        await options.turn()
        turnEndMs = options.now() + TURN_MS
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (chosen === null || walk === null) throw error
    chosen.salvage()
    const at = error instanceof JsonBytesError ? error.at : json.at
    const said = errorText(error)
    const message = error instanceof JsonBytesError ? said : `byte ${at.toLocaleString('en-US')}: ${said}`
    return { bytes: json.at, documents: walk.documents, broken: { at, message }, foreignAt: walk.foreignAt }
  } finally {
    signal.removeEventListener('abort', abort)
    reader.cancel(null)
  }
}

async function choose(head: Uint8Array, chooseReader: ChooseReader): Promise<DocumentReader> {
  const container = sniffContainer(head)
  if (typeof container === 'object') throw new UnknownDocument(container.refused)
  if (container !== 'json') throw new NestedArchive(container)
  const paths = sniffPaths(head)
  const chosen = await chooseReader(paths)
  if (chosen !== null) return chosen
  if (ERROR_PATHS.every((path) => paths.has(path))) throw new UnknownDocument(errorWords(head, 'Message'))
  if (paths.has('$.Error')) throw new UnknownDocument(errorWords(head, 'Error'))
  if (EMPTY.test(new TextDecoder().decode(head))) throw new UnknownDocument('It is empty JSON: it holds no data.')
  const seen = [...paths].filter((path) => !path.slice(2).includes('.')).slice(0, 6)
  throw new UnknownDocument(
    `It is JSON, but none of the documents that Rookery knows${seen.length > 0 ? `: it begins with ${seen.join(', ')}` : ''}.`,
  )
}

/** Fields with which the server reports that a request failed. */
const ERROR_PATHS = ['$.Url', '$.Type', '$.Message', '$.Error'] as const
/** A document without values, or with an empty list of them. */
const EMPTY = /^\uFEFF?\s*(?:\[\s*\]|\{\s*(?:"\w+"\s*:\s*\[\s*\]\s*)?\})\s*$/

/** The first 300 characters of a field's text, and its end if there are no more. */
const fieldText = (name: string): RegExp =>
  new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\\\p{Cc}]|\\\\u[\\da-f]{4}|\\\\[^u]){0,300})("?)`, 'iu')

/** Describes the error of a failed request that was saved as a file. */
function errorWords(head: Uint8Array, field: 'Message' | 'Error'): string {
  const [, quoted = '', end] = fieldText(field).exec(new TextDecoder().decode(head)) ?? []
  const message = String(JSON.parse(`"${quoted}"`)).trim()
  if (message === '') return 'It holds no data: the server refused the request.'
  return `It holds no data: the server refused the request: ${message}${end === '"' ? '' : ' …'}`
}
