import type { FoundItem } from '../../ui/controls/FindList.tsx'

const KINDS = ['Panel', 'View', 'Database', 'Index', 'Query', 'Operation', 'Notification', 'Action'] as const

/** A place to go to, or an action on something. */
export interface PaletteItem extends FoundItem {
  readonly kind: (typeof KINDS)[number]
  /** Words that it is found by besides its text; absent: none. */
  readonly words?: string
  readonly run: () => void
}

/**
 * Items that contain every word of the query, whatever the case: those that begin with it first, then those whose text has
 * all of it, then by kind, then in their order. Actions only where something is typed: there is one for each index.
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
  const groupOf = (text: string): number => (text.toLowerCase().startsWith(first) ? 0 : has(text) ? 1 : 2)
  const rank = ({ text, kind }: PaletteItem): number => groupOf(text) * KINDS.length + KINDS.indexOf(kind)
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, most)
}
