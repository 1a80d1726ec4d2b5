import type { ReactNode } from 'react'
import { formatDuration, formatTime, type Clock } from '../../../../base/text/format.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { KindSwatch } from '../timeline/KindSwatch.tsx'
import { kindLook } from '../timeline/kinds.ts'
import type { IoEventRef, IoEventRow } from '../../contract.ts'
import hidden from '../../../../ui/hidden.module.css'
import list from '../../../../ui/side-list.module.css'
import { laneName } from '../words.ts'

/** One event of a list: a click pins it and brings it into sight. */
export function EventLink({
  event,
  clock,
  current,
  manySources,
  onSelect,
}: {
  readonly event: IoEventRow
  readonly clock: Clock
  readonly current: boolean
  readonly manySources: boolean
  readonly onSelect: (ref: IoEventRef) => void
}): ReactNode {
  return (
    <button
      type="button"
      className={cx(list.item, current && list.current)}
      aria-current={current ? 'true' : undefined}
      onClick={() => onSelect(event)}
      title={`${kindLook(event.kind).title}, ${event.file}`}
    >
      <KindSwatch kind={event.kind} />
      <span className={list.duration}>
        <span className={hidden.visuallyHidden}>{kindLook(event.kind).title} </span>
        {formatDuration(event.durationTicks)}
      </span>
      <bdi className={list.lane}>{laneName(event, manySources)}</bdi>
      <span className={list.time}>{formatTime(event.startTicks, clock, 3)}</span>
    </button>
  )
}
