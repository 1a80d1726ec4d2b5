/**
 * Index of the menu item that a key moves the focus to (ARIA menu): arrows wrap around, Home and End go to the ends, a
 * character goes to the next item that begins with it. `at`: −1 if no item has the focus. Null: the key is not handled.
 */
export function itemAfter(texts: readonly string[], at: number, key: string): number | null {
  const { length } = texts
  if (length === 0) return null
  if (key === 'ArrowDown') return (at + 1) % length
  if (key === 'ArrowUp') return at <= 0 ? length - 1 : at - 1
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  // Space chooses the item and does not search.
  if (!/^[^\s\p{Cc}]$/u.test(key)) return null
  const start = key.toLowerCase()
  const inTurn = texts.map((_, i) => (at + 1 + i) % length)
  return inTurn.find((i) => texts[i]?.trimStart().toLowerCase().startsWith(start)) ?? null
}
