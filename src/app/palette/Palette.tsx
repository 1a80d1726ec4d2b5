import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { cx } from '../../ui/theme/cx.ts'
import { matching, type PaletteItem } from './match.ts'
import styles from './palette.module.css'
import { useActive } from './useActive.ts'
import { useItems } from './useItems.ts'

const MOST = 40

/** The dialog would give the focus to its first button. */
function focusedOnOpening(input: HTMLElement | null): void {
  input?.setAttribute('autofocus', '')
}

/** Panels and their views, databases, indexes, running queries and operations, notifications, and what can be done to them, by name. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [query, setQuery] = useState('')
  const listId = useId()
  const { items, missing, nothing } = useItems(query)
  const shown = matching(items, query, MOST)
  const { at, move, reset } = useActive(shown)
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined || item.refusal !== null) return
    onClose()
    item.run()
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') run(shown[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to or do" onClose={onClose}>
      <input
        ref={focusedOnOpening}
        className={styles.input}
        type="text"
        role="combobox"
        aria-label="Panel, database, index, query, operation or action"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[at] === undefined ? undefined : `${listId}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Panel, database, index, query, operation or action"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          reset()
        }}
        onKeyDown={pressed}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label="Found">
        {shown.map((item, i) => (
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
            onClick={() => run(item)}
          >
            <bdi>{item.text}</bdi>
            <span className={cx('note', styles.kind)}>{item.refusal ?? item.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className={cx('note', styles.status)}>
        {[...(shown.length === 0 ? [nothing] : []), ...(missing === null ? [] : [missing])].join(' ')}
      </p>
    </Dialog>
  )
}
