import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDateTime, formatDuration, type Clock } from '../../../../base/text/format.ts'
import { FactLines, type FactLine } from '../../../../ui/FactLines.tsx'
import styles from '../../../../ui/card.module.css'
import type { MarkHit, RollUpHit } from '../timeline/hits.ts'
import { KindSwatch } from '../timeline/KindSwatch.tsx'
import { kindLook } from '../timeline/kinds.ts'
import type { IoCard } from '../../../../feeds/io/contract/rows.ts'
import { cardLines, sizeLines } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export function CardTitle({ kind, children }: { readonly kind: string; readonly children?: ReactNode }): ReactNode {
  return (
    <p className={cx('line', styles.title)}>
      <KindSwatch kind={kind} /> {kindLook(kind).title}
      {children}
    </p>
  )
}

/** Facts from the mark itself, shown until the worker has responded. */
const markLines = (hit: MarkHit, clock: Clock): readonly FactLine[] => [
  ['Start', `${formatDateTime(hit.startTicks, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`],
  ['Duration', formatDuration(hit.durationTicks)],
  ...sizeLines({ kind: hit.ref.kind, sizeBytes: hit.ref.sizeBytes, durationTicks: hit.durationTicks }),
  [hit.track.lane.type === 'Index' ? 'Index' : 'Storage', hit.track.lane.label],
]

interface HitFactsProps {
  readonly hit: MarkHit | RollUpHit
  readonly card: IoCard | null
  readonly clock: Clock
}

/** Facts about the object under the pointer. `card` null: no response yet, or the hit is not an event. */
export function HitFacts({ hit, card, clock }: HitFactsProps): ReactNode {
  const span = (start: number, end: number): readonly FactLine[] => [
    ['From', formatDateTime(start as MarkHit['startTicks'], clock, 3)],
    ['To', formatDateTime(end as MarkHit['startTicks'], clock, 3)],
    ['Length', formatDuration(end - start)],
  ]
  switch (hit.type) {
    case 'mark':
      return (
        <>
          <CardTitle kind={hit.ref.kind} />
          <FactLines lines={card === null ? markLines(hit, clock) : cardLines(card, clock)} />
          {card === null ? null : (
            <p className={styles.note}>
              {card.overlapCount === 0
                ? 'No other I/O overlapped.'
                : `Overlaps ${formatCount(card.overlapCount)} ${card.overlapCount === 1 ? 'other event' : 'other events'}.`}
            </p>
          )}
          {hit.count > 1 ? (
            <p className={styles.note}>
              The slowest of {formatCount(hit.count)} events that begin in this pixel; zoom in to see them.
            </p>
          ) : null}
        </>
      )
    case 'rollup':
      return (
        <>
          <CardTitle kind={hit.track.ref.kind}>: roll-up of older events</CardTitle>
          <FactLines
            lines={[
              ...span(hit.startTicks, hit.endTicks),
              ['Shortest', formatDuration(hit.minTicks)],
              ['Longest', formatDuration(hit.maxTicks)],
              ['Busy time', formatDuration(hit.busyTicks)],
              [hit.track.ref.kind === 'DataSync' ? 'Covers' : 'Size', formatBytes(hit.sizeBytes)],
            ]}
          />
          {hit.count > 1 ? (
            <p className={styles.note}>{formatCount(hit.count)} roll-ups in these pixels; zoom in to see them.</p>
          ) : null}
          <p className={styles.note}>
            The server keeps at most 256 single events of a kind and file and rolls up older ones. It does not report
            how many; a full roll-up is 257.
          </p>
        </>
      )
  }
}
