import { useState } from 'react'

interface Active {
  /** Index of the item that Enter would run; −1: none. */
  readonly at: number
  readonly move: (steps: 1 | -1) => void
  /** Another text is typed: the first is active again. */
  readonly reset: () => void
}

/**
 * The active item stays the active one while items come and go around it: the list is renewed while a user reads it, and
 * Enter must not run what moved into its place. Where it is gone itself, nothing is active.
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
