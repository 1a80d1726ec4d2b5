import type { ReactNode } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { Clock } from '../../../base/text/format.ts'
import type { Manifest } from '../../../capture/archive/manifest.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import type { CalendarFigure } from '../contract.ts'
import { calendarOf, type CalendarDay, type CalendarHour, levelOf, wordsOf } from './calendar.ts'
import styles from './archive.module.css'

interface CalendarProps {
  readonly manifest: Manifest
  readonly by: CalendarFigure
  readonly clock: Clock
  readonly range: TimeRange | null
  readonly onOpen: (range: TimeRange) => void
}

/** Grid of days and hours, shaded by a figure of the manifest. A click opens an hour or a day. */
export function Calendar({ manifest, by, clock, range, onOpen }: CalendarProps): ReactNode {
  const days = calendarOf(manifest, clock)
  const most = Math.max(1, ...days.flatMap(({ hours }) => [...hours.values()].map(({ rows }) => rows)))
  return (
    <ul className={styles.days} aria-label="Days, newest first">
      {days.map((day) => (
        <li key={day.day} className={styles.day}>
          <Button tone="quiet" small onClick={() => onOpen(spanOf(day))}>
            {day.day}
          </Button>
          <ol className={styles.hours} data-by={by}>
            {Array.from({ length: 24 }, (_, at) => (
              <Hour
                key={at}
                at={at}
                hour={day.hours.get(at)}
                level={(hour) => levelOf(by, hour, most)}
                range={range}
                onOpen={onOpen}
              />
            ))}
          </ol>
        </li>
      ))}
    </ul>
  )
}

interface HourProps {
  readonly at: number
  readonly hour: CalendarHour | undefined
  readonly level: (hour: CalendarHour) => number | null
  readonly range: TimeRange | null
  readonly onOpen: (range: TimeRange) => void
}

function Hour({ at, hour, level, range, onOpen }: HourProps): ReactNode {
  const name = String(at).padStart(2, '0')
  if (hour === undefined) return <li className={styles.none} title={`${name}:00: nothing was recorded`} />
  const words = `${name}:00: ${wordsOf(hour).join('; ')}`
  const isShown = range !== null && hour.startTicks < range.endTicks && hour.endTicks > range.startTicks
  return (
    <li>
      <button
        type="button"
        className={styles.hour}
        data-level={level(hour) ?? 'unknown'}
        aria-pressed={isShown}
        title={words}
        aria-label={words}
        onClick={(event) => onOpen(event.shiftKey && range !== null ? joined(range, hour) : rangeOf(hour))}
      >
        {name}
      </button>
    </li>
  )
}

const rangeOf = ({ startTicks, endTicks }: TimeRange): TimeRange => ({ startTicks, endTicks })

const joined = (a: TimeRange, b: TimeRange): TimeRange => ({
  startTicks: a.startTicks < b.startTicks ? a.startTicks : b.startTicks,
  endTicks: a.endTicks > b.endTicks ? a.endTicks : b.endTicks,
})

function spanOf({ hours }: CalendarDay): TimeRange {
  const all = [...hours.values()]
  return all.reduce<TimeRange>(joined, rangeOf(all[0] as CalendarHour))
}
