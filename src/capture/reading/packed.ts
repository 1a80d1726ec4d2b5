import { LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'

export type Piece = Uint8Array<ArrayBuffer>

/** Maximum compressed bytes passed to an unpacker at once: it unpacks up to 1,032 times as many. */
const PACKED_PIECE_BYTES = 32 << 10

export interface UnpackOptions {
  /** Name for messages. */
  readonly name: string
  /** Maximum number of unpacked bytes; null: not known. */
  readonly mostBytes: number | null
  /** Called with the number of compressed bytes read. */
  readonly onPacked?: (bytes: number) => void
}

/** Bytes of a blob in small pieces, counted as input. */
export async function* packedPieces(packed: Blob, bound: Bound): AsyncGenerator<Piece> {
  const reader = packed.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (let at = 0; at < value.length; at += PACKED_PIECE_BYTES) {
        const piece = value.subarray(at, at + PACKED_PIECE_BYTES)
        bound.in(piece.length)
        yield piece
      }
    }
  } finally {
    // Everything was read, or no more is needed: an error while cancelling does not matter.
    reader.cancel().catch(() => undefined)
  }
}

/** Stops an entry that unpacks to more than declared, or to more than any regular compression allows. */
export class Bound {
  readonly #options: UnpackOptions
  #in = 0
  #out = 0

  constructor(options: UnpackOptions) {
    this.#options = options
  }

  in(bytes: number): void {
    this.#in += bytes
    this.#options.onPacked?.(bytes)
  }

  /** Counts output bytes. Errors: `Refusal`. */
  out(bytes: number): void {
    this.#out += bytes
    const { name, mostBytes } = this.#options
    const said = this.#out.toLocaleString('en-US')
    if (mostBytes !== null && this.#out > mostBytes)
      throw new Refusal(
        `${name} should hold ${mostBytes.toLocaleString('en-US')} bytes, but more come out: the file is broken.`,
      )
    if (this.#out > LIMITS.ratioFreeBytes && this.#out > this.#in * LIMITS.inflateRatio)
      throw new Refusal(
        `${name} was given up after ${said} bytes: it unpacks to more than ${LIMITS.inflateRatio} times its size.`,
      )
    if (this.#out > LIMITS.entryBytes)
      throw new Refusal(`${name} was given up after ${said} bytes: it is larger than anything that is read.`)
  }

  /** A new bound for a second pass over the same bytes, which are not counted again. */
  restarted(): Bound {
    const { name, mostBytes } = this.#options
    return new Bound({ name, mostBytes })
  }
}
