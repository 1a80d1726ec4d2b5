import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatShare,
  type Clock,
} from '../../../../base/text/format.ts'
import { FactLines, type FactLine } from '../../../../ui/FactLines.tsx'
import styles from '../../../../ui/card.module.css'
import { FAMILY_LOOKS } from '../families.ts'
import { FamilySwatch } from '../FamilySwatch.tsx'
import type { BatchHit, IndexingHit, OperationHit } from '../timeline/hits.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BatchCard } from '../../../../feeds/indexing/contract/batch-card.ts'
import type { BatchState } from '../../../../feeds/indexing/contract/batches.ts'
import { STATE_LOOKS } from '../states.ts'
import { StateSwatch } from '../StateSwatch.tsx'
import { cardLines } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export function BatchTitle({ name, state }: { readonly name: string; readonly state: BatchState }): ReactNode {
  return (
    <p className={cx('line', styles.title)}>
      <StateSwatch state={state} /> <bdi>{name}</bdi>
    </p>
  )
}

/** Facts from the mark itself, shown until the worker has responded. */
const markLines = (hit: BatchHit, clock: Clock): readonly FactLine[] => [
  ['Batch', `${formatCount(hit.ref.id)}, ${STATE_LOOKS[hit.state].title.toLowerCase()}`],
  ['Started', formatDateTime(hit.ref.startTicks, clock, 7)],
  ['Duration', formatDuration(hit.durationTicks)],
  ['Documents', `${formatCount(hit.documents)} in`],
]

interface HitFactsProps {
  readonly hit: IndexingHit
  readonly card: BatchCard | null
  readonly clock: Clock
  readonly palette: IndexingPalette
}

/** Facts about the object under the pointer. `card` null: no response yet, or the hit is not a batch. */
export function HitFacts({ hit, card, clock, palette }: HitFactsProps): ReactNode {
  switch (hit.type) {
    case 'batch':
      return (
        <>
          <BatchTitle name={hit.track.label} state={card?.state ?? hit.state} />
          <FactLines lines={card === null ? markLines(hit, clock) : cardLines(card, clock)} />
          {hit.count > 1 ? (
            <p className={styles.note}>
              The longest of {formatCount(hit.count)} batches that begin in this pixel, whose largest took in{' '}
              {formatBytes(hit.bytes)}; zoom in to see them.
            </p>
          ) : null}
        </>
      )
    case 'operation':
      return <OperationFacts hit={hit} palette={palette} />
  }
}

interface OperationFactsProps {
  readonly hit: OperationHit
  readonly palette: IndexingPalette
}

function OperationFacts({ hit, palette }: OperationFactsProps): ReactNode {
  const family = hit.name?.family ?? 'other'
  const shortened = Math.abs(hit.reportedTicks - hit.durationTicks) > 1
  return (
    <>
      <p className={cx('line', styles.title)}>
        <FamilySwatch family={family} palette={palette} /> <bdi>{hit.name?.name ?? 'Other'}</bdi>
      </p>
      <FactLines
        lines={[
          ['In', `batch ${formatCount(hit.ref.id)} of ${hit.track.label}`],
          ['Path', hit.path.join(' › ')],
          ['Kind', FAMILY_LOOKS[family].title],
          ['Took', formatDuration(hit.reportedTicks)],
          ['Of its parent', formatShare(hit.reportedTicks / hit.parentTicks)],
          ['Of the batch', formatShare(hit.reportedTicks / hit.batchTicks)],
        ]}
      />
      <p className={styles.note}>
        {hit.name === null
          ? 'The rest of the parent, which the server attributes to no operation.'
          : 'Durations are exact, start times are unknown: the server reports none, so operations are laid end to end.'}
        {shortened ? ' Shortened to fit: its parent was reported as shorter than its parts.' : ''}
      </p>
    </>
  )
}
