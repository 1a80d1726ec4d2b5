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
  /** All that it holds is in the data file, not yet durably. */
  readonly isFlushed: boolean
}

/** The journals of one environment as the server reports them; null: not reported. */
export interface JournalReport {
  /** By number. */
  readonly journals: readonly KeptJournal[]
  readonly lastFlushedTransaction: number | null
  /** No flush takes what is newer than a read transaction that goes on. */
  readonly oldestReadTransaction: number | null
  readonly lastFlushTicks: Ticks | null
  readonly lastSyncTicks: Ticks | null
  readonly unsyncedBytes: Bytes | null
  /** Released files that are kept to be used again; which journal one was is not reported. */
  readonly spareFiles: number
  readonly spareBytes: Bytes
}

/** `debug/storage/environment/report`. Errors: `ParseError`. */
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

/** The server writes the year 1 for never. */
function momentOf(object: JsonObject, field: string): Ticks | null {
  const ticks = parseTicks(orNull(asString, object[field], `$….${field}`) ?? '')
  return Number.isNaN(ticks) ? null : ticks
}

/**
 * Reason why a journal is still needed. `current`: it is written to. `unflushed`: transactions in it are not in the
 * data file. `unsynced`: they are, but only a sync makes that durable. `past-need`: all is synced, and the server keeps
 * it nevertheless. `released`: deleted or used again, which of both is not reported. `unknown`: it is newer than the
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
