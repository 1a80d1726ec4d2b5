import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { SIZE, START } from '../../../base/columns/event-chunk.ts'
import { formatTicks, parseTicks } from '../../../base/ticks.ts'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../testing/recorded.ts'
import { cardResponse } from './responses/card.ts'
import { kindTotals } from './responses/kind-totals.ts'
import { LaneNames } from './responses/lane-names.ts'
import { IoStore } from './table.ts'
import { forgottenMarks, ringMarks } from './ring-marks.ts'
import { readIo } from './reading/decode.ts'

interface Raw {
  Environments: {
    Path: string
    Files: { File: string; Recent: { Type: string; Size?: number; OriginalSize?: number }[] }[]
  }[]
}

const totalsOf = (store: IoStore) => {
  const totals = new Map<string, { count: number; bytes: number }>()
  for (const lane of store.lanes.values())
    for (const track of lane.tracks.values()) {
      const { count, bytes } = kindTotals(track)
      if (count > 0) totals.set(`${lane.path} ${track.kind}`, { count, bytes })
    }
  return totals
}

/** Document with one event a file, of kind JournalWrite. */
const journalDocument = (files: readonly string[]) =>
  readIo(
    bytesOf({
      Environments: [
        {
          Path: '/data',
          Type: 'Documents',
          Files: files.map((File, i) => ({
            File,
            Status: 'InUse',
            Recent: [
              {
                Start: `2026-11-20T02:00:0${i}.0000000Z`,
                Size: 65_536,
                FileSize: 65_536,
                Duration: 2,
                Type: 'JournalWrite',
              },
            ],
            History: [],
          })),
        },
      ],
    }),
  )

const naiveTotals = (raws: Raw[]) => {
  const totals = new Map<string, { count: number; bytes: number }>()
  for (const raw of raws)
    for (const { Path, Files } of raw.Environments)
      for (const { Recent } of Files)
        for (const row of Recent) {
          const sums = totals.get(`${Path} ${row.Type}`) ?? { count: 0, bytes: 0 }
          totals.set(`${Path} ${row.Type}`, {
            count: sums.count + 1,
            bytes: sums.bytes + (row.OriginalSize ?? row.Size ?? 0),
          })
        }
  return totals
}

describe.each(RECORDED_LINES)('store with answers of %s', (line) => {
  test('counts and byte sums per environment and kind equal those of the document', () => {
    const raw = recordedJson(line, 'io-metrics.json') as Raw
    const store = new IoStore()
    store.ingest('db:a', readIo(bytesOf(raw)), true)
    expect(totalsOf(store)).toEqual(naiveTotals([raw]))
  })

  test('the first frame and its deltas add up; the same frames again add nothing', () => {
    const frames = recordedFrames(line, 'io-metrics-live.ndjson').map((frame) => JSON.parse(frame) as Raw)
    const store = new IoStore()
    frames.forEach((frame, i) => store.ingest('db:a', readIo(bytesOf(frame)), i === 0))
    const once = totalsOf(store)
    expect(once).toEqual(naiveTotals(frames))
    let seen = 0
    for (const frame of frames.toReversed()) seen += store.ingest('db:a', readIo(bytesOf(frame)), false).seen
    expect(totalsOf(store)).toEqual(once)
    expect(seen).toBe([...once.values()].reduce((sum, { count }) => sum + count, 0))
  })
})

const at = (second: number) => formatTicks((parseTicks('2026-11-20T04:00:00Z') + second * 1e7) as never)
const write = (second: number) => ({
  Start: at(second),
  Size: 4096,
  FileSize: 65536,
  Duration: 1,
  Type: 'JournalWrite',
})
const document = (recent: object[], history: object[] = [], file = '1.journal') =>
  readIo(
    bytesOf({
      Environments: [
        {
          Path: '/data',
          Type: 'Documents',
          Files: [{ File: file, Status: 'InUse', Recent: recent, History: history }],
        },
      ],
    }),
  )
const fold = (from: number, to: number, count: number) => ({
  Start: at(from),
  End: formatTicks((parseTicks(at(to)) + 10_000) as never),
  Size: 4096 * count,
  ActiveDuration: count,
  MinDuration: 1,
  MaxDuration: 1,
  Type: 'JournalWrite',
})

