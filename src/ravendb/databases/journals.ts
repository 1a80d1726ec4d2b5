import type { Bytes } from '../../base/brand.ts'
import {
  asArray,
  asNumber,
  asObject,
  asString,
  orNull,
  unlessNegative,
  type JsonObject,
} from '../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../base/ticks.ts'

/** A journal file that the server keeps. */
export interface KeptJournal {
  readonly number: number
  readonly allocatedBytes: Bytes
  /** Number of its last transaction; null: not reported. */
  readonly lastTransaction: number | null
  /** All its transactions are in the data file, but not yet synced. */
  readonly isFlushed: boolean
}

/** The journals of one environment as the server reports them; null: not reported. */
export interface JournalReport {
  /** By number. */
  readonly journals: readonly KeptJournal[]
  readonly lastFlushedTransaction: number | null
  /** Transactions newer than an open read transaction are not flushed. */
  readonly oldestReadTransaction: number | null
  readonly lastFlushTicks: Ticks | null
  readonly lastSyncTicks: Ticks | null
  readonly unsyncedBytes: Bytes | null
  /** Number of released files that are kept for reuse; the server does not report which journals they were. */
  readonly spareFiles: number
  readonly spareBytes: Bytes
}

/** Reads `debug/storage/environment/report`. Errors: `ParseError`. */
export function readJournalReport(response: unknown): JournalReport {
  const report = asObject(asObject(response, '$')['Report'], '$.Report')
  const journals = asObject(report['Journals'], '$.Report.Journals')
  const memory = orNull(asObject, report['InMemoryState'], '$.Report.InMemoryState') ?? {}
  const flush = orNull(asObject, memory['FlushState'], '$.Report.InMemoryState.FlushState') ?? {}
  const sync = orNull(asObject, memory['SyncState'], '$.Report.InMemoryState.SyncState') ?? {}
  const flushed = numberOf(journals, 'LastFlushedTransaction')
  const spare = (orNull(asArray, report['TempBuffers'], '$.Report.TempBuffers') ?? [])
    .map((buffer) => asObject(buffer, '$.Report.TempBuffers[]'))
    .filter((buffer) => buffer['Type'] === 'RecyclableJournal')
  return {
    journals: (orNull(asArray, journals['Journals'], '$.Report.Journals.Journals') ?? [])
      .map((item, row) => readKept(asObject(item, `$.Report.Journals.Journals[${row}]`), flushed))
      .toSorted((a, b) => a.number - b.number),
    lastFlushedTransaction: flushed,
    oldestReadTransaction: numberOf(memory, 'PossibleOldestReadTransaction'),
    lastFlushTicks: momentOf(flush, 'LastFlushTime'),
    lastSyncTicks: momentOf(sync, 'LastSyncTime'),
    unsyncedBytes: numberOf(journals, 'TotalWrittenButUnsyncedBytes') as Bytes | null,
    spareFiles: spare.length,
    spareBytes: spare.reduce((sum, buffer) => sum + (numberOf(buffer, 'AllocatedSpaceInBytes') ?? 0), 0) as Bytes,
  }
}

function readKept(journal: JsonObject, flushed: number | null): KeptJournal {
  const lastTransaction = numberOf(journal, 'LastTransaction')
  return {
    number: asNumber(journal['Number'], '$…Journals[].Number'),
    allocatedBytes: (numberOf(journal, 'AllocatedSpaceInBytes') ?? 0) as Bytes,
    lastTransaction,
    isFlushed:
      journal['Flushed'] === true || (flushed !== null && lastTransaction !== null && lastTransaction <= flushed),
  }
}

const numberOf = (object: JsonObject, field: string): number | null => unlessNegative(object[field], `$….${field}`)

/** Time of a field; null for the year 1, which the server writes for "never". */
function momentOf(object: JsonObject, field: string): Ticks | null {
  const ticks = parseTicks(orNull(asString, object[field], `$….${field}`) ?? '')
  return Number.isNaN(ticks) ? null : ticks
}

/**
 * Why a journal is still needed. `current`: it is written to. `unflushed`: it has transactions that are not in the data
 * file. `unsynced`: all are in the data file, which is not synced yet. `past-need`: everything is synced, but the
 * server still keeps it. `released`: deleted or reused; the server does not report which. `unknown`: newer than the
 * report.
 */
export type JournalNeed = 'current' | 'unflushed' | 'unsynced' | 'past-need' | 'released' | 'unknown'

export function journalNeed(number: number, report: JournalReport): JournalNeed {
  const { journals, unsyncedBytes, lastFlushTicks, lastSyncTicks } = report
  const last = journals.at(-1)
  if (last === undefined || number > last.number) return 'unknown'
  if (number === last.number) return 'current'
  const kept = journals.find((journal) => journal.number === number)
  if (kept === undefined) return 'released'
  if (!kept.isFlushed) return 'unflushed'
  const isSynced =
    unsyncedBytes === 0 && lastFlushTicks !== null && lastSyncTicks !== null && lastSyncTicks > lastFlushTicks
  return isSynced ? 'past-need' : 'unsynced'
}
