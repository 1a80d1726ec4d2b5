import { formatCount } from './format.ts'

/** At most so many are named. */
const MOST = 3

/** `a, b and c`, or `a, b, c and 4 more`. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${formatCount(more)} more`
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`
}
