import type { TimeText } from '../../../../capture/client/times.ts'
import type { Bytes } from '../../../../base/brand.ts'
import { formatBytes, formatCount, formatPlural, UNKNOWN } from '../../../../base/text/format.ts'
import { ALL_TIMES, formatTicks, type Ticks } from '../../../../base/ticks.ts'
import { unknownSpans } from '../../../../capture/client/compare-sides.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { ListColumn } from '../../../../capture/exporting/list-text.ts'
import { journalNeed, type JournalNeed, type JournalReport } from '../../../../ravendb/databases/journals.ts'
import type { Tone } from '../../../../ui/Badge.tsx'
import type { IoJournal, IoJournalsParams } from '../../../../feeds/io/contract/details.ts'
import type { IoLane } from '../../../../feeds/io/contract/lanes.ts'

/** A journal file, known from its recorded I/O, from the server's report, or from both. */
export interface JournalRow {
  readonly number: number
  readonly name: string
  /** Recorded writes to the file; null: none. */
  readonly seen: IoJournal | null
  /** Reason why the server keeps the file; null: not requested. */
  readonly need: JournalNeed | null
  readonly tone: Tone
  /** Text with the reason why the file is still needed, and the evidence. */
  readonly words: string
}

/** Time ranges in which some events of an environment are not known; excludes events covered by roll-ups. */
export const unknownOf = (
  gaps: readonly Gap[],
  { id, source }: Pick<IoLane, 'id' | 'source'>,
): IoJournalsParams['unknown'] =>
  unknownSpans(gaps, [source], ALL_TIMES)
    .filter(({ lane }) => lane === null || lane === id)
    .map(({ kind, startTicks, endTicks }) => ({ kind, startTicks, endTicks }))

/** Journals that were written to during the recording, and those that the server keeps; newest first. */
export function journalRows(
  journals: readonly IoJournal[],
  report: JournalReport | null,
  time: TimeText,
): readonly JournalRow[] {
  const numbers = new Set([...journals, ...(report?.journals ?? [])].map(({ number }) => number))
  return [...numbers]
    .toSorted((a, b) => b - a)
    .map((number) => {
      const seen = journals.find((journal) => journal.number === number) ?? null
      const need = report === null ? null : journalNeed(number, report)
      return {
        number,
        name: seen?.name ?? `${String(number).padStart(19, '0')}.journal`,
        seen,
        need,
        tone: need === null ? 'idle' : TONES[need],
        words: report === null || need === null ? reportedStatus(seen) : describeNeed(number, need, report, time),
      }
    })
}

const TONES: Record<JournalNeed, Tone> = {
  current: 'ok',
  unflushed: 'busy',
  unsynced: 'busy',
  'past-need': 'warn',
  released: 'idle',
  unknown: 'idle',
}

/** Status according to the recorded writes, without a request for the state of journals. */
function reportedStatus(seen: IoJournal | null): string {
  if (seen?.status === 'Closed') return 'Closed by the server'
  if (seen?.status === 'InUse') return 'In use when it was last reported'
  return seen?.status ?? UNKNOWN
}

function describeNeed(number: number, need: JournalNeed, report: JournalReport, time: TimeText): string {
  const { lastFlushedTransaction, oldestReadTransaction, lastFlushTicks, lastSyncTicks, unsyncedBytes } = report
  const last = report.journals.find((journal) => journal.number === number)?.lastTransaction ?? null
  if (need === 'current') return 'In use: written to'
  if (need === 'released') return 'Released: deleted, or kept as a spare file'
  if (need === 'unknown') return 'Newer than the report'
  if (need === 'unflushed') {
    const upTo =
      last === null || lastFlushedTransaction === null
        ? ''
        : ` (its last transaction is ${formatCount(last)}, flushed are those up to ${formatCount(lastFlushedTransaction)})`
    const isHeld = last !== null && oldestReadTransaction !== null && oldestReadTransaction < last
    const by = isHeld
      ? `; read transaction ${formatCount(oldestReadTransaction)} goes on and holds newer ones back`
      : ''
    return `Needed until flushed${upTo}${by}`
  }
  const times = `last flush ${timeOf(lastFlushTicks, time)}, last sync ${timeOf(lastSyncTicks, time)}`
  return need === 'past-need'
    ? `Kept past its need: flushed and synced (${times}, nothing left to sync)`
    : `Needed until synced: flushed, ${unsyncedBytes === null ? 'an unknown amount' : formatBytes(unsyncedBytes)} of the data file not synced (${times})`
}

const timeOf = (ticks: Ticks | null, time: TimeText): string => (ticks === null ? 'not reported' : time(ticks, 3))

/** Describes the journals that the server keeps, with the time of the report. */
export function describeReport(report: JournalReport, time: string): string {
  const { journals, spareFiles, spareBytes } = report
  const past = journals.filter(({ number }) => journalNeed(number, report) === 'past-need').length
  const bytes = journals.reduce((sum, { allocatedBytes }) => sum + allocatedBytes, 0)
  const kept = `At ${time} the server kept ${formatPlural(journals.length, 'journal file')} of ${formatBytes(bytes)}`
  const flagged = past === 0 ? '' : `, ${formatCount(past)} of them past ${past === 1 ? 'its' : 'their'} need`
  const spare =
    spareFiles === 0
      ? ''
      : ` ${formatPlural(spareFiles, 'spare file')} of ${formatBytes(spareBytes)} could be used again.`
  return `${kept}${flagged}.${spare}`
}

const utc = (ticks: Ticks | undefined): string | null => (ticks === undefined ? null : formatTicks(ticks))

export const JOURNAL_COLUMNS: readonly ListColumn<JournalRow>[] = [
  { name: 'file', value: ({ name }) => name },
  { name: 'first_write_utc', value: ({ seen }) => utc(seen?.firstTicks) },
  { name: 'last_write_end_utc', value: ({ seen }) => utc(seen?.endTicks) },
  { name: 'writes', value: ({ seen }) => seen?.writes ?? null },
  { name: 'roll_ups', value: ({ seen }) => seen?.rollUps ?? null },
  { name: 'written_bytes', value: ({ seen }) => seen?.bytes ?? null },
  { name: 'file_bytes', value: ({ seen }) => (seen?.fileBytes ?? null) satisfies Bytes | null },
  { name: 'flushed_not_before_utc', value: ({ seen }) => utc(seen?.flush?.endTicks) },
  { name: 'synced_not_before_utc', value: ({ seen }) => utc(seen?.sync?.endTicks) },
  { name: 'state', value: ({ words }) => words },
]
