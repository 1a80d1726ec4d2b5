import type { ReactNode } from 'react'
import { formatDateTime, type Clock } from '../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import { Button } from '../../ui/controls/Button.tsx'
import styles from './EmptyView.module.css'
import { formatWholeSeconds } from './range/RangeToolbar.tsx'
import { cx } from '../../ui/theme/cx.ts'

/** Share of the view before the target, so that what led to it is visible too. */
const LEAD = 0.8

export interface EmptyViewProps {
  /** Why nothing is in view, in one sentence. */
  readonly sentence: string
  /** `I/O`, `batch`. */
  readonly what: string
  /** Start of the last one; NaN: none is known. */
  readonly lastTicks: number
  /** Server time, for its age; null: not live, so that its time is shown instead. */
  readonly nowTicks: Ticks | null
  readonly spanTicks: number
  readonly clock: Clock
  readonly onGo: (range: TimeRange) => void
  /** Replaces the button to the last one. */
  readonly children?: ReactNode
}

/** Replaces charts and tables without data: one sentence, and a button to where data is. */
export function EmptyView(props: EmptyViewProps): ReactNode {
  const { sentence, what, lastTicks, nowTicks, spanTicks, clock, onGo, children } = props
  const when =
    nowTicks === null || nowTicks < lastTicks
      ? `at ${formatDateTime(lastTicks as Ticks, clock, 0)}`
      : `${formatWholeSeconds(nowTicks - lastTicks)} ago`
  const go = (): void => {
    const startTicks = Math.round(lastTicks - spanTicks * LEAD) as Ticks
    onGo({ startTicks, endTicks: (startTicks + Math.round(spanTicks)) as Ticks })
  }
  return (
    <div className={cx('row', styles.empty)}>
      <p role="status">{sentence}</p>
      {children}
      {children === undefined && Number.isFinite(lastTicks) ? (
        <Button tone="primary" onClick={go}>{`Last ${what} ${when}: go there`}</Button>
      ) : null}
    </div>
  )
}
