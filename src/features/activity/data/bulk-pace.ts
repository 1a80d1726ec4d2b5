import { formatDuration, formatRate, formatShare } from '../../../base/text/format.ts'
import { spanFromMs, type Ticks } from '../../../base/ticks.ts'
import { isRunning, type Operation } from '../../../ravendb/operations-wire.ts'

/** Share of waiting from which on the transaction merger is not the limit. */
const MOSTLY_WAITS = 0.5

/** Share of the time around a moment in which a transaction merger waited for writes. */
export interface MergerWaits {
  readonly atTicks: Ticks
  readonly waits: number
}

/**
 * Running bulk inserts with their rate since an earlier reading, `overMs` before: items per second, and time between
 * batches. `times`: from the newest report of the database's transaction merger; only those during the bulk insert
 * count.
 */
export function withPace(
  operations: readonly Operation[],
  before: readonly Operation[],
  overMs: number,
  times: readonly MergerWaits[],
): Operation[] {
  return operations.map((operation) => {
    const earlier = before.find(({ id, startTicks }) => id === operation.id && startTicks === operation.startTicks)
    if (!isRunning(operation) || operation.batches === null || earlier?.batches == null || overMs <= 0) return operation
    const batches = operation.batches - earlier.batches
    const items = (operation.processed ?? 0) - (earlier.processed ?? 0)
    const pace =
      batches <= 0
        ? ` No batch in the last ${formatDuration(spanFromMs(overMs))}.`
        : ` Now ${formatRate((items / overMs) * 1000)}, a batch every ${formatDuration(spanFromMs(overMs / batches))}.`
    const own = times.filter(({ atTicks }) => atTicks > (operation.startTicks ?? Number.POSITIVE_INFINITY))
    const waits = own.reduce((sum, each) => sum + each.waits, 0) / own.length
    const client = !(waits >= MOSTLY_WAITS)
      ? ''
      : ` The transaction merger waits for writes ${formatShare(waits)} of the time: the client or the network limits it.`
    return { ...operation, text: `${operation.text}${pace}${client}` }
  })
}
