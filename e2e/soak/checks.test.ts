import { expect, it } from 'vitest'
import { BatchRecord } from '../support/independent-batches.ts'
import { IoEvents, ticksOf } from '../../src/testing/server/io-events.ts'
import { TICKS_PER_SECOND } from '../../src/base/ticks.ts'
import { ticksNow, type Summary } from '../support/studio.ts'
import { Checks } from './checks.ts'
import { SOURCE } from './world.ts'

const PATH = '/data/Indexes/Users_Search'
const BYTES = 12_288

/** The moment so many seconds after the first, as a server writes it. */
const at = (seconds: number): string => `2026-11-22T23:00:${String(seconds).padStart(2, '0')}.0000000Z`

/** Rings of the server for these moments: one journal write each. */
const ringsOf = (seconds: readonly number[]): string =>
  JSON.stringify({
    Environments: [
      {
        Path: PATH,
        Files: [
          {
            File: '0000000000000000001.journal',
            Recent: seconds.map((each) => ({ Type: 'JournalWrite', Start: at(each), Size: BYTES, Duration: 1 })),
          },
        ],
      },
    ],
  })

function summaryOf(count: number, gap: readonly [number, number]): Summary {
  const [from, to] = gap
  return {
    rows: [
      {
        feed: 'io',
        source: SOURCE,
        environment: 'Users/Search',
        environmentPath: PATH,
        kind: 'JournalWrite',
        count,
        bytes: count * BYTES,
        busyMs: count,
        slowestMs: 1,
        lastMs: null,
        rollUps: { count: 0, events: 0, bytes: 0 },
      },
    ],
    gaps: [
      {
        reason: 'database-restarted',
        source: SOURCE,
        startTicks: ticksOf(at(from)),
        endTicks: ticksOf(at(to)),
        lane: null,
        kind: null,
        missingCount: null,
        missingBytes: null,
        detail: '',
      },
    ],
  }
}

it('counts what a page lacks in a gap also where the page has what the listener has not received yet', async () => {
  const rings = [1, 2, 3]
  const io = new IoEvents()
  io.take(ringsOf(rings))
  let shown = 1
  const listener = {
    io,
    unsentIo: [],
    ioGaps: [],
    batches: new BatchRecord(),
    batchGaps: [],
    catchUp: () => Promise.resolve(void io.take(ringsOf(rings))),
  }
  const tab = {
    name: 'tab 1 (io)',
    panel: 'io' as const,
    workersKilled: 0,
    // Its frame comes before the listener's.
    summary: () => {
      if (rings.length === 3) shown = rings.push(4) - 2
      return Promise.resolve(summaryOf(shown, [1, 2]))
    },
  }
  const checks = new Checks({ listener, tabs: [tab] })
  expect(await checks.check(tab)).toMatchObject({ problems: [], events: 4, lacking: 2 })
  expect(await checks.check(tab)).toMatchObject({ problems: [], events: 4, lacking: 2 })
})

it('takes the time before a page was live for unknown where its worker ended, as far as its gap says', () => {
  const listener = {
    io: new IoEvents(),
    unsentIo: [],
    ioGaps: [],
    batches: new BatchRecord(),
    batchGaps: [],
    catchUp: () => Promise.resolve(),
  }
  const tab = {
    name: 'tab 1 (indexing)',
    panel: 'indexing' as const,
    workersKilled: 1,
    summary: () => Promise.reject(new Error('not asked')),
  }
  const checks = new Checks({ listener, tabs: [tab] })
  const beganTicks = ticksNow()
  const endOfEarly = (startTicks: number): number => {
    const { gaps } = summaryOf(1, [1, 2])
    const gap = { ...gaps[0]!, reason: 'worker-restarted', startTicks, endTicks: startTicks + 1 }
    return Math.max(
      ...checks
        .declared(tab, { rows: [], gaps: [gap] })
        .filter((g) => g.startTicks === 0)
        .map((g) => g.endTicks),
    )
  }
  const seconds = (count: number): number => beganTicks + count * TICKS_PER_SECOND
  expect(endOfEarly(seconds(5))).toBe(seconds(5))
  expect(endOfEarly(seconds(-5))).toBeLessThanOrEqual(beganTicks)
  expect(endOfEarly(seconds(60))).toBeLessThanOrEqual(beganTicks)
})
