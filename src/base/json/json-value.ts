import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, type JsonBytes } from './json-bytes.ts'

const QUOTE = 0x22
const COLON = 0x3a
const MINUS = 0x2d
/** Deeper values become null: a document that nests for the sake of it must not use up the stack. */
const MOST_DEPTH = 64

/**
 * The next value whole, as `JSON.parse` would have it, except that no key of it can be more than a key (`__proto__`). For
 * records of few kilobytes. Throws `MORE_BYTES` where it is not all there yet, and `JsonBytesError` where it is no JSON.
 */
export function readValue(json: JsonBytes, depth = 0): unknown {
  const byte = json.peek()
  if (byte === QUOTE) return json.text()
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    if (depth === MOST_DEPTH) {
      json.skipSmall()
      return null
    }
    return byte === OPEN_OBJECT ? readObject(json, depth + 1) : readList(json, depth + 1)
  }
  return byte === MINUS || (byte >= 0x30 && byte <= 0x39) ? json.number() : json.word()
}

function readObject(json: JsonBytes, depth: number): Readonly<Record<string, unknown>> {
  const fields = Object.create(null) as Record<string, unknown>
  json.expect(OPEN_OBJECT)
  if (json.take(CLOSE_OBJECT)) return fields
  do {
    const key = json.text()
    json.expect(COLON)
    fields[key] = readValue(json, depth)
  } while (json.next(CLOSE_OBJECT))
  return fields
}

function readList(json: JsonBytes, depth: number): unknown[] {
  const items: unknown[] = []
  json.expect(OPEN_ARRAY)
  if (json.take(CLOSE_ARRAY)) return items
  do items.push(readValue(json, depth))
  while (json.next(CLOSE_ARRAY))
  return items
}
