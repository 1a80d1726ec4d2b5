import type { FoundItem } from '../../ui/controls/FindList.tsx'

const KINDS = ['Panel', 'View', 'Database', 'Index', 'Query', 'Operation', 'Notification', 'Action'] as const

/** A place to open, or an action on a target. */
export interface PaletteItem extends FoundItem {
  readonly kind: (typeof KINDS)[number]
  /** Further words by which it is found; absent: none. */
  readonly words?: string
  readonly run: () => void
}

/**
 * Items that contain every word of the query; ignores case. Sorted by whether their text begins with the query, then by
 * whether it begins with its first word, then by whether it contains all words, then by kind, then in their own order.
 * Actions appear only for a query, since there is one for each index.
 */
export function matching(items: readonly PaletteItem[], query: string, most: number): readonly PaletteItem[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const found = items.filter(({ text, words: more = '', kind }) =>
    words.length === 0 ? kind !== 'Action' : has(`${text} ${more}`),
  )
  const first = words[0] ?? ''
  const whole = words.join(' ')
  const groupOf = (text: string): number => {
    const lower = text.toLowerCase()
    return lower.startsWith(whole) ? 0 : has(text) ? (lower.startsWith(first) ? 1 : 2) : 3
  }
  const rank = ({ text, kind }: PaletteItem): number => groupOf(text) * KINDS.length + KINDS.indexOf(kind)
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, most)
}
