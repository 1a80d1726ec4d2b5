import type { Bytes } from '../../../../base/brand.ts'
import type { TickSpan, Ticks } from '../../../../base/ticks.ts'
import { parseSourceId } from '../../../../capture/client/state.ts'
import type { BudgetLog, IndexBudgetLog } from '../budget-log.ts'
import { THREAD_HOLD_TICKS } from '../budget-log.ts'
import type { IndexFactsStore } from '../facts.ts'
import type { MemoryColumn, MemoryLog } from '../memory-log.ts'
import { isLowEvent, MEMORY_COLUMNS, MEMORY_HOLD_TICKS } from '../memory-log.ts'
import type {
  IndexingBarResponse,
  IndexingBarParams,
  IndexingMemoryResponse,
  IndexingMemoryParams,
  LowMemoryEvent,
  MemoryBar,
} from '../../contract/memory.ts'
import { NO_FILTER } from '../../contract/batches.ts'
import { LOW_MEMORY_SEVERITIES } from '../../contract/memory.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { BUDGET, CHECKED, ID } from '../index-table.ts'
import { measuredOrNaN } from './batch-row.ts'
import { reachingInto, tablesOf } from './parts.ts'
import { pixelGrid } from './pixel-grid.ts'

const MOST_EVENTS = 1000

/** Samples of memory: at most one per pixel, the one with the least available memory. */
export function memoryResponse(log: MemoryLog, params: IndexingMemoryParams): IndexingMemoryResponse {
  const grid = pixelGrid(params.pieces)
  const chosen: number[] = []
  for (let px = 0; px < grid.xPx.length; px++) {
    const to = log.lowerBound(grid.endTicks[px] as number)
    let least = -1
    for (let at = log.lowerBound(grid.startTicks[px] as number); at < to; at++)
      if (least === -1 || availableOf(log, at) < availableOf(log, least)) least = at
    if (least !== -1 && chosen.at(-1) !== least) chosen.push(least)
  }
  const columns = Object.fromEntries(
    MEMORY_COLUMNS.map((name) => [name, Float64Array.from(chosen, (at) => log.columns[name][at] as number)]),
  ) as Record<MemoryColumn, Float64Array>
  return {
    length: chosen.length,
    ...columns,
    lowLimitBytes: log.lowLimitBytes,
    lowMemory: log.events
      .filter(({ atTicks }) => params.pieces.some((piece) => atTicks >= piece.startTicks && atTicks < piece.endTicks))
      .slice(-MOST_EVENTS)
      .map((event) => Object.assign({ isLow: isLowEvent(event.event) }, event) as LowMemoryEvent),
  }
}

const availableOf = ({ columns }: MemoryLog, at: number): number => {
  const available = columns.availableForProcessingBytes[at] as number
  return Number.isNaN(available) ? (columns.availableBytes[at] as number) : available
}

/** Memory at the cursor: a bar for the machine, and the memory that each index held. */
export function barResponse(
  store: BatchStore,
  facts: IndexFactsStore,
  budgets: BudgetLog,
  memory: MemoryLog,
  { sources, atTicks }: IndexingBarParams,
): IndexingBarResponse {
  const indexes: IndexingBarResponse['indexes'][number][] = []
  let notMeasured = 0
  for (const key of new Set([...store.indexes.keys(), ...facts.keys()])) {
    const table = store.indexes.get(key)
    const index = table ?? facts.get(key)
    if (index === undefined || !sources.includes(index.source)) continue
    // A file describes one moment, but its entries were written some seconds apart.
    const hold = parseSourceId(index.source)?.kind === 'file' ? MEMORY_HOLD_TICKS : THREAD_HOLD_TICKS
    const { isRunning, ...held } = heldBy(store, budgets.of(key), table, atTicks, hold)
    if (held.nowBytes === null && held.checkedBytes === null && held.grantedBytes === null && !isRunning) notMeasured++
    else indexes.push({ index: key, name: index.name, ...held })
  }
  const size = (row: (typeof indexes)[number]): number =>
    Math.max(row.nowBytes ?? 0, row.checkedBytes ?? 0, row.grantedBytes ?? 0)
  return {
    bar: barAt(memory, atTicks),
    indexes: indexes.toSorted((a, b) => size(b) - size(a)),
    notMeasured,
  }
}

const measuredOrNull = (value: number): Bytes | null => (Number.isNaN(value) ? null : (value as Bytes))

/** Memory that an index held at a time. `index` undefined: no batch of it is known. */
function heldBy(
  store: BatchStore,
  log: IndexBudgetLog,
  index: IndexTable | undefined,
  atTicks: number,
  threadHoldTicks: number,
) {
  let checked = Number.NaN
  let granted = Number.NaN
  let isRunning = false
  for (const { events } of index === undefined ? [] : tablesOf(store, index, NO_FILTER))
    for (const row of reachingInto(events, atTicks)) {
      isRunning = true
      const note = log.notesOf(events.read(0, row), events.read(ID, row)).findLast((each) => each.atTicks <= atTicks)
      checked = note?.checkedBytes ?? measuredOrNaN(events.read(CHECKED, row))
      granted = note?.budgetBytes ?? measuredOrNaN(events.read(BUDGET, row))
    }
  if (!isRunning) granted = log.held.at(atTicks, 300_000_000)
  return {
    nowBytes: measuredOrNull(log.threads.at(atTicks, threadHoldTicks)),
    checkedBytes: measuredOrNull(checked),
    grantedBytes: measuredOrNull(granted),
    isRunning,
  }
}

/** Bar of the machine at a time; null: no usable sample. The parts sum to the physical memory; see `MemoryBar`. */
function barAt(log: MemoryLog, atTicks: Ticks): MemoryBar | null {
  const at = log.nearest(atTicks)
  if (at === -1) return null
  const read = (name: MemoryColumn): number => log.columns[name][at] as number
  const physical = read('physicalBytes')
  if (Number.isNaN(physical)) return null
  let left = physical
  const part = (name: MemoryBar['parts'][number]['part'], bytes: number) => {
    const taken = Math.min(left, Math.max(0, Number.isNaN(bytes) ? 0 : bytes))
    left -= taken
    return { part: name, bytes: taken as Bytes }
  }
  const free = read('availableBytes')
  const available = read('availableForProcessingBytes')
  const own = part('private', read('privateBytes'))
  const freePart = part('free', Number.isNaN(available) ? free : Math.min(free, available))
  const clean = part('clean', available - free)
  const other = { part: 'other', bytes: left as Bytes } as const
  const parts = [...(Number.isNaN(read('privateBytes')) ? [] : [own]), other, clean, freePart]
  const severity = LOW_MEMORY_SEVERITIES[log.severity[at] as number]
  return {
    ageTicks: Math.abs(read('atTicks') - atTicks) as TickSpan,
    physicalBytes: physical as Bytes,
    parts,
    lowLimitBytes: log.lowLimitBytes as Bytes,
    severity: severity ?? null,
  }
}
