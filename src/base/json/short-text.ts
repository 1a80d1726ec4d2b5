const MOST_BYTES = 60

const decoder = new TextDecoder()

/** Beginning of a value's JSON, to name it in a message. */
export function shortText(value: Uint8Array): string {
  const text = decoder.decode(value.subarray(0, MOST_BYTES)).trim()
  // A character that was cut is not shown.
  return value.length > MOST_BYTES ? `${text.replace(/\uFFFD+$/, '')} …` : text
}
