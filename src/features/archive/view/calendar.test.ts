import { afterEach, expect, test } from 'vitest'
import { parseTicks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { type ArchiveHour, emptyManifest } from '../../../capture/archive/manifest.ts'
import { calendarOf, daysBefore, levelOf, wordsOf } from './calendar.ts'

const HOUR = 3600 * TICKS_PER_SECOND
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const hour = (at: number, parts: Partial<ArchiveHour> = {}): ArchiveHour => ({
  node: 'a',
  startTicks: TWO + at * HOUR,
  events: 100,
  writes: 50,
  slow: 0,
  slowTicks: 0,
  slowestTicks: 0,
  critical: 0,
  warning: 0,
  gapTicks: 0,
  ...parts,
})
const manifestOf = (...hours: readonly ArchiveHour[]) => ({ ...emptyManifest(), hours })

test('the calendar has an hour of all servers in its place, the newest day first', () => {
  const slow = { slow: 3, slowTicks: 200 * TICKS_PER_MS, slowestTicks: 90 * TICKS_PER_MS }
  const days = calendarOf(manifestOf(hour(-24), hour(0, slow), hour(0, { ...slow, node: 'b' })), 'utc')
  expect(days.map(({ day, hours }) => [day, [...hours.keys()]])).toEqual([
    ['2026-11-26', [2]],
    ['2026-11-25', [2]],
  ])
  const two = days[0]?.hours.get(2)
  expect(two?.sums).toMatchObject({ slow: 6, slowestTicks: 90 * TICKS_PER_MS })
  expect(two === undefined ? [] : wordsOf(two)).toEqual([
    '200 I/O events',
    '6 journal writes of 10 ms or more, 400 ms together, the longest 90.0 ms',
  ])
})

test('shades follow the figure: an hour with a critical finding is the darkest, one without slow writes has none', () => {
  const [day] = calendarOf(
    manifestOf(
      hour(0),
      hour(1, { slow: 1, slowTicks: 100 * TICKS_PER_MS, warning: 1 }),
      hour(2, { slow: 90, slowTicks: HOUR / 10, critical: 1, gapTicks: HOUR }),
    ),
    'utc',
  )
  const levels = (by: 'slow' | 'findings' | 'coverage') =>
    [2, 3, 4].map((at) => {
      const found = day?.hours.get(at)
      return found === undefined ? null : levelOf(by, found, 100)
    })
  expect(levels('slow')).toEqual([0, 1, 4])
  expect(levels('findings')).toEqual([0, 2, 4])
  expect(levels('coverage')).toEqual([0, 0, 4])
})

test('the same time of the days before is offered where it was recorded', () => {
  const { startTicks, endTicks } = { startTicks: TWO, endTicks: (TWO + HOUR) as typeof TWO }
  const days = daysBefore(manifestOf(hour(0), hour(-24), hour(-25), hour(-72)), { startTicks, endTicks }, 'utc')
  expect(days.map(({ days: count, range }) => [count, (startTicks - range.startTicks) / HOUR])).toEqual([
    [1, 24],
    [3, 72],
  ])
})

test('an hour that is not known is never the shade of one without slow writes or findings', () => {
  const level = (by: 'slow' | 'findings', parts: Partial<ArchiveHour>): number | null => {
    const found = calendarOf(manifestOf(hour(0, parts)), 'utc')[0]?.hours.get(2)
    return found === undefined ? null : levelOf(by, found, 100)
  }
  expect(level('slow', { writes: 0 })).toBeNull()
  for (const by of ['slow', 'findings'] as const) {
    expect(level(by, { gapTicks: HOUR })).toBeNull()
    expect(level(by, { gapTicks: 30 * TICKS_PER_SECOND })).toBe(0)
  }
  expect(level('slow', { gapTicks: HOUR / 2, slow: 1, slowTicks: 100 * TICKS_PER_MS })).toBe(1)
  const file = { path: 'io/x.parquet', table: 'io', node: 'a', day: '2026-11-26', rows: 7, bytes: 9 } as const
  const older = { ...emptyManifest(), files: [{ ...file, minTicks: TWO, maxTicks: TWO + 5 }] }
  const found = calendarOf(older, 'utc')[0]?.hours.get(2)
  expect(found === undefined ? [] : [levelOf('slow', found, 7), levelOf('findings', found, 7), wordsOf(found)]).toEqual(
    [null, null, ['7 rows', 'its sums were not recorded']],
  )
})

const ZONE = process.env['TZ']
afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ']
  else process.env['TZ'] = ZONE
})

test('the same time of the day before is that of the clock, also when it was changed, and two hours of one name are one', () => {
  process.env['TZ'] = 'Europe/Berlin'
  // At 03:00 on October 25 clocks went back to 02:00.
  const changed = parseTicks('2026-10-25T00:00:00.0000000Z')
  const [day] = calendarOf(
    manifestOf(...[0, 1, 2].map((at) => hour(0, { startTicks: changed + at * HOUR, writes: 10 + at }))),
    'local',
  )
  expect([...(day?.hours ?? [])].map(([at, { sums }]) => [at, sums?.writes])).toEqual([
    [2, 21],
    [3, 12],
  ])
  const noon = parseTicks('2026-10-25T11:00:00.0000000Z')
  const range = { startTicks: noon, endTicks: (noon + HOUR) as typeof noon }
  const recorded = manifestOf(...[-24, -25].map((at) => hour(0, { startTicks: noon + at * HOUR })))
  const [local] = daysBefore(recorded, range, 'local')
  const [utc] = daysBefore(recorded, range, 'utc')
  expect([local, utc].map((each) => (noon - (each?.range.startTicks ?? 0)) / HOUR)).toEqual([25, 24])
})
