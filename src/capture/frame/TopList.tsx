import { useTimes } from '../client/times.ts'
import { useView } from '../client/view.ts'
import type { ReactNode } from 'react'
import type { Ticks, TickSpan } from '../../base/ticks.ts'
import { formatDuration } from '../../base/text/format.ts'
import list from '../../ui/side-list.module.css'
import { useHeld } from '../../ui/hooks/useHeld.ts'
import { cx } from '../../ui/theme/cx.ts'
import type { ListColumn } from '../exporting/list-text.ts'
import { ListExport } from '../exporting/ListExport.tsx'

/**
 * List of the largest rows in view as `TopItem`s, largest first; N and P step through them. Of live rows, those that are
 * shown stay while the mouse or the keyboard is on them.
 */
export function TopList<Row extends { readonly startTicks: Ticks }>({
  title,
  what,
  label,
  columns,
  rows,
  shown = rows.length,
  empty,
  className,
  itemsClass = list.items,
  stale = false,
  keysOf,
  renderItem,
  children,
}: {
  readonly title: string
  /** Part of the exported file's name. */
  readonly what: string
  /** Name of the export button. */
  readonly label: string
  readonly columns: readonly ListColumn<Row>[]
  readonly rows: readonly Row[]
  /** Number of rendered rows; all are exported. */
  readonly shown?: number
  readonly empty: string
  readonly className?: string | undefined
  readonly itemsClass?: string | undefined
  /** Whether the rows temporarily belong to another range than the picture. */
  readonly stale?: boolean
  readonly keysOf: (rows: readonly Row[]) => (row: Row) => string
  readonly renderItem: (row: Row) => ReactNode
  /** Content below the list. */
  readonly children?: ReactNode
}): ReactNode {
  const { value, isHeld, handlers } = useHeld(rows, useView().view.range === null)
  const keyOf = keysOf(value)
  return (
    <section
      className={cx('raised', 'column', list.list, className, stale && 'stale')}
      aria-busy={stale}
      aria-label={title}
    >
      <div className={cx('row tight', list.heading)}>
        <h2>{title}</h2>
        <span className={list.keys}>
          {isHeld ? (
            'held for a click'
          ) : (
            <>
              <kbd>n</kbd> next, <kbd>p</kbd> previous
            </>
          )}
        </span>
        <ListExport label={label} what={what} of="" at={rows[0]?.startTicks ?? null} columns={columns} rows={rows} />
      </div>
      {value.length === 0 ? <p className={cx('note', list.note)}>{empty}</p> : null}
      <ol className={itemsClass} {...handlers}>
        {value.slice(0, shown).map((row) => (
          <li key={keyOf(row)}>{renderItem(row)}</li>
        ))}
      </ol>
      {children}
    </section>
  )
}

/** Row of an event or batch: a click pins it and scrolls it into view. */
export function TopItem({
  row: { startTicks, durationTicks },
  kind,
  lane,
  swatch,
  title,
  current,
  onSelect,
}: {
  readonly row: { readonly startTicks: Ticks; readonly durationTicks: TickSpan }
  /** For users who cannot see the swatch. */
  readonly kind: string
  readonly lane: string
  readonly swatch: ReactNode
  readonly title: string
  readonly current: boolean
  readonly onSelect: () => void
}): ReactNode {
  const time = useTimes()
  return (
    <button
      type="button"
      className={cx('bare', list.item, current && list.current)}
      aria-current={current ? 'true' : undefined}
      onClick={onSelect}
      title={title}
    >
      {swatch}
      <span className={list.duration}>
        <span className="spoken">{kind} </span>
        {formatDuration(durationTicks)}
      </span>
      <bdi className="cut">{lane}</bdi>
      <span className={list.time}>{time(startTicks, 3)}</span>
    </button>
  )
}
