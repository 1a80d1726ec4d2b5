import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { useActive } from '../hooks/useActive.ts'
import { cx } from '../theme/cx.ts'
import styles from './FindList.module.css'
import { focusedOnOpening } from './focused-on-opening.ts'

export interface FoundItem {
  readonly id: string
  readonly text: string
  /** Why the item cannot be chosen now; null: it can. */
  readonly refusal: string | null
}

interface FindListProps<Item extends FoundItem> {
  /** Accessible name and placeholder of the field. */
  readonly label: string
  readonly query: string
  readonly onQuery: (query: string) => void
  /** Items that match the text, best first. */
  readonly items: readonly Item[]
  /** Content at the end of an item’s row. */
  readonly renderNote: (item: Item) => ReactNode
  readonly onChoose: (item: Item) => void
  /** Status text below the list. */
  readonly status: string
}

/**
 * Field with a list of matching items (ARIA combobox): arrows move, Enter or a click chooses. While no item is active,
 * since the one that was has been removed, Enter makes the first one active.
 */
export function FindList<Item extends FoundItem>(props: FindListProps<Item>): ReactNode {
  const { label, query, onQuery, items, renderNote, onChoose, status } = props
  const listId = useId()
  const { at, move, reset } = useActive(items)
  const choose = (item: Item | undefined): void => {
    if (item !== undefined && item.refusal === null) onChoose(item)
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && items[at] === undefined) move(1)
    else if (event.key === 'Enter') choose(items[at])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={focusedOnOpening}
        className={styles.input}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={items[at] === undefined ? undefined : `${listId}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        value={query}
        onChange={(event) => {
          onQuery(event.target.value)
          reset()
        }}
        onKeyDown={pressed}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label="Found">
        {items.map((item, i) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox takes the keys
          <div
            key={item.id}
            id={`${listId}-${i}`}
            ref={i === at ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
            className={cx('line', styles.item, i === at && styles.active)}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            aria-disabled={item.refusal !== null}
            title={item.refusal ?? undefined}
            onClick={() => choose(item)}
          >
            <bdi>{item.text}</bdi>
            <span className={cx('note', styles.kind)}>{renderNote(item)}</span>
          </div>
        ))}
      </div>
      <p role="status" className={cx('note', styles.status)}>
        {status}
      </p>
    </>
  )
}
