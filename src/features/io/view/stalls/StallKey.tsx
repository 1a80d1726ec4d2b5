import type { ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import legend from '../../../../ui/legend.module.css'
import { cx } from '../../../../ui/theme/cx.ts'
import { StallMarker } from './StallMarker.tsx'
import type { StallMarks } from './useStallMarks.ts'

/** Explains the stall markers in the lanes, with their number. */
export function StallKey({ marks: { response, error } }: { readonly marks: StallMarks }): ReactNode {
  if (error !== null) return <ErrorNotice error={error} tone="warn" />
  if (response === null) return <p className="note">Looking for stalls …</p>
  const { total, marks, causes, isComplete } = response
  return (
    <p className={cx('note', 'wrap', legend.heads)} role="status">
      <span className="inline">
        {total === 0 ? 'No journal write stalled' : `${formatPlural(total, 'stalled journal write')} marked by cause`}
        {isComplete ? '' : ' among the newest'}
        {marks.length < total ? `, the longest ${formatCount(marks.length)} of them` : ''}:
      </span>
      {causes.map(({ cause, title, stalls }) => (
        <span key={cause} className="inline">
          <StallMarker cause={cause} /> {title} {formatCount(stalls)}
        </span>
      ))}
      <PanelLink panel="stalls">Open Stalls</PanelLink>
    </p>
  )
}
