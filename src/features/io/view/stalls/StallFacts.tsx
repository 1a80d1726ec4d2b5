import type { ReactNode } from 'react'
import { formatDateTime, formatDuration, type Clock } from '../../../../base/text/format.ts'
import { FactLines } from '../../../../ui/FactLines.tsx'
import styles from '../../../../ui/card.module.css'
import type { StallMark } from '../../../stalls/contract.ts'
import { StallMarker } from './StallMarker.tsx'
import { cx } from '../../../../ui/theme/cx.ts'

/** Facts about the stall of a marker. */
export function StallFacts({ stall, clock }: { readonly stall: StallMark; readonly clock: Clock }): ReactNode {
  const { cause, title, startTicks, durationTicks, blamed } = stall
  return (
    <>
      <p className={cx('line', styles.title)}>
        <StallMarker cause={cause} /> Stalled journal write
      </p>
      <FactLines
        lines={[
          ['Cause', title],
          ...(blamed === null ? [] : [['Held up by', blamed] as const]),
          ['Start', `${formatDateTime(startTicks, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`],
          ['Duration', formatDuration(durationTicks)],
        ]}
      />
      <p className={styles.hint}>Click opens it in Stalls</p>
    </>
  )
}
