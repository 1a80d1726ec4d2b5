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
 * choose an item that moved into its place. If an item that the user moved to is removed, none is active until the next
 * move; the item that was active by being first is replaced by the one that is first now, since a list that is still
 * filling drops and moves its items before anyone has chosen one.
 */
export function useActive(shown: readonly { readonly id: string }[]): Active {
  const [{ id, isMovedTo }, set] = useState<{ readonly id: string | null; readonly isMovedTo: boolean }>(NONE)
  const first = shown[0]?.id
  const isThere = id !== null && shown.some((item) => item.id === id)
  const isReplaced = !isThere && !isMovedTo && first !== undefined
  if (isReplaced) set({ id: first, isMovedTo: false })
  const active = isReplaced ? first : id
  const at = shown.findIndex((item) => item.id === active)
  return {
    at,
    move: (steps) => {
      const to = at < 0 ? (steps > 0 ? 0 : shown.length - 1) : (at + steps + shown.length) % Math.max(1, shown.length)
      const next = shown[to]?.id
      set(next === undefined ? NONE : { id: next, isMovedTo: true })
    },
    reset: () => set(NONE),
  }
}

const NONE = { id: null, isMovedTo: false }
