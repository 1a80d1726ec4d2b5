import { useState, type ReactNode } from 'react'
import { formatCount, formatDuration, formatTime, type Clock } from '../../../../base/text/format.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { formatBatchRef, sameBatch } from '../../data/batch-ref.ts'
import { BATCH_COLUMNS } from '../lists.ts'
import type { BatchRef, BatchRow } from '../../contract/batches.ts'
import hidden from '../../../../ui/hidden.module.css'
import list from '../../../../ui/side-list.module.css'
import { STATE_LOOKS } from '../states.ts'
import { StateSwatch } from '../StateSwatch.tsx'
import { indexName, reasonText } from '../words.ts'

const ITEMS_SHOWN = 20

/** The longest batches in view; a click pins one and brings it into sight. */
export function LargestList({
  batches,
  stale,
  selected,
  clock,
  manySources,
  onSelect,
}: {
  readonly batches: readonly BatchRow[]
  /** They are of another range than the picture, for the moment. */
  readonly stale: boolean
  readonly selected: BatchRef | null
  readonly clock: Clock
  readonly manySources: boolean
  readonly onSelect: (batch: BatchRow) => void
}): ReactNode {
  const [isWhole, setIsWhole] = useState(false)
  // The pinned one is among them, also after N and P.
  const shown = isWhole
    ? batches.length
    : Math.max(ITEMS_SHOWN, batches.findIndex((batch) => sameBatch(batch, selected)) + 1)
  return (
    <section className={cx(list.list, list.short, stale && list.stale)} aria-busy={stale} aria-label="Largest in view">
      <div className={list.heading}>
        <h2>Largest in view</h2>
        <span className={list.keys}>
          <kbd>n</kbd> next, <kbd>p</kbd> previous
        </span>
        <ListExport
          label="largest batches"
          what="index-largest"
          of=""
          at={batches[0]?.startTicks ?? null}
          columns={BATCH_COLUMNS}
          rows={batches}
        />
      </div>
      {batches.length === 0 ? <p className={list.note}>No completed batch in view.</p> : null}
      <ol className={list.items}>
        {batches.slice(0, shown).map((batch) => (
          <li key={formatBatchRef(batch)}>
            <button
              type="button"
              className={cx(list.item, sameBatch(batch, selected) && list.current)}
              aria-current={sameBatch(batch, selected) ? 'true' : undefined}
              onClick={() => onSelect(batch)}
              title={reasonText(batch.reason)}
            >
              <StateSwatch state={batch.state} />
              <span className={list.duration}>
                <span className={hidden.visuallyHidden}>{STATE_LOOKS[batch.state].title} </span>
                {formatDuration(batch.durationTicks)}
              </span>
              <bdi className={list.lane}>{indexName(batch, manySources)}</bdi>
              <span className={list.time}>{formatTime(batch.startTicks, clock, 3)}</span>
            </button>
          </li>
        ))}
      </ol>
      {batches.length <= ITEMS_SHOWN ? null : (
        <p className={list.note}>
          <Button small aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? `First ${ITEMS_SHOWN}` : `Show all ${formatCount(batches.length)}`}
          </Button>
        </p>
      )}
    </section>
  )
}
