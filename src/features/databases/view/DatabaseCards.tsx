import { lazy, Suspense, useState, type ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { DatabaseCell } from './DatabaseCell.tsx'
import type { ListedDatabase } from '../data/facts.ts'
import styles from './cards.module.css'
import { cx } from '../../../ui/theme/cx.ts'

/** Columns of the table that a card shows below name and state. */
const FIGURES: readonly { readonly id: string; readonly title: string }[] = [
  { id: 'documents', title: 'Documents' },
  { id: 'size', title: 'On disk' },
  { id: 'indexes', title: 'Indexes' },
  { id: 'stale', title: 'Stale' },
  { id: 'errors', title: 'Errors' },
  { id: 'alerts', title: 'Alerts' },
  { id: 'hints', title: 'Hints' },
]

const DatabaseActions = lazy(() =>
  import('./DatabaseActions.tsx').then((module) => ({ default: module.DatabaseActions })),
)

/** Number of cards added at a time, since every card is in the document. */
const CARDS_MORE = 50

interface DatabaseCardsProps {
  /** Filtered and sorted. */
  readonly rows: readonly ListedDatabase[]
  readonly onOpen: (row: ListedDatabase) => void
  readonly onDetails: (name: string) => void
}

/** Cards in place of the table where it has no room; a card opens its database, as a row does. */
export function DatabaseCards({ rows, onOpen, onDetails }: DatabaseCardsProps): ReactNode {
  const [count, setCount] = useState(CARDS_MORE)
  return (
    <>
      <ul className={cx('stack', styles.cards)} aria-label="Databases">
        {rows.slice(0, count).map((row) => (
          <li key={row.name}>
            <button type="button" className={cx('bare', 'stack', styles.card)} onClick={() => onOpen(row)}>
              <span className={cx('row', styles.head)}>
                <DatabaseCell row={row} columnId="name" />
                <DatabaseCell row={row} columnId="state" />
              </span>
              <span className={cx('stack', styles.figures)}>
                {FIGURES.map(({ id, title }) => (
                  <span key={id} className={styles.figure}>
                    <span className="note">{title} </span>
                    <DatabaseCell row={row} columnId={id} />
                  </span>
                ))}
              </span>
            </button>
            <div className={cx('line', styles.ways)}>
              <Button small aria-label={`Details of ${row.name}`} onClick={() => onDetails(row.name)}>
                Details
              </Button>
              <Suspense fallback={null}>
                <DatabaseActions row={row} />
              </Suspense>
            </div>
          </li>
        ))}
      </ul>
      {rows.length <= count ? null : (
        <Button onClick={() => setCount(count + CARDS_MORE)}>
          Show {formatCount(Math.min(CARDS_MORE, rows.length - count))} more of {formatCount(rows.length - count)}
        </Button>
      )}
    </>
  )
}
