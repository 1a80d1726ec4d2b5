import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import { formatBytes, formatDateTime, formatDuration, formatPlural, type Clock } from '../../../base/text/format.ts'
import type { StretchHit } from '../../../charts/timeline/lanes/contract.ts'
import { FactLines, type FactLine } from '../../../ui/FactLines.tsx'
import styles from '../../../ui/card.module.css'
import type { Gap } from '../../client/state.ts'
import { GAP_WORDS } from '../notices/gap-words.ts'
import { cx } from '../../../ui/theme/cx.ts'

export interface StretchFactsProps {
  readonly hit: StretchHit<Gap>
  readonly clock: Clock
  /** Name of the missing thing in the singular; in the plural if that does not end in an s. */
  readonly one: string
  readonly many?: string
  /** Sentence about a folded range: `No index worked.` */
  readonly idle: string
}

/** Facts about a gap or a fold of a timeline. */
export function StretchFacts({ hit, clock, one, many, idle }: StretchFactsProps): ReactNode {
  const span = (start: Ticks, end: Ticks): readonly FactLine[] => [
    ['From', formatDateTime(start, clock, 3)],
    ['To', formatDateTime(end, clock, 3)],
    ['Length', formatDuration(end - start)],
  ]
  if (hit.type === 'fold')
    return (
      <>
        <p className={cx('line', styles.title)}>{hit.isMissing ? 'No data, folded' : 'Idle, folded'}</p>
        <FactLines lines={span(hit.fold.startTicks, hit.fold.endTicks)} />
        <p className={styles.note}>
          {hit.isMissing ? 'Data of this stretch is incomplete.' : idle} “Fold idle” shows it at full width.
        </p>
      </>
    )
  const { gap } = hit
  return (
    <>
      <p className={cx('line', styles.title)}>No data: {GAP_WORDS[gap.reason]}</p>
      <FactLines
        lines={[
          ...span(gap.startTicks, gap.endTicks),
          ['Missing', gap.missingCount === null ? 'unknown' : formatPlural(gap.missingCount, one, many)],
          ...(gap.missingBytes === null ? [] : [['Missing size', formatBytes(gap.missingBytes)] as const]),
        ]}
      />
      {gap.detail === '' ? null : <p className={styles.note}>{gap.detail}</p>}
    </>
  )
}
