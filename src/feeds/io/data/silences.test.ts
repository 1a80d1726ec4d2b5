import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { formatTicks, parseTicks, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { longestQuiet, Silences } from './silences.ts'
import { IoStore } from './table.ts'
import { readIo } from './reading/decode.ts'

const T0 = parseTicks('2026-11-20T04:00:00Z')
const at = (second: number): Ticks => (T0 + Math.round(second * TICKS_PER_SECOND)) as Ticks
const SOURCE = 'db:a'

type Event = readonly [second: number, seconds: number]

function ingest(store: IoStore, events: readonly Event[], source = SOURCE): void {
  const Recent = events.map(([second, seconds]) => ({
    Start: formatTicks(at(second)),
    Size: 4096,
    FileSize: 65536,
    Duration: seconds * 1000,
    Type: 'JournalWrite',
  }))
  const Files = [{ File: '1.journal', Status: 'InUse', Recent, History: [] }]
  store.ingest(source, readIo(bytesOf({ Environments: [{ Path: '/d', Type: 'Documents', Files }] })), false)
}

function stalled(from: number, to: number) {
  const [store, gapLog] = [new IoStore(), new GapLog()]
  const silences = new Silences(store)
  silences.begin(gapLog, SOURCE, { startTicks: at(from), endTicks: at(to) })
  const tell = (events: readonly Event[], second: number): void => {
    ingest(store, events)
    silences.settle(gapLog, SOURCE, at(second))
  }
  return { gapLog, tell }
}

describe('a server that was unresponsive', () => {
  test('is reported for the time without an event: late events narrow it', () => {
    const { gapLog, tell } = stalled(10, 25)
    // The last frame before came at 10 s; it stopped at 12 s, in a write, and went on at 23 s.
    tell(
      [
        [11, 0.1],
        [11.5, 12],
      ],
      26,
    )
    tell([[23.6, 0.1]], 29)
    const [gap, ...others] = gapLog.snapshot(null)
    expect(others).toEqual([])
    expect(gap).toMatchObject({
      reason: 'server-unresponsive',
      lane: null,
      missingCount: 0,
      startTicks: at(11.5),
      endTicks: at(23.5),
    })
  })

  test('is not reported where events continue all through it: they were late', () => {
    const { gapLog, tell } = stalled(10, 25)
    tell(
      Array.from({ length: 15 }, (_, i): Event => [10 + i, 0.1]),
      26,
    )
    expect(gapLog.snapshot(null)).toEqual([])
  })

  test('is not changed by what happens long after, nor by another source', () => {
    const { gapLog, tell } = stalled(10, 25)
    tell([[9, 0.5]], 26)
    tell([[60, 0.1]], 61)
    tell([[17, 0.1]], 90)
    expect(gapLog.snapshot(null)).toMatchObject([{ startTicks: at(10), endTicks: at(25) }])
  })

  test('law: the stretch lies within the silence and holds no beginning and no end of an event', () => {
    const event = fc.tuple(fc.double({ min: 0, max: 40, noNaN: true }), fc.double({ min: 0.001, max: 9, noNaN: true }))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const store = new IoStore()
        ingest(store, events)
        ingest(store, [[20, 1]], 'db:other')
        const range = { startTicks: at(10), endTicks: at(30) }
        const quiet = longestQuiet(store, SOURCE, range)
        expect(quiet.startTicks).toBeGreaterThanOrEqual(range.startTicks)
        expect(quiet.endTicks).toBeLessThanOrEqual(range.endTicks)
        for (const lane of store.lanes.values())
          for (const { events: table } of lane.source === SOURCE ? lane.tracks.values() : [])
            for (let row = 0; row < table.length; row++)
              for (const edge of [table.read(0, row), table.read(0, row) + table.read(1, row)])
                expect(edge > quiet.startTicks && edge < quiet.endTicks).toBe(false)
      }),
    )
  })
})
