const KINDS = ['Panel', 'Database', 'Index', 'Query', 'Operation', 'Notification', 'Action'] as const

/** What the palette finds: a place to go to, or an action on something. */
export interface PaletteItem {
  readonly id: string
  readonly kind: (typeof KINDS)[number]
  readonly text: string
  /** Why it cannot be chosen now; null: it can. */
  readonly refusal: string | null
  readonly run: () => void
}

/**
 * Items that contain every word of the query, whatever the case: those that begin with it first, then by kind, then in
 * their order. Actions only where something is typed: there is one for each index.
 */
export function matching(items: readonly PaletteItem[], query: string, most: number): readonly PaletteItem[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = items.filter(({ text, kind }) => {
    if (words.length === 0) return kind !== 'Action'
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  })
  const first = words[0] ?? ''
  const rank = ({ text, kind }: PaletteItem): number =>
    (text.toLowerCase().startsWith(first) ? 0 : KINDS.length) + KINDS.indexOf(kind)
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, most)
}
