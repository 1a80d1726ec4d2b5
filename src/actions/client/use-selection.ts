import { useState } from 'react'
import { toggled } from '../../capture/client/param-text.ts'

export interface Selection<Item> {
  /** Selected items that still exist, in the order of the list. */
  readonly chosen: readonly Item[]
  readonly isChosen: (item: Item) => boolean
  readonly toggle: (item: Item) => void
}

/** Selection in a list that changes, for `SelectionMenu`. */
export function useSelection<Item>(items: readonly Item[], keyOf: (item: Item) => string): Selection<Item> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return {
    chosen: items.filter((item) => keys.has(keyOf(item))),
    isChosen: (item) => keys.has(keyOf(item)),
    toggle: (item) => setKeys((old) => toggled(old, keyOf(item))),
  }
}
