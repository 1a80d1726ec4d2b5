const MOST_BYTES = 60

const decoder = new TextDecoder()

/** Beginning of a value's JSON, to name it in a message. */
export const shortText = (value: Uint8Array): string =>
  `${decoder.decode(value.subarray(0, MOST_BYTES)).trim()}${value.length > MOST_BYTES ? ' …' : ''}`
