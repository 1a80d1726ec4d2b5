/** A blob's bytes. The browser's own stream fills buffers of ours (`ByteReader`) twice as fast as slices can be had. */
export const blobStream = (blob: Blob): ReadableStream<Uint8Array<ArrayBuffer>> => blob.stream()
