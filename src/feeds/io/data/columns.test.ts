import { describe, expect, test } from 'vitest'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { ioColumns } from './columns.ts'
import { LaneNames } from './responses/lane-names.ts'
import { readIo } from './reading/decode.ts'
import { IoStore } from './table.ts'

interface Given {
  readonly path: string
  readonly everySeconds: number
  readonly seconds: number
  /** How long the sync beside each write takes, s; 0: there is none. */
  readonly syncSeconds?: number
}

const environment = ({ path, everySeconds, seconds, syncSeconds = 0 }: Given) => ({
  Path: path,
  Type: 'Documents',
  Files: [
    {
      File: `${path}.journal`,
      Status: 'InUse',
      Recent: Array.from({ length: seconds / everySeconds }, (_, i) =>
        ['JournalWrite', ...(syncSeconds > 0 ? ['DataSync'] : [])].map((Type) => ({
          Start: new Date(Date.UTC(2026, 10, 20) + 1000 * i * everySeconds).toISOString().replace('Z', '0000Z'),
          Size: 65_536,
          FileSize: 65_536,
          Duration: Type === 'DataSync' ? 1000 * syncSeconds : 2,
          Type,
        })),
      ).flat(),
      History: [],
    },
  ],
})

/** In ten minutes; 60 of the calm one's 120 events are syncs. */
const BUSY = { path: '/busy', everySeconds: 1, seconds: 600 }
const CALM = { path: '/calm', everySeconds: 10, seconds: 600, syncSeconds: 9 }

function columnsOf(most: number, ...bySource: readonly (readonly Given[])[]) {
  const store = new IoStore()
  const sources = bySource.map((given, i): SourceId => {
    const source: SourceId = `db:${i}`
    store.ingest(source, readIo(bytesOf({ Environments: given.map(environment) })), true)
    return source
  })
  const params = { sources, most, leastTicks: TICKS_PER_SECOND, timesMedian: 1 }
  return ioColumns(store, new LaneNames(() => []), params).map(({ path, writes, syncs, isCut }) => ({
    path,
    writes: writes.startTicks.length,
    syncs: syncs.startTicks.length,
    first: writes.startTicks[0] ?? NaN,
    isCut,
  }))
}

describe('columns of journal writes', () => {
  test('are all that there is where so many may be asked for', () => {
    expect(columnsOf(720, [BUSY, CALM])).toMatchObject([
      { path: '/busy', writes: 600, syncs: 0, isCut: false },
      { path: '/calm', writes: 60, syncs: 60, isCut: false },
    ])
  })

  test('of more are the newest of all lanes since the same moment, with the syncs that were under way', () => {
    const [busy, calm] = columnsOf(360, [BUSY, { ...CALM, everySeconds: 2, syncSeconds: 9 }])
    // Four events in two seconds.
    expect(busy?.writes).toBeGreaterThan(150)
    expect(busy?.writes).toBeLessThanOrEqual(180)
    expect(Math.abs((busy?.first ?? 0) - (calm?.first ?? 0))).toBeLessThanOrEqual(TICKS_PER_SECOND)
    expect((calm?.syncs ?? 0) - (calm?.writes ?? 0)).toBeGreaterThanOrEqual(4)
    expect([busy?.isCut, calm?.isCut]).toEqual([true, true])
  })

  test('are some of each lane, though it was calm of late', () => {
    const [, calm] = columnsOf(400, [BUSY, { ...CALM, seconds: 100, syncSeconds: 0 }])
    expect(calm).toMatchObject({ writes: 10, isCut: false })
  })

  test('are of each source, though one ended long before the other', () => {
    const [busy, ended] = columnsOf(200, [BUSY], [{ ...BUSY, seconds: 200 }])
    expect(busy?.writes).toBeGreaterThan(80)
    expect(ended?.writes).toBeGreaterThan(80)
  })

  test('are all of them where what one source does not need is enough for the other', () => {
    expect(columnsOf(700, [BUSY], [{ ...BUSY, seconds: 50 }])).toMatchObject([
      { writes: 600, isCut: false },
      { writes: 50, isCut: false },
    ])
  })

  test('begin at the same moment when a few more events arrived', () => {
    const firsts = [600, 601, 602, 603].map((seconds) => columnsOf(300, [{ ...BUSY, seconds }])[0]?.first)
    expect(new Set(firsts).size).toBeLessThanOrEqual(2)
  })

  test('are none where all that is known of them are sums', () => {
    const sum = { Start: '2026-11-20T00:00:00.0000000Z', End: '2026-11-20T00:01:00.0000000Z', Size: 8192 * 257 }
    const times = { Duration: 60_000, ActiveDuration: 900, MaxDuration: 400, MinDuration: 1 }
    const { Files, ...rest } = environment(BUSY)
    const [file] = Files
    const History = [
      { ...sum, ...times, FileSize: 65_536, MaxAcceleration: 0, MinAcceleration: 0, Type: 'JournalWrite' },
    ]
    const document = { Environments: [{ ...rest, Files: [{ ...file, Recent: [], History }] }] }
    const store = new IoStore()
    store.ingest('db:0', readIo(bytesOf(document)), true)
    const params = { sources: ['db:0' as const], most: 1000, leastTicks: 1, timesMedian: 1 }
    const [lane] = ioColumns(store, new LaneNames(() => []), params)
    expect(lane?.writes.startTicks).toHaveLength(0)
    expect(lane).toMatchObject({ isCut: false, sums: [{ maxTicks: 4_000_000 }] })
  })

  test('of many at the last moment are these, even if they are more', () => {
    expect(columnsOf(0, [BUSY, CALM])).toMatchObject([
      { writes: 1, isCut: true },
      { writes: 0, syncs: 1, isCut: true },
    ])
  })
})
