/** A blob's bytes. The browser's own stream fills buffers of ours (`ByteReader`) twice as fast as slices can be had. */
export const blobStream = (blob: Blob): ReadableStream<Uint8Array<ArrayBuffer>> => blob.stream()

/** Bytes that are at hand. */
export const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes)
      controller.close()
    },
  })

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
