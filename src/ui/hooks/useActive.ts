import { useState } from 'react'

interface Active {
  /** Index of the item that Enter chooses; −1: none. */
  readonly at: number
  readonly move: (steps: 1 | -1) => void
  /** Makes the first item active, after the text has changed. */
  readonly reset: () => void
}

/**
 * Keeps the active item while the list changes around it: the list updates while a user reads it, and Enter must not
 * choose an item that moved into its place. If the item is removed, none is active.
 */
export function useActive(shown: readonly { readonly id: string }[]): Active {
  const [id, setId] = useState<string | null>(null)
  const first = shown[0]?.id
  if (id === null && first !== undefined) setId(first)
  const at = shown.findIndex((item) => item.id === (id ?? first))
  return {
    at,
    move: (steps) => {
      const to = at < 0 ? (steps > 0 ? 0 : shown.length - 1) : (at + steps + shown.length) % Math.max(1, shown.length)
      setId(shown[to]?.id ?? null)
    },
    reset: () => setId(null),
  }
}
