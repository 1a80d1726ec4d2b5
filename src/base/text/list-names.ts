import { formatCount } from './format.ts'

/** `a, b and c`, or `a, b, c and 4 more`: names at most `most`. */
export function listNames(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${formatCount(more)} more`
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`
}
