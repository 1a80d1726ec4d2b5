import { Cursor, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE, preview } from './cursor.ts'
import type { RawChild, RawKind, RawStep } from './queries.ts'
import { RAW_ROOT } from './queries.ts'
import type { RawBytes } from './raw-bytes.ts'
import type { Container } from './structure.ts'

/** Maximum length of a value's preview. */
const PREVIEW_BYTES = 240
/** Maximum length of a name. */
const KEY_BYTES = 4096
/** Maximum depth of a path to a byte; below it the node at this depth is used. */
const MAX_STEPS = 200

export interface Reading {
  readonly bytes: RawBytes
  /** Known objects and lists; null: small, or not reached yet. */
  readonly find: (at: number) => Container | null
  readonly signal: AbortSignal
}

/** Children `first` to `first + count` of a container; fewer at its end, or where it is not known yet. */
export async function readChildren(
  reading: Reading,
  parent: Container,
  first: number,
  count: number,
): Promise<RawChild[]> {
  const end = Math.min(first + count, parent.count)
  const children: RawChild[] = []
  if (first >= end) return children
  const mark = parent.marks?.beforeNumber(first) ?? null
  for await (const child of walk(reading, parent, mark, (index) => index >= first)) {
    if (child.index >= first) children.push(child)
    if (child.index >= end - 1) break
  }
  return children
}

/** Steps from the root to the innermost node that contains the byte `at`. */
export async function findPath(
  reading: Reading,
  containerAt: (at: number) => Promise<Container>,
  at: number,
): Promise<RawStep[]> {
  const steps: RawStep[] = []
  let parent = await containerAt(RAW_ROOT)
  while (steps.length < MAX_STEPS) {
    const child = await childAround(reading, parent, at)
    if (child === null) break
    steps.push({ parent: parent.at, child })
    if ((child.kind !== 'object' && child.kind !== 'list') || at <= child.at) break
    parent = await containerAt(child.at)
  }
  return steps
}

async function childAround(reading: Reading, parent: Container, at: number): Promise<RawChild | null> {
  const mark = parent.marks?.beforeOffset(at) ?? null
  let last: RawChild | null = null
  for await (const child of walk(reading, parent, mark, (_index, end) => end === null || end > at)) {
    if (child.index >= parent.count) break
    last = child
    if (child.end === null || child.end > at) break
  }
  return last
}

/** Each preview costs a read, so only children that are shown (`isShown`) get one. */
async function* walk(
  reading: Reading,
  parent: Container,
  mark: { readonly number: number; readonly offset: number } | null,
  isShown: (index: number, end: number | null) => boolean,
): AsyncGenerator<RawChild> {
  const { bytes, signal } = reading
  const isRoot = parent.at === RAW_ROOT
  const cursor = new Cursor(bytes, mark?.offset ?? (isRoot ? await textStart(bytes) : parent.at + 1), signal)
  for (let index = mark?.number ?? 0; ; index++) {
    let byte = await cursor.peek()
    if (byte === COMMA && !isRoot) {
      cursor.skip(1)
      byte = await cursor.peek()
    }
    if (byte === -1 || byte === 0x7d || byte === 0x5d) return
    let key: string | null = null
    if (parent.isObject) {
      key = await readKey(reading, cursor, byte)
      if ((await cursor.peek()) === COLON) cursor.skip(1)
      byte = await cursor.peek()
    }
    const { at } = cursor
    const value = await skipValue(reading, cursor, byte)
    const shown = isShown(index, value.end)
    const stop = value.end ?? at + PREVIEW_BYTES
    yield {
      index,
      key,
      at,
      end: value.end,
      kind: value.kind,
      preview: shown ? await preview(bytes, at, stop, PREVIEW_BYTES) : '',
      isCut: value.end === null || value.end - at > PREVIEW_BYTES,
      count: value.count,
    }
    if (value.end === null) return
    // Skips unreadable input byte by byte, so that the loop always ends.
    if (cursor.at === at) cursor.skip(1)
  }
}

async function readKey({ bytes }: Reading, cursor: Cursor, byte: number): Promise<string> {
  const { at } = cursor
  if (byte === QUOTE) await cursor.skipText()
  else await cursor.skipWord()
  const written = await bytes.read(at, Math.min(cursor.at, at + KEY_BYTES))
  const isCut = cursor.at - at > KEY_BYTES
  return byte === QUOTE && !isCut ? unquote(written) : `${decode(written)}${isCut ? '…' : ''}`
}

async function skipValue(
  { find }: Reading,
  cursor: Cursor,
  byte: number,
): Promise<{ readonly kind: RawKind; readonly end: number | null; readonly count: number | null }> {
  if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
    const kind = byte === OPEN_OBJECT ? 'object' : 'list'
    const known = find(cursor.at)
    if (known !== null) {
      if (known.end !== null) cursor.jump(known.end)
      return { kind, end: known.end, count: known.count }
    }
    const count = await cursor.skipNested()
    return { kind, end: count === null ? null : cursor.at, count }
  }
  if (byte === QUOTE) {
    const isWhole = await cursor.skipText()
    return { kind: 'text', end: isWhole ? cursor.at : null, count: null }
  }
  await cursor.skipWord()
  const isNumber = byte === 0x2d || (byte >= 0x30 && byte <= 0x39)
  const isWord = byte === 0x74 || byte === 0x66 || byte === 0x6e
  return { kind: isNumber ? 'number' : isWord ? 'word' : 'unreadable', end: cursor.at, count: null }
}

/** Position after the value that begins at `at`; null: it has no end. */
export async function valueEnd(reading: Reading, at: number): Promise<number | null> {
  const cursor = new Cursor(reading.bytes, at, reading.signal)
  return (await skipValue(reading, cursor, await cursor.peek())).end
}

async function textStart(bytes: RawBytes): Promise<number> {
  const [a, b, c] = await bytes.read(0, 3)
  return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0
}

export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

// eslint-disable-next-line no-control-regex -- control characters are exactly what is meant
const CONTROLS = /[\u0000-\u001f]/g

/** Text that a JSON string represents; if it is not valid, as written. */
export function unquote(written: Uint8Array): string {
  const text = decode(written)
  try {
    const escaped = text.replaceAll(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const value: unknown = JSON.parse(escaped)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
