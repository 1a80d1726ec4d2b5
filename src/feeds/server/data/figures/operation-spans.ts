import { formatDuration, formatPlural, formatRate, formatShare } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../../base/ticks.ts'
import { isRunning, taskWords } from '../../../../ravendb/operations-wire.ts'
import type { OperationSpan, OperationsOverTime } from '../../contract/operations.ts'
import type { MergerTime } from '../wire/merger-wire.ts'
import type { LoggedOperation, OperationLog } from './operation-log.ts'
import type { ReportedOperation } from './server-operations.ts'

/** Maximum number of rows that fit below a timeline. */
const MOST_ROWS = 6
/** Share of the time above which an activity took most of it. */
const MOST_OF_TIME = 0.5
/** Time for which a reading is valid; a new one comes every 20 s. */
const HOLDS_TICKS = 45 * TICKS_PER_SECOND

/**
 * Interval between two readings, or between a reading and the start or end of an operation. Null: not reported there.
 */
interface Stretch extends TimeRange {
  readonly items: number | null
  readonly batches: number | null
}

const difference = (from: number | null, to: number | null): number | null =>
  from === null || to === null || to < from ? null : to - from

function stretchesOf({ newest, readings }: LoggedOperation): Stretch[] {
  const { startTicks, endTicks, processed } = newest
  const isBulk = newest.task === 'BulkInsert'
  const points = [{ atTicks: startTicks, processed: 0, batches: isBulk ? 0 : null }, ...readings]
  if (!isRunning(newest) && endTicks !== null) points.push({ atTicks: endTicks, processed, batches: null })
  return points.slice(1).flatMap((point, row): Stretch[] => {
    const before = points[row] as (typeof points)[number]
    if (point.atTicks <= before.atTicks) return []
    return [
      {
        startTicks: before.atTicks,
        endTicks: point.atTicks,
        items: difference(before.processed, point.processed),
        batches: difference(before.batches, point.batches),
      },
    ]
  })
}

/** Mean of the merger times whose middle lies in the interval; null: the transaction merger reported none. */
function mergerIn(times: readonly MergerTime[], { startTicks, endTicks }: TimeRange): MergerTime | null {
  const own = times.filter(({ atTicks }) => atTicks >= startTicks && atTicks < endTicks)
  const first = own[0]
  if (first === undefined) return null
  const mean = (part: 'waits' | 'transactions'): number => own.reduce((sum, each) => sum + each[part], 0) / own.length
  return { ...first, waits: mean('waits'), transactions: mean('transactions') }
}

/**
 * Activity that took most of the merger's time. Used for bulk inserts only, since other clients may write to the same
 * database.
 */
function labelOf({ waits, transactions }: MergerTime): OperationSpan['label'] {
  if (waits >= MOST_OF_TIME) return 'client'
  if (transactions >= MOST_OF_TIME) return 'merger'
  return 1 - waits - transactions >= MOST_OF_TIME ? 'disk' : 'running'
}

const VERDICTS: Readonly<Partial<Record<OperationSpan['label'], string>>> = {
  client: 'The client or the network limits it.',
  merger: 'Transactions take most of the time.',
  disk: 'Commits, which write the journal, take most of the time.',
}

function spanOf({ newest }: LoggedOperation, stretch: Stretch, times: readonly MergerTime[]): OperationSpan {
  const { startTicks, endTicks, items, batches } = stretch
  const perSecond = items === null ? null : (items / (endTicks - startTicks)) * TICKS_PER_SECOND
  const merger = newest.task === 'BulkInsert' ? mergerIn(times, stretch) : null
  const label = merger === null ? 'running' : labelOf(merger)
  const name = taskWords(newest.task)
  const evidence = [
    `Operation ${String(newest.id)} of “${newest.database}”.`,
    items === null || perSecond === null
      ? 'Its pace is not reported here.'
      : `${formatPlural(items, 'item')} in ${formatDuration(endTicks - startTicks)}: ${formatRate(perSecond)}.`,
  ]
  if (batches !== null && batches > 0)
    evidence.push(
      `${formatPlural(batches, 'batch', 'batches')}, one every ${formatDuration((endTicks - startTicks) / batches)}.`,
    )
  else if (batches === 0) evidence.push('No batch came.')
  if (merger !== null) {
    const [waits, transactions, commits] = [merger.waits, merger.transactions, 1 - merger.waits - merger.transactions]
    evidence.push(
      `The transaction merger waited for writes ${formatShare(waits)} of the time, executed transactions ${formatShare(transactions)}, committed ${formatShare(commits)}.`,
    )
  }
  const verdict = VERDICTS[label]
  if (verdict !== undefined) evidence.push(verdict)
  const title = perSecond === null ? name : `${name} ${formatRate(perSecond)}`
  return { startTicks, endTicks, label, title, evidence }
}

