import type { ReactNode } from 'react'
import { TopList } from '../../../../capture/frame/TopList.tsx'
import { EventLink } from './EventLink.tsx'
import { eventKeys, sameEvent } from '../../../../feeds/io/contract/event-ref.ts'
import { EVENT_COLUMNS } from '../lists.ts'
import type { IoEventRef, IoEventRow } from '../../../../feeds/io/contract/rows.ts'
import styles from './side.module.css'

interface SlowestListProps {
  readonly events: readonly IoEventRow[]
  readonly selected: IoEventRef | null
  readonly manySources: boolean
  readonly onSelect: (ref: IoEventRef) => void
}

export function SlowestList({ events, selected, manySources, onSelect }: SlowestListProps): ReactNode {
  return (
    <TopList
      title="Slowest in view"
      what="io-slowest"
      label="slowest events"
      columns={EVENT_COLUMNS}
      rows={events}
      empty="No single events in view."
      itemsClass={styles.events}
      keysOf={(rows) => {
        const keys = eventKeys(rows)
        return (event) => keys.get(event) ?? ''
      }}
      renderItem={(event) => (
        <EventLink event={event} current={sameEvent(event, selected)} manySources={manySources} onSelect={onSelect} />
      )}
    />
  )
}
