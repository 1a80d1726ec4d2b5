import { describe, expect, it } from 'vitest'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { parseTicks } from '../../base/ticks.ts'
import { Governor } from '../governor/governor.ts'
import { DETAILS } from './database-details.ts'
import { journalNeed, readJournalReport } from './journals.ts'

const journal = (number: number, last: number, flushed: boolean) => ({
  Number: number,
  AllocatedSpaceInBytes: 8_388_608,
  Available4Kbs: 863,
  LastTransaction: last,
  Flushed: flushed,
})

/** As 6.2.4 answered under load; 7.1.5 and 5.4.207 have the same fields. */
const report = (unsynced: number, flushTime: string, syncTime: string, journals: readonly object[]) => ({
  Name: 'demo',
  Type: 'Documents',
  Report: {
    InMemoryState: {
      CurrentReadTransactionId: 18,
      PossibleOldestReadTransaction: 17,
      FlushState: { LastFlushTime: flushTime, LastFlushedJournalId: 5, ShouldFlush: true, JournalsToDelete: [4] },
      SyncState: { LastSyncTime: syncTime, TotalWrittenButUnsyncedBytes: unsynced, ShouldSync: true },
    },
    Journals: {
      LastFlushedJournal: 5,
      TotalWrittenButUnsyncedBytes: unsynced,
      LastFlushedTransaction: 15,
      Journals: journals,
    },
    TempBuffers: [
      { Name: 'scratch.0000000000.buffers', AllocatedSpaceInBytes: 67_108_864, Type: 'Scratch' },
      {
        Name: 'recyclable-journal.0000000000000000004',
        AllocatedSpaceInBytes: 2_097_152,
        Type: 'RecyclableJournal',
      },
    ],
  },
})
const [EARLIER, LATER] = ['2026-11-23T06:56:09.0919794Z', '2026-11-23T06:56:38.9824050Z']
const KEPT = [journal(5, 18, false), journal(4, 12, true), journal(3, 16, false)]

describe('the journals of an environment', () => {
  it('are read with what they wait for', () => {
    expect(readJournalReport(report(6_995_968, LATER, EARLIER, KEPT))).toEqual({
      journals: [
        { number: 3, allocatedBytes: 8_388_608, lastTransaction: 16, isFlushed: false },
        { number: 4, allocatedBytes: 8_388_608, lastTransaction: 12, isFlushed: true },
        { number: 5, allocatedBytes: 8_388_608, lastTransaction: 18, isFlushed: false },
      ],
      lastFlushedTransaction: 15,
      oldestReadTransaction: 17,
      lastFlushTicks: parseTicks(LATER),
      lastSyncTicks: parseTicks(EARLIER),
      unsyncedBytes: 6_995_968,
      spareFiles: 1,
      spareBytes: 2_097_152,
    })
  })

  it('are needed until flushed and then synced', () => {
    const read = readJournalReport(report(6_995_968, LATER, EARLIER, KEPT))
    expect([2, 3, 4, 5, 6].map((number) => journalNeed(number, read))).toEqual([
      'released',
      'unflushed',
      'unsynced',
      'current',
      'unknown',
    ])
  })

  it('are kept past their need only when a sync after the last flush left nothing', () => {
    const needOf = (unsynced: number, flush: string, sync: string) =>
      journalNeed(4, readJournalReport(report(unsynced, flush, sync, KEPT)))
    expect(needOf(0, EARLIER, LATER)).toBe('past-need')
    expect(needOf(0, LATER, EARLIER)).toBe('unsynced')
    expect(needOf(4096, EARLIER, LATER)).toBe('unsynced')
  })

  it('say what is not reported', () => {
    const bare = { Report: { Journals: { Journals: [{ Number: 7 }, { Number: 6 }] } } }
    const read = readJournalReport(bare)
    expect(read).toMatchObject({ unsyncedBytes: null, lastSyncTicks: null, oldestReadTransaction: null })
    expect(journalNeed(6, read)).toBe('unflushed')
    expect(() => readJournalReport({ Results: [] })).toThrow('$.Report')
  })

  it('are asked of a loaded database only, those of an index by its name', async () => {
    const signal = new AbortController().signal
    const raven = new FakeRaven()
    raven.on(/environment\/report/, () => report(0, EARLIER, LATER, KEPT))
    raven.on(/is-loaded/, () => ({ IsLoaded: false }))
    expect(await DETAILS.journals(new Governor(raven.env), { database: 'shop' }, signal)).toEqual({ loaded: false })
    expect(raven.loads).toEqual([])
  })
})
