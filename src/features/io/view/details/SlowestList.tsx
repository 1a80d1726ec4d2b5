import type { ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { EventLink } from './EventLink.tsx'
import { formatEventRef, sameEvent } from '../../data/event-ref.ts'
import { EVENT_COLUMNS } from '../lists.ts'
import type { IoEventRef, IoEventRow } from '../../contract.ts'
import list from '../../../../ui/side-list.module.css'
import styles from './side.module.css'

export function SlowestList({
  events,
  selected,
  clock,
  manySources,
  onSelect,
}: {
  readonly events: readonly IoEventRow[]
  readonly selected: IoEventRef | null
  readonly clock: Clock
  readonly manySources: boolean
  readonly onSelect: (ref: IoEventRef) => void
}): ReactNode {
  return (
    <section className={list.list} aria-label="Slowest in view">
      <div className={list.heading}>
        <h2>Slowest in view</h2>
        <span className={list.keys}>
          <kbd>n</kbd> next, <kbd>p</kbd> previous
        </span>
        <ListExport
          label="slowest events"
          what="io-slowest"
          of=""
          at={events[0]?.startTicks ?? null}
          columns={EVENT_COLUMNS}
          rows={events}
        />
      </div>
      {events.length === 0 ? <p className={list.note}>No single events in view.</p> : null}
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={formatEventRef(event)}>
            <EventLink
              event={event}
              clock={clock}
              current={sameEvent(event, selected)}
              manySources={manySources}
              onSelect={onSelect}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}
