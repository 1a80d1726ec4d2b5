import type { ReactNode } from 'react'
import { useState, useSyncExternalStore } from 'react'
import { groupBy } from '../../../base/columns/group-by.ts'
import { formatBytes, formatCount, formatPlural } from '../../../base/text/format.ts'
import type { Bytes } from '../../../base/brand.ts'
import {
  dayAndHour,
  hoursOf,
  openRecording,
  type RecordedHour,
  type Recording,
  recordings,
} from '../../../capture/archive/recordings.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { paramsToFit, useCapture, useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import styles from './recordings.module.css'

/** Shades of an hour by its rows, beside none. */
const LEVELS = 4

/** Recordings that this page has opened: which hours they have, of which each can be opened. */
export function Recordings(): ReactNode {
  const known = useSyncExternalStore(recordings.subscribe, recordings.get)
  return known.map((recording) => <RecordingHours key={recording.name} recording={recording} />)
}

function RecordingHours({ recording }: { readonly recording: Recording }): ReactNode {
  const capture = useCapture()
  const { view } = useView()
  const [problem, setProblem] = useState('')
  const hours = hoursOf(recording.manifest)
  const most = Math.max(1, ...hours.map(({ rows }) => rows))
  const days = groupBy(hours, (hour) => dayAndHour(hour).day)
  const bytes = hours.reduce((sum, hour) => sum + hour.bytes, 0) as Bytes
  const open = (range: TimeRange): void => {
    openRecording(capture, recording, range, paramsToFit(view)).then(
      () => setProblem(''),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <section className="column" aria-label={`Recording ${recording.name}`}>
      <p>
        Recording <bdi>{recording.name}</bdi>: {formatPlural(hours.length, 'hour')} with data, {formatBytes(bytes)}.
        Times are UTC; an hour opens beside what is open.
      </p>
      {problem === '' ? null : <p role="alert">{problem}</p>}
      <ul className={styles.days}>
        {days.toReversed().map(([day, own]) => (
          <li key={day} className={styles.day}>
            <Button tone="quiet" onClick={() => open(spanOf(own))}>
              {day}
            </Button>
            <Hours hours={own} most={most} open={open} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface HoursProps {
  readonly hours: readonly RecordedHour[]
  /** Rows of the fullest hour of all. */
  readonly most: number
  readonly open: (range: TimeRange) => void
}

function Hours({ hours, most, open }: HoursProps): ReactNode {
  const byHour = new Map(hours.map((hour) => [dayAndHour(hour).hour, hour]))
  return (
    <ol className={styles.hours}>
      {Array.from({ length: 24 }, (_, at) => {
        const hour = byHour.get(at)
        const name = String(at).padStart(2, '0')
        if (hour === undefined) return <li key={at} className={styles.none} aria-label={`${name}:00, no data`} />
        const rows = `${name}:00, ${formatCount(hour.rows)} rows`
        return (
          <li key={at}>
            <button
              type="button"
              className={styles.hour}
              data-level={Math.ceil((LEVELS * Math.log(1 + hour.rows)) / Math.log(1 + most))}
              title={rows}
              aria-label={rows}
              onClick={() => open(hour)}
            >
              {name}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

const spanOf = (hours: readonly RecordedHour[]): TimeRange => {
  const [first] = hours
  const last = hours.at(-1)
  if (first === undefined || last === undefined) throw new Error('A day has an hour.')
  return { startTicks: first.startTicks, endTicks: last.endTicks }
}
