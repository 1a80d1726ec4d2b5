import { Fields } from '../../base/json/fields.ts'
import type { Ticks } from '../../base/ticks.ts'
import { readMergerSpans } from '../databases/perf-metrics.ts'

/* Readers of responses of a database by which writes that fail are recognised. Errors: `ParseError`. */

/** Something that failed each time since it last succeeded. */
export interface Failures {
  readonly count: number
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
}

function failuresOf(events: readonly { readonly atTicks: Ticks; readonly isDone: boolean }[]): Failures | null {
  const sorted = events.toSorted((a, b) => a.atTicks - b.atTicks)
  const failed = sorted.slice(sorted.findLastIndex(({ isDone }) => isDone) + 1)
  const [first, last] = [failed[0], failed.at(-1)]
  return first === undefined || last === undefined
    ? null
    : { count: failed.length, sinceTicks: first.atTicks, untilTicks: last.atTicks }
}

/**
 * Reads what failed at the end in the storage of documents, by `debug/io-metrics`. Null: the last one did not fail.
 * `flushes`: those to the data file that wrote nothing; one that has nothing to write is not an event. `commits`:
 * transactions that were compressed for the journal, which the write follows, and not written.
 */
export function readStorageFailures(response: unknown): {
  readonly flushes: Failures | null
  readonly commits: Failures | null
} {
  const events = new Fields(response)
    .each('Environments')
    .filter((each) => each.textOrNull('Type') === 'Documents')
    .flatMap((environment) => environment.eachOrNone('Files'))
    .flatMap((file) => file.eachOrNone('Recent'))
    .flatMap((each) => {
      const atTicks = each.ticksOrNull('Start')
      return atTicks === null ? [] : [{ atTicks, type: each.textOrNull('Type'), bytes: each.numberOrNull('Size') }]
    })
  return {
    flushes: failuresOf(
      events.filter(({ type }) => type === 'DataFlush').map(({ atTicks, bytes }) => ({ atTicks, isDone: bytes !== 0 })),
    ),
    commits: failuresOf(
      events
        .filter(({ type }) => type === 'Compression' || type === 'JournalWrite')
        .map(({ atTicks, type }) => ({ atTicks, isDone: type === 'JournalWrite' })),
    ),
  }
}

/**
 * Reads transactions in `debug/perf-metrics`: those at the end in which no command was executed. A single write that was
 * refused, such as by a conflict, also looks like that. Null: commands were executed in the last one.
 */
export const readEmptyTransactions = (response: unknown): Failures | null =>
  failuresOf(
    readMergerSpans(response, 'Transaction').single.map(({ startTicks, commands }) => ({
      atTicks: startTicks,
      isDone: commands !== 0,
    })),
  )
