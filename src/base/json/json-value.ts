import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, type JsonBytes } from './json-bytes.ts'

const QUOTE = 0x22
const COLON = 0x3a
const MINUS = 0x2d
/** Maximum depth; deeper values become null, so that a hostile document cannot exhaust the stack. */
const MOST_DEPTH = 64

/**
 * Reads the next value as `JSON.parse` would, but a key such as `__proto__` is only a key. For records of a few
 * kilobytes. Throws `MORE_BYTES` if the value is incomplete, and `JsonBytesError` if it is not JSON.
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
