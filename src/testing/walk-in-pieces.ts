import type { JsonBytes } from '../base/json/json-bytes.ts'
import type { JsonWalk } from '../base/json/json-walk.ts'

/** Hands a document over in pieces of these sizes, repeated. `isWhole`: it ends with its last byte. */
export function walkInPieces(
  json: JsonBytes,
  walk: JsonWalk,
  bytes: Uint8Array,
  sizes: readonly number[],
  isWhole = true,
): void {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] as number
    json.feed(bytes.slice(at, at + size))
    at += size
    json.isLast = isWhole && at >= bytes.length
    walk.run()
  }
}
