import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { BatchMemory, MachineMemory } from '../watching/finished/batch-memory.ts'
import { judgeFinished, type FinishedVerdict } from '../watching/finished/finished-watch.ts'
import type { MemoryLog, MemoryLogs } from '../memory-log.ts'
import { machineOf } from '../memory-log.ts'
import type { IndexKey } from '../../contract/batches.ts'
import type { IndexingFindingsResponse } from '../../contract/findings.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { BUDGET, CHECKED, CLASSES, ID, REASON } from '../index-table.ts'
import type { BudgetWatch } from '../watching/watch.ts'
import { measuredOrNaN } from './batch-row.ts'

/** Factor for the time for which a verdict is kept: this many times the time that it took to compute. */
const KEEP_TIMES = 20

interface Kept {
  readonly signature: string
  readonly madeMs: number
  readonly tookMs: number
  readonly verdict: FinishedVerdict
}

/**
 * Collects the findings of the watch on running batches and those in finished batches. The indexes of a machine are
 * judged together.
 */
export class FindingsResponder {
  readonly #store: BatchStore
  readonly #memories: MemoryLogs
  readonly #watch: BudgetWatch
  readonly #verdicts = new Map<string, Kept>()

  constructor(store: BatchStore, memories: MemoryLogs, watch: BudgetWatch) {
    this.#store = store
    this.#memories = memories
    this.#watch = watch
  }

  async response(sources: readonly SourceId[], signal: AbortSignal): Promise<IndexingFindingsResponse> {
    const pace = new Pace(signal)
    const seen = this.#watch.findings.filter(({ source }) => sources.includes(source))
    const findings = [...seen]
    const checks = {
      batches: 0,
      budgets: 0,
      indexes: 0,
      judged: 0,
      peakBytes: 0,
      physicalBytes: Number.POSITIVE_INFINITY,
    }
    const unclear: IndexKey[] = []
    const machines = new Set(sources.map(machineOf))
    for (const machine of machines) {
      const indexes = [...this.#store.indexes.values()].filter((index) => machineOf(index.source) === machine)
      const memory = this.#memories.of(machine)
      const verdict = await this.#verdict(machine, indexes, memory, pace)
      const inView = new Set(indexes.filter(({ source }) => sources.includes(source)).map(({ key }) => key))
      for (const finding of verdict.findings)
        // A finding that was already made on running batches is listed once.
        if (finding.indexes.some((key) => inView.has(key)) && !seen.some((known) => isSame(known, finding)))
          findings.push(finding)
      for (const key of verdict.unclear) if (inView.has(key)) unclear.push(key)
      checks.budgets += verdict.budgets
      checks.judged += verdict.judged
      checks.indexes += indexes.length
      for (const index of indexes) checks.batches += index.length
      checks.peakBytes = Math.max(checks.peakBytes, verdict.peakBytes)
      checks.physicalBytes = Math.min(checks.physicalBytes, physicalOf(memory))
    }
    return {
      findings: findings.toSorted((a, b) => a.atTicks - b.atTicks),
      checked: this.#watch.checked + checks.budgets,
      finished: {
        batches: checks.batches,
        indexes: checks.indexes,
        judgedIndexes: checks.judged,
        unclear,
        peakBytes: checks.peakBytes,
        physicalBytes: checks.physicalBytes > 0 && Number.isFinite(checks.physicalBytes) ? checks.physicalBytes : null,
      },
    }
  }

  async #verdict(
    machine: string,
    indexes: readonly IndexTable[],
    memory: MemoryLog,
    pace: Pace,
  ): Promise<FinishedVerdict> {
    const signature = `${indexes.map(({ key, length }) => `${key} ${length}`).join('\n')}|${memory.length > 0}`
    const known = this.#verdicts.get(machine)
    const now = performance.now()
    if (known !== undefined && (known.signature === signature || now - known.madeMs < KEEP_TIMES * known.tookMs))
      return known.verdict
    const all: BatchMemory[] = []
    for (const index of indexes) {
      all.push(memoryOfBatches(this.#store, index))
      await pace.step()
    }
    const verdict = judgeFinished(all, machineMemory(memory))
    const madeMs = performance.now()
    this.#verdicts.set(machine, { signature, madeMs, tookMs: madeMs - now, verdict })
    return verdict
  }
}

const isSame = (
  a: IndexingFindingsResponse['findings'][number],
  b: IndexingFindingsResponse['findings'][number],
): boolean => a.kind === b.kind && b.indexes.every((key) => a.indexes.includes(key))

const physicalOf = ({ length, columns }: MemoryLog): number => {
  let most = 0
  for (let at = 0; at < length; at++) {
    const bytes = columns.physicalBytes[at] as number
    if (bytes > most) most = bytes
  }
  return most
}

const machineMemory = ({ length, columns }: MemoryLog): MachineMemory => ({
  length,
  atTicks: columns.atTicks,
  physicalBytes: columns.physicalBytes,
  availableBytes: columns.availableForProcessingBytes,
})

/** Finished batches of all classes that reported memory, in order of start. O(batches). */
export function memoryOfBatches(store: BatchStore, index: IndexTable): BatchMemory {
  const columns: Record<'startTicks' | 'endTicks' | 'id' | 'usedBytes' | 'budgetBytes', number[]> = {
    startTicks: [],
    endTicks: [],
    id: [],
    usedBytes: [],
    budgetBytes: [],
  }
  const ranDry: number[] = []
  for (const kind of CLASSES) {
    const events = index.tables[kind]
    events.forEachPart(0, events.length, (chunk, from, to) => {
      for (let row = from; row < to; row++) {
        const [used, budget] = [chunk.read(CHECKED, row), chunk.read(BUDGET, row)]
        if (used === -1 && budget === -1) continue
        const start = chunk.read(START, row)
        columns.startTicks.push(start)
        columns.endTicks.push(start + chunk.read(DURATION, row))
        columns.id.push(chunk.read(ID, row))
        columns.usedBytes.push(measuredOrNaN(used))
        columns.budgetBytes.push(measuredOrNaN(budget))
        ranDry.push(store.reasons.get(chunk.read(REASON, row)).code === 'no-more-documents' ? 1 : 0)
      }
    })
  }
  const { length } = ranDry
  const order = Uint32Array.from({ length }, (_, row) => row)
  const { startTicks } = columns
  // Each class is in order already, and most batches belong to one class.
  order.sort((a, b) => (startTicks[a] as number) - (startTicks[b] as number))
  const sorted = (values: readonly number[]): Float64Array => Float64Array.from(order, (row) => values[row] as number)
  return {
    key: index.key,
    source: index.source,
    name: index.name,
    length,
    startTicks: sorted(columns.startTicks),
    endTicks: sorted(columns.endTicks),
    id: sorted(columns.id),
    usedBytes: sorted(columns.usedBytes),
    budgetBytes: sorted(columns.budgetBytes),
    ranDry: Uint8Array.from(order, (row) => ranDry[row] as number),
  }
}
