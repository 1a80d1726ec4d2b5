import type { ReactNode } from 'react'
import { formatBytes, formatDateTime, formatPlural, type Clock } from '../../../../base/text/format.ts'
import { StateDot } from '../../../../ui/Badge.tsx'
import type { LowMemoryEvent } from '../../../../feeds/server/contract/now.ts'
import styles from './cards.module.css'
import { describeLowMemory } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const FIRST_EVENTS = 4

interface LowMemoryCardProps {
  readonly events: readonly LowMemoryEvent[]
  readonly clock: Clock
  readonly onShow: (event: LowMemoryEvent) => void
}

/** Times at which the server was low on memory, newest first. A click shows the time. */
export function LowMemoryCard({ events, clock, onShow }: LowMemoryCardProps): ReactNode {
  const line = (event: LowMemoryEvent, i: number): ReactNode => (
    <li key={`${String(event.atTicks)} ${event.event} ${String(i)}`} className={styles.line}>
      <button type="button" className={cx('bare', styles.time)} title="Show that moment" onClick={() => onShow(event)}>
        {formatDateTime(event.atTicks, clock, 0)}
      </button>
      <StateDot tone={event.isLow ? (event.isSimulated ? 'idle' : 'warn') : 'ok'}>{describeLowMemory(event)}</StateDot>
      <span className="push" />
      {event.freeBytes === null ? null : <span className="faint">{formatBytes(event.freeBytes)} free</span>}
    </li>
  )
  return (
    <section className={cx('raised', styles.card)} aria-label="Low-memory events">
      <h2>Low memory</h2>
      {events.length === 0 ? (
        <p className="faint">Never since the server started.</p>
      ) : (
        <ul className={styles.list}>{events.slice(0, FIRST_EVENTS).map(line)}</ul>
      )}
      {events.length <= FIRST_EVENTS ? null : (
        <details className={styles.details}>
          <summary>{formatPlural(events.length - FIRST_EVENTS, 'earlier event')}</summary>
          <ul className={styles.list}>{events.slice(FIRST_EVENTS).map(line)}</ul>
        </details>
      )}
    </section>
  )
}
