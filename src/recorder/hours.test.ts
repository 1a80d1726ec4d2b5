import { expect, test } from 'vitest'
import { parseTicks, TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { ArchiveFile } from '../capture/archive/manifest.ts'
import { hoursWithFiles, HourSums, joinHours } from './hours.ts'

const HOUR = 3600 * TICKS_PER_SECOND
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')

function sums() {
  const made = new HourSums('a_8080')
  made.event('JournalWrite', TWO, 9 * TICKS_PER_MS)
  made.event('JournalWrite', TWO + 10, 10 * TICKS_PER_MS)
  made.event('JournalWrite', TWO + HOUR - 1, 40 * TICKS_PER_MS)
  made.event('DataSync', TWO, 900 * TICKS_PER_MS)
  made.event('JournalWrite', TWO + HOUR, 5)
  made.finding('critical', TWO + 1)
  made.finding('warning', TWO + 2)
  made.finding('info', TWO + 3)
  made.gap({ lane: null, startTicks: (TWO + HOUR / 2) as never, endTicks: (TWO + HOUR + HOUR / 4) as never })
  made.gap({ lane: 'server|/data', startTicks: TWO, endTicks: (TWO + HOUR) as never })
  return made.hours
}

const FIRST = {
  node: 'a_8080',
  startTicks: TWO,
  events: 4,
  writes: 3,
  slow: 2,
  slowTicks: 50 * TICKS_PER_MS,
  slowestTicks: 40 * TICKS_PER_MS,
  critical: 1,
  warning: 1,
  gapTicks: HOUR / 2,
}

test('an hour has the sums of what began in it, and of gaps what lies in it', () => {
  const [first, second] = sums()
  expect(first).toEqual(FIRST)
  expect(second).toMatchObject({ startTicks: TWO + HOUR, events: 1, slow: 0, slowestTicks: 5, gapTicks: HOUR / 4 })
})

test('hours of two folds are one, and go with their last file', () => {
  const hours = joinHours([...sums(), { ...FIRST, slowestTicks: 1 }, { ...FIRST, node: 'b_8080' }])
  expect(hours.map(({ node, startTicks }) => [node, (startTicks - TWO) / HOUR])).toEqual([
    ['a_8080', 0],
    ['b_8080', 0],
    ['a_8080', 1],
  ])
  expect(hours[0]).toMatchObject({ events: 8, slow: 4, slowestTicks: FIRST.slowestTicks, critical: 2 })
  const file = { node: 'a_8080', minTicks: TWO + HOUR, maxTicks: TWO + HOUR + 5 } as ArchiveFile
  expect(hoursWithFiles(hours, [file])).toEqual([hours[2]])
})