/**
 * Span after the last reading; none if the operation has ended, is known up to now, or its reading is no longer valid.
 */
function restOf({ newest, readTicks }: LoggedOperation, nowTicks: Ticks): OperationSpan[] {
  if (!isRunning(newest) || readTicks >= nowTicks || nowTicks - readTicks > HOLDS_TICKS) return []
  const evidence = [
    `Operation ${String(newest.id)} of “${newest.database}” ran ${formatDuration(nowTicks - readTicks)} ago, when it was read last.`,
  ]
  return [{ startTicks: readTicks, endTicks: nowTicks, label: 'unknown', title: taskWords(newest.task), evidence }]
}

/**
 * Spans of an operation of the server, such as a compaction or a restore. The server reports each step, but the steps
 * do not give a pace. After the last report the state is unknown. It is no longer shown if the connection that reported
 * the operation was lost and the next one did not report it.
 */
function spansOfServer({ operation, atTicks, isFollowed }: ReportedOperation, nowTicks: Ticks): OperationSpan[] {
  const { id, task, description, startTicks, text } = operation
  const title = taskWords(task)
  const name = `Operation ${String(id)} of the server.`
  const endTicks = isRunning(operation) ? atTicks : operation.endTicks
  if (startTicks === null || endTicks === null) return []
  const evidence = [name, description, text].filter((line) => line !== '')
  const known: OperationSpan[] =
    endTicks > startTicks ? [{ startTicks, endTicks, label: 'running', title, evidence }] : []
  if (!isFollowed || nowTicks <= endTicks) return known
  const rest = [name, description, `It ran ${formatDuration(nowTicks - endTicks)} ago, when it was reported last.`]
  return [...known, { startTicks: endTicks, endTicks: nowTicks, label: 'unknown', title, evidence: rest }]
}

const inSight = (range: TimeRange, { startTicks, endTicks }: TimeRange): boolean =>
  startTicks < range.endTicks && endTicks > range.startTicks

function spansOf(operation: LoggedOperation, times: readonly MergerTime[], nowTicks: Ticks): OperationSpan[] {
  return stretchesOf(operation)
    .map((stretch) => spanOf(operation, stretch, times))
    .concat(restOf(operation, nowTicks))
}

/**
 * Operations in a time range, of databases and of the server. Each is put into the first row that is free when it
 * starts. If rows run out, the operations that began last are left out.
 */
export function operationsOverTime(
  log: OperationLog,
  ofServer: readonly ReportedOperation[],
  range: TimeRange,
  nowTicks: Ticks,
): OperationsOverTime {
  const spans = [
    ...log.all.map((operation) => spansOf(operation, log.times(operation.newest.database), nowTicks)),
    ...ofServer.map((operation) => spansOfServer(operation, nowTicks)),
  ].toSorted((a, b) => (a[0]?.startTicks ?? 0) - (b[0]?.startTicks ?? 0))
  const rows: OperationSpan[][] = []
  let left = 0
  for (const own of spans) {
    const seen = own.filter((span) => inSight(range, span))
    const first = seen[0]
    if (first === undefined) continue
    const free = rows.find((row) => (row.at(-1)?.endTicks ?? 0) <= first.startTicks)
    if (free !== undefined) free.push(...seen)
    else if (rows.length < MOST_ROWS) rows.push(seen)
    else left++
  }
  return { rows, left }
}
