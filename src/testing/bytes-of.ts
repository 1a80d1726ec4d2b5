/** A document as it comes. */
export const bytesOf = (document: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(document))
