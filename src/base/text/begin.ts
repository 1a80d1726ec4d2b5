/** The first so many UTF-16 units of a text, and no half of a character. */
export function beginOf(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units)
}

/** The first line of a text, cut where it is longer; `…` says so. */
export function firstLineOf(text: string, units: number): string {
  const end = text.indexOf('\n')
  const line = beginOf(end < 0 ? text : text.slice(0, Math.min(end, units + 1)), units)
  return line.length < (end < 0 ? text.length : end) ? `${line}…` : line
}
