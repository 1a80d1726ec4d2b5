/** Names as one value of a field: they may have any character. */
export const nameList = (names: readonly string[]): string => (names.length === 0 ? '' : JSON.stringify(names))

/** Names in a text of `nameList`; other text, as stored by an older version, names nothing. */
export function namesIn(value: string | undefined): readonly string[] {
  try {
    const names: unknown = JSON.parse(value ?? '')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
