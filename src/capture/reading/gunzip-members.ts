import { Gunzip } from 'fflate'
import { concatBytes } from '../../base/concat-bytes.ts'
import { crc32 } from './crc32.ts'
import { packedPieces, type Bound } from './packed.ts'
import { Refusal } from './refusal.ts'

/** Length of a member's trailer: CRC-32 and length of its content. */
const TRAILER_BYTES = 8

/**
 * Content of all members of a gzip, in order; ignores other data after the last one. Errors: `Refusal` if a member's
 * checksum or length does not match; the library's error for another format or a truncated one.
 */
export async function* gunzipMembers(packed: Blob, bound: Bound): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let out: Uint8Array<ArrayBuffer>[] = []
  let crc = 0
  let length = 0
  let members = 0
  let unpackedBytes = 0
  /** The newest compressed bytes, enough for the trailer of a member that ends within them; they begin at `tailAt`. */
  let tail: Uint8Array = new Uint8Array(0)
  let tailAt = 0
  /** Whether the trailer that ends at this byte of the file matches the output. */
  const matches = (endAt: number): boolean => {
    const from = endAt - TRAILER_BYTES - tailAt
    if (from < 0 || from + TRAILER_BYTES > tail.length) return false
    const trailer = new DataView(tail.buffer, tail.byteOffset + from, TRAILER_BYTES)
    return trailer.getUint32(0, true) === crc && trailer.getUint32(4, true) === length
  }
  const check = (...endsAt: number[]): void => {
    members++
    if (!endsAt.some(matches))
      throw new Refusal(`Part ${members} of the gzip does not match its checksum: the file is broken.`)
    crc = 0
    length = 0
  }
  const gunzip = new Gunzip((piece) => {
    bound.out(piece.length)
    crc = crc32(piece, crc)
    length = (length + piece.length) % 2 ** 32
    unpackedBytes += piece.length
    out.push(piece)
  })
  gunzip.onmember = (offset) => check(offset)
  try {
    for await (const piece of packedPieces(packed, bound)) {
      const kept = tail.subarray(Math.max(0, tail.length - TRAILER_BYTES))
      tailAt += tail.length - kept.length
      tail = concatBytes([kept, piece])
      gunzip.push(piece, false)
      yield* out
      out = []
    }
    gunzip.push(new Uint8Array(0), true)
    yield* out
    const endAt = tailAt + tail.length
    // Up to three bytes of padding cannot be distinguished from the start of another member.
    check(endAt, endAt - 1, endAt - 2, endAt - 3)
  } catch (error) {
    // The bytes after a complete member are not another one: padding, a signature. All output before them is valid.
    if (unpackedBytes === 0 || !isPadding(error)) throw error
    yield* out
  }
}

/** fflate's error code for a member without a valid header. */
const isPadding = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 6
