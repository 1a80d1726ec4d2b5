/** Writes names, which may contain any character, as one field value. */
export const nameList = (names: readonly string[]): string => (names.length === 0 ? '' : JSON.stringify(names))

/** Reads a `nameList`; another text, as an older version stored it, has no names. */
export function namesIn(value: string | undefined): readonly string[] {
  try {
    const names: unknown = JSON.parse(value ?? '')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
