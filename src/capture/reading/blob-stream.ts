import { Refusal } from './refusal.ts'

/** Stream of a blob's bytes: the browser's own fills our buffers (`ByteReader`) twice as fast as slices. */
export const blobStream = (blob: Blob): ReadableStream<Uint8Array<ArrayBuffer>> => blob.stream()

/**
 * All bytes of a stream, or those before it failed. Throws if it failed before the first byte, and always for a
 * `Refusal`, since beyond a limit nothing is kept.
 */
export async function readablePart(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value)
  } catch (error) {
    if (pieces.length === 0 || error instanceof Refusal) throw error
  }
  return new Blob(pieces)
}
