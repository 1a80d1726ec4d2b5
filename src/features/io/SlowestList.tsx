import type { ReactNode } from 'react'
import type { Clock } from '../../base/format.ts'
import { EventLink } from './EventLink.tsx'
import { formatEventRef, sameEvent } from './eventref.ts'
import type { IoEventRef, IoEventRow } from './queries.ts'
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
    <section className={styles.slowest} aria-label="Slowest in view">
      <h2 className={styles.heading}>
        Slowest in view{' '}
        <span className={styles.keys}>
          <kbd>n</kbd> next, <kbd>p</kbd> previous
        </span>
      </h2>
      {events.length === 0 ? <p className={styles.note}>No single events in view.</p> : null}
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
