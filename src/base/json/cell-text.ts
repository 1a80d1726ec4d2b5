import { plainText } from './exact.ts'

/** Maximum length of a cell's text; the row has the whole text. */
const MOST_UNITS = 300

/** Text of a string without its quotes; other values, and a string that is not valid JSON, as written. */
export function writtenText(value: string): string {
  try {
    return plainText(value)
  } catch {
    return value
  }
}

/** Text of a cell: a string without its quotes, any other value as the server wrote it. */
export function cellText(value: string | undefined): string {
  if (value === undefined) return ''
  const text = value.length > 4 * MOST_UNITS ? value.slice(0, 4 * MOST_UNITS) : value
  if (text.length < value.length) return `${text.slice(0, MOST_UNITS)}…`
  const plain = writtenText(text)
  return plain.length > MOST_UNITS ? `${plain.slice(0, MOST_UNITS)}…` : plain
}
