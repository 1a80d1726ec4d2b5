import type { ReactNode } from 'react'
import { TopItem } from '../../../../capture/frame/TopList.tsx'
import { KindSwatch } from '../timeline/KindSwatch.tsx'
import { kindLook } from '../timeline/kinds.ts'
import type { IoEventRef, IoEventRow } from '../../../../feeds/io/contract/rows.ts'
import { laneName } from '../words.ts'

interface EventLinkProps {
  readonly event: IoEventRow
  readonly current: boolean
  readonly manySources: boolean
  readonly onSelect: (ref: IoEventRef) => void
}

/** Link to an event of a list; a click pins it and scrolls it into view. */
export function EventLink({ event, current, manySources, onSelect }: EventLinkProps): ReactNode {
  const { title } = kindLook(event.kind)
  return (
    <TopItem
      row={event}
      kind={title}
      lane={laneName(event, manySources)}
      swatch={<KindSwatch kind={event.kind} />}
      title={`${title}, ${event.file}`}
      current={current}
      onSelect={() => onSelect(event)}
    />
  )
}
