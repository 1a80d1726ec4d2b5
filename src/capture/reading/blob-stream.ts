/** Bytes taken at once: large enough that asking costs nothing, small enough to be decoded between two frames of others. */
const PIECE_BYTES = 1 << 20

/** A blob as a stream that reads one piece ahead, so that the disk works while we decode. */
export function blobStream(blob: Blob): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  const fetchNext = (): Promise<ArrayBuffer> | null => {
    if (at >= blob.size) return null
    const piece = blob.slice(at, at + PIECE_BYTES).arrayBuffer()
    at += PIECE_BYTES
    // A failure is told by whoever awaits it; until then it must not count as unhandled.
    piece.catch(() => undefined)
    return piece
  }
  let ahead: Promise<ArrayBuffer> | null = null
  return new ReadableStream({
    pull: async (controller) => {
      const piece = ahead ?? fetchNext()
      ahead = fetchNext()
      if (piece === null) controller.close()
      else controller.enqueue(new Uint8Array(await piece))
    },
  })
}

/** Counts what passes. */
export const counted = (
  count: (bytes: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> =>
  new TransformStream({
    transform: (piece, controller) => {
      count(piece.length)
      controller.enqueue(piece)
    },
  })
