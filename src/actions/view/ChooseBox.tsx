import type { ReactNode } from 'react'
import type { Selection } from '../client/use-selection.ts'
import styles from './actions.module.css'

interface ChooseBoxProps<Item> {
  readonly selection: Selection<Item>
  readonly item: Item
  /** Name of the item: `operation 7 of “shop”`. */
  readonly what: string
}

/** Checkbox that selects an item of a list for an action on several. */
export const ChooseBox = <Item,>({ selection, item, what }: ChooseBoxProps<Item>): ReactNode => (
  <input
    className={styles.choose}
    type="checkbox"
    aria-label={`Choose ${what}`}
    checked={selection.isChosen(item)}
    onChange={() => selection.toggle(item)}
  />
)
