import type { JsonBytes } from '../../base/json/json-bytes.ts'
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  JsonBytesError,
  MORE_BYTES,
  OPEN_ARRAY,
  OPEN_OBJECT,
} from '../../base/json/json-bytes.ts'
import { JsonBytes as Json } from '../../base/json/json-bytes.ts'
import { utf16Of } from './utf16.ts'

/** Format of a file, from its first bytes. */
export type Container = 'zip' | 'gzip' | 'tar' | 'json' | 'UTF-16 text' | { readonly refused: string }

/**
 * Number of bytes that are enough to recognise a document: `@metadata` and the like come first, then the list that
 * decides.
 */
export const SNIFF_BYTES = 64 * 1024

const TAR_MAGIC = [0x75, 0x73, 0x74, 0x61, 0x72]
const TAR_MAGIC_AT = 257

const TAR_HEADER_BYTES = 512
const TAR_SUM_AT = 148
const TAR_SUM_BYTES = 8

/**
 * Whether the first bytes, at least 512, are those of a tar (ustar, GNU, pax, or one from before them). Its header has
 * zero bytes, which a JSON text with the same word or number at that place has not.
 */
export const isTar = (head: Uint8Array): boolean =>
  (TAR_MAGIC.every((byte, i) => head[TAR_MAGIC_AT + i] === byte) || hasTarSum(head)) &&
  head.subarray(0, TAR_HEADER_BYTES).includes(0)

/** Whether the bytes of a header have the sum that it states; its own bytes count as spaces. */
function hasTarSum(head: Uint8Array): boolean {
  if (head.length < TAR_HEADER_BYTES || head[0] === 0) return false
  const stated = new TextDecoder().decode(head.subarray(TAR_SUM_AT, TAR_SUM_AT + TAR_SUM_BYTES))
  let sum = TAR_SUM_BYTES * 0x20
  for (let i = 0; i < TAR_HEADER_BYTES; i++) if (i < TAR_SUM_AT || i >= TAR_SUM_AT + TAR_SUM_BYTES) sum += head[i] ?? 0
  return /^ *[0-7]+[ \0]*$/.test(stated) && Number.parseInt(stated, 8) === sum
}

/** First bytes of archives that are not read, by their names. */
const OTHER_ARCHIVES: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['an xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['a bzip2', [0x42, 0x5a, 0x68]],
  ['a Zstandard', [0x28, 0xb5, 0x2f, 0xfd]],
  ['an LZ4', [0x04, 0x22, 0x4d, 0x18]],
  ['a 7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a RAR', [0x52, 0x61, 0x72, 0x21]],
]

/** Recognises the format by content, never by name. `head`: the first bytes, at least 512 if the file has them. */
export function sniffContainer(head: Uint8Array): Container {
  const [a, b, c, d] = head
  if (head.length === 0) return { refused: 'The file is empty.' }
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return 'zip'
  if (a === 0x1f && b === 0x8b) return 'gzip'
  if (isTar(head)) return 'tar'
  const other = OTHER_ARCHIVES.find(([, magic]) => magic.every((byte, i) => head[i] === byte))
  if (other !== undefined) return { refused: `Unpack it and open what is inside: it is ${other[0]} archive.` }
  if (a === 0xff && b === 0xfe && c === 0 && d === 0)
    return { refused: 'byte 0: expected UTF-8 or UTF-16, got text in UTF-32.' }
  if (utf16Of(head) !== null) return 'UTF-16 text'
  if (a === 0 || b === 0) return { refused: 'byte 0: expected JSON, a zip, a gzip or a tar, got binary data.' }
  const at = jsonStart(head)
  const first = head[at]
  if (first === undefined) return 'json'
  if (first === 0x7b || first === 0x5b) return 'json'
  const shown = JSON.stringify(new TextDecoder().decode(head.subarray(at, at + 16)))
  const what =
    first === 0x3c ? `an HTML or XML page (${shown})` : isHttp(head, at) ? `${HTTP_HEADERS} (${shown})` : shown
  return { refused: `byte ${at}: expected "{" or "[" of a JSON document, a zip, a gzip or a tar, got ${what}.` }
}

const HTTP_HEADERS = 'the headers of a response: save it without them, as curl does without -i'
const isHttp = (head: Uint8Array, at: number): boolean =>
  new TextDecoder().decode(head.subarray(at, at + 5)) === 'HTTP/'

/** Start of the document, after a byte order mark and white space. */
export function jsonStart(head: Uint8Array): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  while (at < head.length && (head[at] === 0x20 || head[at] === 0x0a || head[at] === 0x0d || head[at] === 0x09)) at++
  return at
}

/**
 * Paths of the keys at the beginning of a document, such as `$.Environments`, `$.Results[].Performance`, `$[].Name`,
 * down to `depth` levels. Ignores what is cut off, and ends at invalid JSON (reading reports it).
 */
export function sniffPaths(head: Uint8Array, depth = 4): ReadonlySet<string> {
  const json = new Json()
  json.feed(head.subarray(jsonStart(head)))
  const found = new Set<string>()
  try {
    walk(json, '$', depth, found)
  } catch (signal) {
    if (signal !== MORE_BYTES && !(signal instanceof JsonBytesError)) throw signal
  }
  return found
}

function walk(json: JsonBytes, path: string, depth: number, found: Set<string>): void {
  const byte = json.peek()
  if (depth === 0 || (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY)) {
    json.skipSmall()
    return
  }
  json.pos++
  const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY
  if (json.take(close)) return
  do {
    let child = `${path}[]`
    if (byte === OPEN_OBJECT) {
      child = `${path}.${json.text()}`
      found.add(child)
      json.expect(0x3a)
    }
    walk(json, child, depth - 1, found)
  } while (json.next(close))
}
