import { Bound, packedPieces, type Piece, type UnpackOptions } from './packed.ts'
import { Refusal } from './refusal.ts'

type Bytes = ReadableStream<Piece>

/** Unpacks raw deflate, as in a zip. Errors of the stream: `Refusal` beyond the limits, else the browser's. */
export const inflated = (packed: Blob, options: UnpackOptions): Bytes => {
  const bound = new Bound(options)
  return streamOfPieces(unpack(packed, 'deflate-raw', bound))
}

/**
 * Unpacks a gzip of one or several members (`cat a.gz b.gz`, bgzip); ignores data after the last one. The browser's
 * unpacker is faster, but stops at the end of the first member and may lose its last bytes; from there on a library
 * continues. Errors of the stream: `Refusal` beyond the limits and for a wrong checksum.
 */
export const gunzipped = (packed: Blob, options: UnpackOptions, first: typeof unpack = unpack): Bytes =>
  streamOfPieces(gunzip(packed, new Bound(options), first))

async function* gunzip(packed: Blob, bound: Bound, first: typeof unpack): AsyncGenerator<Piece> {
  let given = 0
  try {
    for await (const piece of first(packed, 'gzip', bound)) {
      given += piece.length
      yield piece
    }
    return
  } catch (error) {
    if (error instanceof Refusal) throw error
    let more = 0
    try {
      const { gunzipMembers } = await import('./gunzip-members.ts')
      for await (const piece of gunzipMembers(packed, bound.restarted())) {
        const from = Math.min(piece.length, Math.max(0, given - more))
        more += piece.length
        if (from < piece.length) yield piece.subarray(from)
      }
    } catch (second) {
      throw second instanceof Refusal ? second : error
    }
    if (more < given) throw error
  }
}

/** Unpacks with the browser's unpacker, a little at a time. */
async function* unpack(packed: Blob, format: CompressionFormat, bound: Bound): AsyncGenerator<Piece> {
  const pieces = streamOfPieces(packedPieces(packed, bound))
  const reader = pieces.pipeThrough(new DecompressionStream(format)).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      bound.out(value.length)
      yield value
    }
  } finally {
    // The stream has ended, failed or is not needed any more: an error while cancelling does not matter.
    reader.cancel().catch(() => undefined)
  }
}

/** Stream that makes a piece only when it is pulled. */
export function streamOfPieces(pieces: AsyncGenerator<Piece>): Bytes {
  return new ReadableStream<Piece>(
    {
      pull: async (controller) => {
        const next = await pieces.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: async () => {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
