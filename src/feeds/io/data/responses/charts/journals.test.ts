import { describe, expect, it } from 'vitest'
import { parseTicks, type Ticks } from '../../../../../base/ticks.ts'
import { readInto, requestsOf } from '../../../../../testing/filled-feeds.ts'
import type { IoJournalsParams } from '../../../contract/details.ts'
import { IoFeed } from '../../feed.ts'

const at = (second: number): string => `2026-11-23T07:00:${String(second).padStart(2, '0')}.0000000Z`
const ticks = (second: number, ms = 0): number => parseTicks(at(second)) + ms * 10_000
const event = (Type: string, second: number, Duration: number, Size = 4096) => ({
  Start: at(second),
  Size,
  FileSize: 65_536,
  Duration,
  Type,
})
const rollUp = (Type: string, from: number, to: number, Size: number) => ({
  Start: at(from),
  End: at(to),
  Size,
  FileSize: 65_536,
  Duration: (to - from) * 1000,
  ActiveDuration: 12,
  MaxDuration: 3,
  MinDuration: 0.1,
  Type,
})
const file = (File: string, Status: string, Recent: readonly object[], History: readonly object[] = []) => ({
  File,
  Status,
  Recent,
  History,
})

const LANE = 'db:shop|/data/shop'
const responseOf = (files: readonly object[], limit = 10, unknown: IoJournalsParams['unknown'] = []) => {
  const feed = new IoFeed()
  readInto(
    feed,
    'db:shop',
    JSON.stringify({ Environments: [{ Path: '/data/shop', Type: 'Documents', Files: files }], Performances: [] }),
  )
  return requestsOf([feed])('io.journals', { lane: LANE, limit, unknown })
}

const JOURNALS = [
  file('0000000000000000001.journal', 'Closed', [event('JournalWrite', 1, 2), event('JournalWrite', 4, 500)]),
  file('0000000000000000002.journal', 'InUse', [event('JournalWrite', 6, 3), event('Compression', 6, 1)]),
  file(
    '0000000000000000003.journal',
    'InUse',
    [event('JournalWrite', 30, 7, 8192)],
    [rollUp('JournalWrite', 8, 20, 900_000)],
  ),
  file('recyclable-journal.0000000000000000004', 'InUse', [event('JournalWrite', 9, 1)]),
]

describe('the life of journal files', () => {
  it('is what was recorded of each, newest first, with the earliest flush and sync that can cover it', async () => {
    const data = file('Raven.voron', 'InUse', [
      // Began before the last write of the first file ended.
      event('DataFlush', 4, 800),
      event('DataFlush', 5, 100),
      event('DataSync', 5, 50),
      event('DataSync', 7, 20),
      event('DataFlush', 10, 5),
    ])
    const { journals, older } = await responseOf([...JOURNALS, data])
    expect(older).toBe(0)
    expect(journals).toEqual([
      {
        name: '0000000000000000003.journal',
        number: 3,
        firstTicks: ticks(8),
        endTicks: ticks(30, 7),
        writes: 1,
        rollUps: 1,
        bytes: 908_192,
        fileBytes: 65_536,
        status: 'InUse',
        flush: null,
        sync: null,
      },
      {
        name: '0000000000000000002.journal',
        number: 2,
        firstTicks: ticks(6),
        endTicks: ticks(6, 3),
        writes: 1,
        rollUps: 0,
        bytes: 4096,
        fileBytes: 65_536,
        status: 'InUse',
        flush: { startTicks: ticks(10), endTicks: ticks(10, 5) },
        sync: null,
      },
      {
        name: '0000000000000000001.journal',
        number: 1,
        firstTicks: ticks(1),
        endTicks: ticks(4, 500),
        writes: 2,
        rollUps: 0,
        bytes: 8192,
        fileBytes: 65_536,
        status: 'Closed',
        flush: { startTicks: ticks(5), endTicks: ticks(5, 100) },
        sync: { startTicks: ticks(7), endTicks: ticks(7, 20) },
      },
    ])
  })

  it('does not take a flush for the first where a roll-up may hide an earlier one', async () => {
    const data = file('Raven.voron', 'InUse', [event('DataFlush', 20, 5)], [rollUp('DataFlush', 2, 12, 1000)])
    const { journals } = await responseOf([...JOURNALS, data])
    expect(journals.map(({ number, flush }) => [number, flush])).toEqual([
      [3, null],
      [2, null],
      [1, null],
    ])
  })

  it('takes no flush or sync for the first where an earlier one may lie in a coverage gap', async () => {
    const data = file('Raven.voron', 'InUse', [
      event('DataFlush', 10, 5),
      event('DataFlush', 15, 5),
      event('DataSync', 12, 50),
    ])
    const known = async (kind: string | null, from: number, to: number) => {
      const gap = { kind, startTicks: ticks(from) as Ticks, endTicks: ticks(to) as Ticks }
      const { journals } = await responseOf([...JOURNALS, data], 10, [gap])
      const { flush, sync } = journals.at(-1)!
      return [flush === null ? null : flush.startTicks, sync === null ? null : sync.startTicks]
    }
    const all = [ticks(10), ticks(12)]
    expect(await known(null, 2, 4)).toEqual(all)
    expect(await known('Compression', 5, 12)).toEqual(all)
    expect(await known('DataFlush', 11, 12)).toEqual(all)
    expect(await known(null, 5, 7)).toEqual([null, null])
    expect(await known('DataFlush', 9, 20)).toEqual([null, null])
    // The file may have been written to later.
    expect(await known('JournalWrite', 5, 7)).toEqual([null, null])
    expect(await known('DataSync', 5, 7)).toEqual(all)
    expect(await known('DataSync', 11, 12)).toEqual([ticks(10), null])
  })

  it('lists the newest, and counts the rest', async () => {
    const { journals, older } = await responseOf(JOURNALS, 1)
    expect(journals.map(({ number }) => number)).toEqual([3])
    expect(older).toBe(2)
  })
})
