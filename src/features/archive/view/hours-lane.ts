import { recordings } from '../../../capture/archive/recordings.ts'
import type { LaneItem, LaneLook, LaneModule } from '../../../capture/frame/lanes/lane.ts'
import { markTrack, spanMarks, summarizeMarks } from '../../../capture/frame/lanes/mark-track.ts'
import { calendarHours, levelOf, wordsOf, type CalendarHour } from './calendar.ts'

/** Styles, by severity. */
const LOOKS: readonly LaneLook[] = [
  { title: 'No slow write', token: '--wait-unknown', pattern: 'faint' },
  { title: 'Slow writes below 0.3 % of the hour', token: '--series-second', pattern: 'solid' },
  { title: 'Slow writes for more of it', token: '--error', pattern: 'solid' },
  { title: 'Slow writes not known', token: '--kind-unknown', pattern: 'hatched' },
]
/** Index of the style for each shade of the calendar. */
const LOOK_OF_LEVEL = [0, 1, 1, 2, 2]
const NOT_KNOWN = 3

const lookOf = (hour: CalendarHour): number => {
  const level = levelOf('slow', hour, hour.rows)
  return level === null ? NOT_KNOWN : (LOOK_OF_LEVEL[level] ?? 0)
}

function itemOf(hour: CalendarHour): LaneItem {
  const { startTicks, endTicks } = hour
  return {
    startTicks,
    durationTicks: endTicks - startTicks,
    title: [0, NOT_KNOWN].includes(lookOf(hour)) ? 'Recorded hour' : 'Recorded hour with slow writes',
    facts: [],
    evidence: wordsOf(hour).map((words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`),
    of: {},
    link: { text: 'In the calendar', panel: 'archive', parts: { range: { startTicks, endTicks } } },
  }
}

/** Lane with the hours of the recordings to which the sources belong, open or not. */
const lane: LaneModule = {
  everyMs: 60_000,
  read: (_request, { sources }) => {
    const hours = recordings.get().flatMap(({ name, manifest }) => {
      const isShown = (node: string): boolean => sources.some((source) => source.startsWith(`file:${name}/${node}/`))
      return calendarHours({
        files: manifest.files.filter(({ node }) => isShown(node)),
        hours: (manifest.hours ?? []).filter(({ node }) => isShown(node)),
      })
    })
    const ascending = hours.toSorted((a, b) => a.startTicks - b.startTicks)
    const looks = ascending.map(lookOf)
    const marks = spanMarks(
      ascending.map(({ startTicks, endTicks }) => ({ startTicks, durationTicks: endTicks - startTicks })),
    )
    return Promise.resolve({
      tracks: [
        markTrack({
          key: 'hours',
          marks,
          looks: LOOKS,
          lookAt: (mark) => looks[mark] ?? 0,
          itemAt: (mark) => itemOf(ascending[mark] as CalendarHour),
        }),
      ],
      nothing: 'none',
      summarize: summarizeMarks([marks], { one: 'recorded hour' }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    })
  },
}

export default lane
