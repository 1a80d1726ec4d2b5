import { Bound, packedPieces, type Piece, type UnpackOptions } from './packed.ts'
import { Refusal } from './refusal.ts'

type Bytes = ReadableStream<Piece>

/** Raw deflate, as an entry of a zip. Errors of the stream: `Refusal` beyond the limits, else the browser's. */
export const inflated = (packed: Blob, options: UnpackOptions): Bytes => {
  const bound = new Bound(options)
  return streamOfPieces(unpack(packed, 'deflate-raw', bound))
}

/**
 * A gzip of one member or of several (`cat a.gz b.gz`, bgzip), and whatever follows its last member is left out.
 * The browser's unpacker is the faster one, but stops at the end of the first member and may drop the end of it: from
 * there on a library continues. Errors of the stream: `Refusal` beyond the limits and for a checksum that does not match.
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

/** Unpacks with the browser's own unpacker, a little at a time. */
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
    // The stream ended, broke or is not wanted any more: in each case there is nothing left to report.
    reader.cancel().catch(() => undefined)
  }
}

/** Pulled one piece at a time, so that what is not read yet is not made. */
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
