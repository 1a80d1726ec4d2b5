import type { ReactNode } from 'react'
import {
  formatBytes,
  formatByteRate,
  formatCount,
  formatDateTime,
  formatDuration,
  type Clock,
} from '../../base/format.ts'
import { GAP_WORDS } from '../../capture/gap-words.ts'
import { FactLines, type FactLine } from '../../ui/FactLines.tsx'
import styles from './card.module.css'
import type { IoHit, MarkHit } from './hits.ts'
import { KindSwatch } from './KindSwatch.tsx'
import { kindLook } from './kinds.ts'
import type { IoCard } from './queries.ts'
import { cardLines, speedOf } from './words.ts'

export function CardTitle({ kind, children }: { readonly kind: string; readonly children?: ReactNode }): ReactNode {
  return (
    <p className={styles.title}>
      <KindSwatch kind={kind} /> {kindLook(kind).title}
      {children}
    </p>
  )
}

/** What the mark itself knows, until the capture has told the rest. */
const markLines = (hit: MarkHit, clock: Clock): readonly FactLine[] => [
  ['Start', `${formatDateTime(hit.startTicks, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`],
  ['Duration', formatDuration(hit.durationTicks)],
  ['Size', `${formatBytes(hit.ref.sizeBytes)} (${formatCount(hit.ref.sizeBytes)} B)`],
  ['Speed', formatByteRate(speedOf({ sizeBytes: hit.ref.sizeBytes, durationTicks: hit.durationTicks }))],
  [hit.track.lane.type === 'Index' ? 'Index' : 'Storage', hit.track.lane.label],
]

/** Facts of whatever is under the pointer. `card` null: the capture has not answered yet, or the hit is no event. */
export function HitFacts({
  hit,
  card,
  clock,
}: {
  readonly hit: IoHit
  readonly card: IoCard | null
  readonly clock: Clock
}): ReactNode {
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
                ? 'Nothing else ran at the same time.'
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
          <CardTitle kind={hit.track.ref.kind}>, summed up by the server</CardTitle>
          <FactLines
            lines={[
              ...span(hit.startTicks, hit.endTicks),
              ['Shortest', formatDuration(hit.minTicks)],
              ['Longest', formatDuration(hit.maxTicks)],
              ['All together', `${formatDuration(hit.busyTicks)} of work`],
              ['Size', formatBytes(hit.sizeBytes)],
            ]}
          />
          <p className={styles.note}>
            The server keeps at most 256 single events a file and folds older ones. It does not tell how many; a full
            fold is 257.
          </p>
        </>
      )
    case 'gap':
      return (
        <>
          <p className={styles.title}>Nothing is known: {GAP_WORDS[hit.gap.reason]}</p>
          <FactLines
            lines={[
              ...span(hit.gap.startTicks, hit.gap.endTicks),
              [
                'Missing',
                hit.gap.missingCount === null ? 'not known how much' : `${formatCount(hit.gap.missingCount)} events`,
              ],
              ...(hit.gap.missingBytes === null ? [] : [['Missing size', formatBytes(hit.gap.missingBytes)] as const]),
            ]}
          />
          {hit.gap.detail === '' ? null : <p className={styles.note}>{hit.gap.detail}</p>}
        </>
      )
    case 'fold':
      return (
        <>
          <p className={styles.title}>{hit.isMissing ? 'Not known, folded' : 'Idle, folded'}</p>
          <FactLines lines={span(hit.fold.startTicks, hit.fold.endTicks)} />
          <p className={styles.note}>
            {hit.isMissing ? 'Of this stretch not all is known.' : 'Nothing happened in any lane.'} “Fold idle” shows it
            at full width.
          </p>
        </>
      )
  }
}
