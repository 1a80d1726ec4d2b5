import { concatBytes } from '../../base/concat-bytes.ts'
import type { Piece } from './packed.ts'
import { streamOfPieces } from './unpack.ts'

type Utf16 = 'utf-16le' | 'utf-16be'

/**
 * Byte order of a UTF-16 text, by its byte order mark or the zero beside its first ASCII character. Null: not UTF-16.
 * Windows shells write UTF-16 when output is redirected to a file.
 */
export function utf16Of([a, b, c, d]: Uint8Array): Utf16 | null {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const isAscii = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x09 && byte < 0x7f
  if (isAscii(a) && b === 0 && isAscii(c) && d === 0) return 'utf-16le'
  if (a === 0 && isAscii(b) && c === 0 && isAscii(d)) return 'utf-16be'
  return null
}

/** Converts UTF-16 to UTF-8; other bytes stay as they are. */
export function utf8Bytes(bytes: Piece): Piece {
  const encoding = utf16Of(bytes)
  return encoding === null ? bytes : new TextEncoder().encode(new TextDecoder(encoding).decode(bytes))
}

/** Converts a stream of UTF-16 to UTF-8, piece by piece; other streams stay as they are. */
export const utf8Stream = (stream: ReadableStream<Piece>): ReadableStream<Piece> => streamOfPieces(decoded(stream))

async function* decoded(stream: ReadableStream<Piece>): AsyncGenerator<Piece> {
  const reader = stream.getReader()
  const encoder = new TextEncoder()
  let decoder: TextDecoder | null = null
  let head: Piece | null = new Uint8Array(0)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      let piece: Piece = value ?? new Uint8Array(0)
      if (head !== null) {
        piece = head.length === 0 ? piece : concatBytes([head, piece])
        // Four bytes decide; a shorter text is decided at its end.
        head = piece.length < 4 && !done ? piece : null
        if (head !== null) continue
        const encoding = utf16Of(piece)
        decoder = encoding === null ? null : new TextDecoder(encoding)
      }
      const out: Piece = decoder === null ? piece : encoder.encode(decoder.decode(piece, { stream: !done }))
      if (out.length > 0) yield out
      if (done) return
    }
  } finally {
    // Everything was read, or no more is needed: an error while cancelling does not matter.
    reader.cancel().catch(() => undefined)
  }
}
