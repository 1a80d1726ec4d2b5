import { useState, type ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { TopItem, TopList } from '../../../../capture/frame/TopList.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatBatchRef, sameBatch } from '../../../../feeds/indexing/contract/batch-ref.ts'
import { BATCH_COLUMNS } from '../lists.ts'
import type { BatchRef, BatchRow } from '../../../../feeds/indexing/contract/batches.ts'
import list from '../../../../ui/side-list.module.css'
import { STATE_LOOKS } from '../states.ts'
import { StateSwatch } from '../StateSwatch.tsx'
import { indexName, reasonText } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const ITEMS_SHOWN = 20

interface LargestListProps {
  readonly batches: readonly BatchRow[]
  /** Whether the rows currently belong to another range than the picture. */
  readonly stale: boolean
  readonly selected: BatchRef | null
  readonly manySources: boolean
  readonly onSelect: (batch: BatchRow) => void
}

/** Longest batches in view; a click pins one and scrolls it into view. */
export function LargestList({ batches, stale, selected, manySources, onSelect }: LargestListProps): ReactNode {
  const [isWhole, setIsWhole] = useState(false)
  // Includes the pinned batch, also after the keys N and P.
  const shown = isWhole
    ? batches.length
    : Math.max(ITEMS_SHOWN, batches.findIndex((batch) => sameBatch(batch, selected)) + 1)
  return (
    <TopList
      title="Largest in view"
      what="index-largest"
      label="largest batches"
      columns={BATCH_COLUMNS}
      rows={batches}
      shown={shown}
      empty="No completed batch in view."
      className={list.short}
      stale={stale}
      keysOf={() => formatBatchRef}
      renderItem={(batch) => (
        <TopItem
          row={batch}
          kind={STATE_LOOKS[batch.state].title}
          lane={indexName(batch, manySources)}
          swatch={<StateSwatch state={batch.state} />}
          title={reasonText(batch.reason)}
          current={sameBatch(batch, selected)}
          onSelect={() => onSelect(batch)}
        />
      )}
    >
      {batches.length <= ITEMS_SHOWN ? null : (
        <p className={cx('note', list.note)}>
          <Button small aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? `First ${ITEMS_SHOWN}` : `Show all ${formatCount(batches.length)}`}
          </Button>
        </p>
      )}
    </TopList>
  )
}
