import { timesIn } from '../../../../capture/client/times.ts'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import { parseTicks, type Ticks } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { JournalReport } from '../../../../ravendb/databases/journals.ts'
import type { IoJournal } from '../../../../feeds/io/contract/details.ts'
import { describeReport, journalRows, unknownOf } from './journal-rows.ts'

const at = (text: string): Ticks => parseTicks(`2026-11-23T${text}Z`)
const seen = (number: number, status: string | null = 'InUse'): IoJournal => ({
  name: `${String(number).padStart(19, '0')}.journal`,
  number,
  firstTicks: at('07:00:00'),
  endTicks: at('07:00:05'),
  writes: 3,
  rollUps: 0,
  bytes: 12_288 as Bytes,
  fileBytes: 65_536 as Bytes,
  status,
  flush: null,
  sync: null,
})
const REPORT: JournalReport = {
  journals: [
    { number: 3, allocatedBytes: 65_536 as Bytes, lastTransaction: 16, isFlushed: false },
    { number: 4, allocatedBytes: 65_536 as Bytes, lastTransaction: 12, isFlushed: true },
    { number: 5, allocatedBytes: 65_536 as Bytes, lastTransaction: 18, isFlushed: false },
  ],
  lastFlushedTransaction: 13,
  oldestReadTransaction: 14,
  lastFlushTicks: at('07:00:10'),
  lastSyncTicks: at('07:00:20'),
  unsyncedBytes: 2048 as Bytes,
  spareFiles: 1,
  spareBytes: 65_536 as Bytes,
}

const TIME = timesIn(null, 'utc')

describe('rows of journal files', () => {
  it('join what was recorded with what the server keeps', () => {
    const rows = journalRows([seen(6), seen(5), seen(2)], REPORT, TIME)
    expect(rows.map(({ number, need, seen: own }) => [number, need, own === null])).toEqual([
      [6, 'unknown', false],
      [5, 'current', false],
      [4, 'unsynced', true],
      [3, 'unflushed', true],
      [2, 'released', false],
    ])
  })

  it('give the evidence of what a file is still needed for', () => {
    const words = (report: JournalReport, number: number) =>
      journalRows([], report, TIME).find((row) => row.number === number)?.words
    expect(words(REPORT, 3)).toBe(
      'Needed until flushed (its last transaction is 16, flushed are those up to 13); read transaction 14 goes on and holds newer ones back',
    )
    expect(words({ ...REPORT, oldestReadTransaction: 18 }, 3)).not.toContain('read transaction')
    expect(words(REPORT, 4)).toBe(
      'Needed until synced: flushed, 2.00 KiB of the data file not synced (last flush 07:00:10.000, last sync 07:00:20.000)',
    )
    const past = { ...REPORT, unsyncedBytes: 0 as Bytes }
    expect(words(past, 4)).toBe(
      'Kept past its need: flushed and synced (last flush 07:00:10.000, last sync 07:00:20.000, nothing left to sync)',
    )
    expect(journalRows([], past, TIME).find(({ number }) => number === 4)?.tone).toBe('warn')
    expect(describeReport(past, '07:00:21')).toBe(
      'At 07:00:21 the server kept 3 journal files of 192 KiB, 1 of them past its need. 1 spare file of 64.0 KiB could be used again.',
    )
  })

  it('say what a document reported where no server is asked', () => {
    expect(journalRows([seen(2, 'Closed'), seen(3), seen(4, null)], null, TIME).map(({ words }) => words)).toEqual([
      '—',
      'In use when it was last reported',
      'Closed by the server',
    ])
  })
})

it('takes gaps of the environment and of its whole source as unknown, but for those that roll-ups stand for', () => {
  const gap: Gap = {
    id: 1,
    source: 'db:shop',
    lane: null,
    kind: null,
    reason: 'socket-closed',
    startTicks: at('07:00:06'),
    endTicks: at('07:00:08'),
    missingCount: null,
    missingBytes: null,
    detail: '',
  }
  const gaps: Gap[] = [
    gap,
    { ...gap, source: 'db:other' },
    { ...gap, lane: 'other' },
    { ...gap, lane: 'own', kind: 'DataSync' },
    { ...gap, lane: 'own', kind: 'DataFlush', missingBytes: 4096 as Bytes },
  ]
  const span = { startTicks: gap.startTicks, endTicks: gap.endTicks }
  expect(unknownOf(gaps, { id: 'own', source: 'db:shop' })).toEqual([
    { kind: null, ...span },
    { kind: 'DataSync', ...span },
  ])
})
