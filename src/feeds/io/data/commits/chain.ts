import { bisectLeft } from '../../../../base/columns/bisect.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../../base/ticks.ts'
import type { MergerSpan } from '../../../../ravendb/databases/perf-metrics.ts'
import type { IoCommit, IoCommitSums } from '../../contract/details.ts'

/** An I/O event of the documents' environment. */
export interface CommitIo {
  readonly startTicks: number
  readonly durationTicks: number
}

/** Durations are reported in steps of 10 µs, so an end may be wrong by half of that. */
const ROUNDING_TICKS = 50

/**
 * Orders the steps around each transaction of the merger, oldest first. The journal write of a transaction is the first
 * one that begins between its end and the end of the next transaction: a transaction waits for the write of the
 * previous one. All inputs ascend by start.
 */
export function chainCommits(
  waits: readonly MergerSpan[],
  transactions: readonly MergerSpan[],
  writes: readonly CommitIo[],
  compressions: readonly CommitIo[],
): IoCommit[] {
  const firstFrom = (events: readonly CommitIo[], ticks: number): CommitIo | undefined =>
    events[bisectLeft(events, ticks, ({ startTicks }) => startTicks)]
  return transactions.map((transaction, i): IoCommit => {
    const { startTicks, durationTicks, operations, commands } = transaction
    const endTicks = startTicks + durationTicks
    const next = transactions[i + 1]
    const before = transactions[i - 1]
    const untilTicks = next === undefined ? Number.POSITIVE_INFINITY : endOf(next) - ROUNDING_TICKS
    const found = firstFrom(writes, endTicks - ROUNDING_TICKS)
    const write = found !== undefined && found.startTicks < untilTicks ? found : null
    const packed = firstFrom(compressions, endTicks - ROUNDING_TICKS)
    const compression = write !== null && packed !== undefined && packed.startTicks <= write.startTicks ? packed : null
    const wait = waits[bisectLeft(waits, startTicks, ({ startTicks: at }) => at) - 1]
    const isOwn =
      wait !== undefined &&
      endOf(wait) <= startTicks + ROUNDING_TICKS &&
      (before === undefined || wait.startTicks >= before.startTicks)
    // If the reported waits reach back this far, a missing wait means that work was available.
    const isKnown =
      isOwn || (waits[0] !== undefined && before !== undefined && waits[0].startTicks <= before.startTicks)
    const commitTicks = write === null ? 0 : Math.max(0, write.startTicks + write.durationTicks - endTicks)
    const parts = (write?.durationTicks ?? 0) + (compression?.durationTicks ?? 0)
    return {
      startTicks,
      waitTicks: isOwn ? wait.durationTicks : isKnown ? (0 as TickSpan) : null,
      transactionTicks: durationTicks,
      writers: operations,
      commands,
      compressionTicks: (compression?.durationTicks ?? null) as TickSpan | null,
      otherTicks: Math.max(0, commitTicks - parts) as TickSpan,
      journalTicks: (write?.durationTicks ?? null) as TickSpan | null,
      journalStartTicks: (write?.startTicks ?? null) as Ticks | null,
      nextStartTicks: next?.startTicks ?? null,
    }
  })
}

const endOf = ({ startTicks, durationTicks }: MergerSpan): number => startTicks + durationTicks

/**
 * Sums up the commits whose transaction begins in the range and whose wait and journal write are known; null: there are
 * none. Without a compression step, the transaction was written uncompressed.
 */
export function sumCommits(commits: readonly IoCommit[], { startTicks, endTicks }: TimeRange): IoCommitSums | null {
  const inRange = commits.filter((commit) => commit.startTicks >= startTicks && commit.startTicks < endTicks)
  const known = inRange.filter(({ waitTicks, journalTicks }) => waitTicks !== null && journalTicks !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return null
  const sum = (of: (commit: IoCommit) => number | null): TickSpan =>
    known.reduce((all, commit) => all + (of(commit) ?? 0), 0) as TickSpan
  return {
    commits: known.length,
    leftOut: inRange.length - known.length,
    firstTicks: first.startTicks,
    lastTicks: last.startTicks,
    waitTicks: sum(({ waitTicks }) => waitTicks),
    transactionTicks: sum(({ transactionTicks }) => transactionTicks),
    otherTicks: sum(({ otherTicks }) => otherTicks),
    compressionTicks: sum(({ compressionTicks }) => compressionTicks),
    journalTicks: sum(({ journalTicks }) => journalTicks),
    writers: known.reduce((all, { writers }) => all + writers, 0),
    mostWriters: known.reduce((most, { writers }) => Math.max(most, writers), 0),
  }
}
