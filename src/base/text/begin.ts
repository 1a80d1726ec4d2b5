/** First UTF-16 units of a text, at most `units`, without half a surrogate pair at the end. */
export function beginOf(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units)
}

/** First line of a text; if it is longer than `units`, it is cut and ends with `…`. */
export function firstLineOf(text: string, units: number): string {
  const end = text.indexOf('\n')
  const line = beginOf(end < 0 ? text : text.slice(0, Math.min(end, units + 1)), units)
  return line.length < (end < 0 ? text.length : end) ? `${line}…` : line
}