describe('roll-ups', () => {
  test('one whose events were all seen covers nothing new', () => {
    const store = new IoStore()
    store.ingest('db:a', document([write(1), write(2), write(3)]), true)
    const { losses } = store.ingest('db:a', document([], [fold(1, 3, 3)]), true)
    expect(losses).toEqual([])
    expect(kindTotals(store.lanes.get('db:a|/data')!.track('JournalWrite'))).toMatchObject({
      count: 3,
      rollUps: 0,
      rollUpBytes: 0,
    })
  })

  test('one of which some events were seen shows how many are missing, in events and bytes', () => {
    const store = new IoStore()
    store.ingest('db:a', document([write(1), write(2), write(3)]), true)
    const { losses } = store.ingest('db:a', document([write(900)], [fold(1, 800, 257)]), true)
    expect(losses).toMatchObject([{ kind: 'JournalWrite', missingCount: 254, missingBytes: 254 * 4096 }])
    // Seen time is not hatched: the gap begins where the last seen event ended.
    expect(losses[0]?.startTicks).toBe(parseTicks(at(3)) + 10_000)
    expect(store.ingest('db:a', document([write(900)], [fold(1, 800, 257)]), true).losses).toEqual([])
  })

  test('one of which nothing was seen is known as a sum, and is a loss only where the source was watched', () => {
    const store = new IoStore()
    expect(store.ingest('db:a', document([write(900)], [fold(1, 800, 257)]), true).losses).toEqual([])
    const totals = () => kindTotals(store.lanes.get('db:a|/data')!.track('JournalWrite'))
    expect(totals()).toMatchObject({ count: 1, rollUps: 1, rollUpEvents: 257, rollUpBytes: 257 * 4096 })
    store.watch('db:a')
    const { losses } = store.ingest('db:a', document([write(9000)], [fold(1, 800, 257), fold(900, 1700, 257)]), true)
    expect(losses).toMatchObject([{ missingCount: 256, missingBytes: 256 * 4096 }])
    expect(store.ingest('db:a', document([], [fold(2000, 2600, 257)]), true).losses).toMatchObject([
      { missingCount: 257, missingBytes: 257 * 4096, startTicks: parseTicks(at(2000)) },
    ])
    expect(totals()).toMatchObject({ count: 2, rollUps: 3, rollUpEvents: 257 + 256 + 257 })
  })
})

describe('after a pause', () => {
  const seen = () => {
    const store = new IoStore()
    store.ingest('db:a', document([write(1), write(2)]), true)
    return store
  }

  test('a ring that still has the last event continues without loss', () => {
    expect(forgottenMarks('db:a', document([write(1), write(2), write(50)]), ringMarks(seen(), 'db:a'))).toEqual([])
  })

  test('so does one that folded it', () => {
    expect(forgottenMarks('db:a', document([write(50)], [fold(0, 40, 257)]), ringMarks(seen(), 'db:a'))).toEqual([])
  })

  test('a ring that restarted has forgotten', () => {
    expect(forgottenMarks('db:a', document([write(50)]), ringMarks(seen(), 'db:a'))).toMatchObject([
      { kind: 'JournalWrite', file: '1.journal' },
    ])
  })

  test('an environment that is gone has forgotten too: what its last events were is not known', () => {
    const other = readIo(bytesOf({ Environments: [{ Path: '/other', Type: 'Index', Files: [] }] }))
    expect(forgottenMarks('db:a', other, ringMarks(seen(), 'db:a'))).toHaveLength(1)
  })
})

test('late events go to their place, status of a delta is not believed', () => {
  const store = new IoStore()
  store.ingest('db:a', document([write(10), write(20)]), true)
  const late = readIo(
    bytesOf({
      Environments: [
        {
          Path: '/data',
          Type: 'Documents',
          Files: [{ File: '1.journal', Status: 'Closed', Recent: [write(15), write(5)], History: [] }],
        },
      ],
    }),
  )
  store.ingest('db:a', late, false)
  const lane = store.lanes.get('db:a|/data')!
  const { events } = lane.track('JournalWrite')
  expect([0, 1, 2, 3].map((row) => events.read(START, row))).toEqual(
    [5, 10, 15, 20].map((second) => parseTicks(at(second))),
  )
  expect(events.read(SIZE, 0)).toBe(4096)
  expect(lane.files).toMatchObject([{ name: '1.journal', status: 'InUse', sizeBytes: 65536 }])
})

test('the zeroing of a recycled journal is no journal write, and keeps its place in its ring', () => {
  const document = journalDocument(['0000000000000000012.journal', 'recyclable-journal.0000000000000000004'])
  const store = new IoStore()
  store.ingest('db:a', document, true)
  expect(totalsOf(store)).toEqual(
    new Map([
      ['/data JournalWrite', { count: 1, bytes: 65_536 }],
      ['/data JournalPreparation', { count: 1, bytes: 65_536 }],
    ]),
  )
  expect(forgottenMarks('db:a', document, ringMarks(store, 'db:a'))).toEqual([])
  const lane = store.lanes.get('db:a|/data')!
  const preparation = lane.tracks.get('JournalPreparation')!
  const ref = {
    lane: lane.id,
    kind: 'JournalPreparation',
    startTicks: preparation.events.read(START, 0) as never,
    durationTicks: 20_000 as never,
    sizeBytes: preparation.events.read(SIZE, 0) as never,
  }
  const card = cardResponse(store, new LaneNames(), { ref, sources: ['db:a'] })!
  expect(JSON.parse(card.json)).toMatchObject({ Event: { Type: 'JournalWrite' } })
})
