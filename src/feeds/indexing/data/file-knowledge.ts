import { ParseError } from '../../../base/json/check.ts'
import { parseTicks } from '../../../base/ticks.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { DocumentReader } from '../../../capture/reading/document.ts'
import { parseSourceId, type SourceId } from '../../../capture/client/state.ts'
import { besideReader, type BesideDocument, type BesideKind } from './reading/auxiliary-reader.ts'
import { THREAD_HOLD_TICKS, type BudgetLog } from './budget-log.ts'
import type { IndexFactsStore } from './facts.ts'
import { machineOf, type MemoryLogs } from './memory-log.ts'
import { readIndexProgress, readIndexStats, readLowMemoryLog, readMemoryStats } from './watching/server-wire.ts'
import { indexKey } from './index-table.ts'
import { type BatchStore } from './table.ts'
import { joinThreads, type ThreadAllocation, type ThreadCandidate } from './batches/threads.ts'

/** Margin around the times of memory, ticks: 10 s. A sample of memory is shown for longer than that. */
const AIR_TICKS = 100_000_000

export interface FileKnowledgeHost {
  readonly store: BatchStore
  readonly facts: IndexFactsStore
  readonly budgets: BudgetLog
  readonly memories: MemoryLogs
}

/**
 * Facts from files and debug packages, besides batches. The entries of a package belong to one machine and may come in
 * any order: threads are assigned to indexes as soon as both are known. The invariant watch receives none of it,
 * because one moment that is reported entry by entry is not a sequence of events.
 */
export class FileKnowledge {
  readonly #host: FileKnowledgeHost
  readonly #threads = new Map<string, { readonly atTicks: number; readonly threads: readonly ThreadAllocation[] }>()
  #extent: TimeRange | null = null
  #otherExtent: TimeRange | null = null

  constructor(host: FileKnowledgeHost) {
    this.#host = host
  }

  /** Times at which files report memory; null: no file does. */
  extent(): TimeRange | null {
    return this.#extent
  }

  /**
   * Time range to show if no batch is known: the times of memory with a margin. Without them, the times of index state
   * and of low-memory events, which may be days old.
   */
  extentAlone(): TimeRange | null {
    if (this.#extent === null) return this.#otherExtent
    const { startTicks, endTicks } = this.#extent
    return { startTicks: (startTicks - AIR_TICKS) as Ticks, endTicks: (endTicks + AIR_TICKS) as Ticks }
  }

  reader(source: SourceId, kind: BesideKind, problem: (at: number, expected: string) => void): DocumentReader {
    return besideReader((document) => {
      try {
        this.#take(source, kind, document)
      } catch (error) {
        if (!(error instanceof ParseError)) throw error
        problem(-1, error.message)
      }
      this.settle(source)
      this.#host.store.version++
    })
  }

  /**
   * Assigns waiting threads to indexes. Called when something new is known of this source, because that may be the
   * index of a thread.
   */
  settle(source: SourceId): void {
    const machine = machineOf(source)
    const reported = this.#threads.get(machine)
    if (reported === undefined) return
    const { budgets } = this.#host
    for (const [key, bytes] of joinThreads(reported.threads, this.#candidates(machine)).known) {
      const log = budgets.of(key)
      log.thread = 'known'
      log.threads.add(reported.atTicks, bytes ?? Number.NaN, THREAD_HOLD_TICKS)
    }
  }

  #take(source: SourceId, kind: BesideKind, document: BesideDocument): void {
    const { facts, budgets, memories } = this.#host
    const atTicks = document.writtenAt === null ? Number.NaN : parseTicks(document.writtenAt)
    if (kind === 'stats') {
      const rows = readIndexStats({ Results: document.results })
      facts.takeStats(source, rows, atTicks)
      if (Number.isNaN(atTicks)) return
      this.#otherExtent = widened(this.#otherExtent, atTicks)
      for (const { name, threadAllocationBytes, budgetBytes } of rows) {
        const log = budgets.of(indexKey(source, name))
        if (budgetBytes !== null) log.held.add(atTicks, budgetBytes, THREAD_HOLD_TICKS)
        if (threadAllocationBytes === null) continue
        log.thread = 'known'
        log.threads.add(atTicks, threadAllocationBytes, THREAD_HOLD_TICKS)
      }
      if (rows.some(({ budgetBytes }) => budgetBytes !== null)) this.#reach(atTicks)
    } else if (kind === 'progress')
      facts.takeProgress(source, readIndexProgress({ Results: document.results }), atTicks)
    else if (kind === 'low-memory') {
      const rows = readLowMemoryLog({ 'Low Memory Events': document.events })
      memories.of(machineOf(source)).addEvents(rows)
      for (const row of rows) this.#otherExtent = widened(this.#otherExtent, row.atTicks)
    } else if (!Number.isNaN(atTicks)) {
      const { sample, threads } = readMemoryStats(document.memory, document.threads, atTicks)
      memories.of(machineOf(source)).add(sample)
      this.#threads.set(machineOf(source), { atTicks, threads })
      this.#reach(atTicks)
    }
  }

  #reach(atTicks: number): void {
    this.#extent = widened(this.#extent, atTicks)
  }

  /** Indexes of a package, whose folders have the names of databases. */
  #candidates(machine: string): ThreadCandidate[] {
    const { store, facts } = this.#host
    const candidates = new Map<string, ThreadCandidate>()
    const add = (source: SourceId, name: string): void => {
      const ref = parseSourceId(source)
      if (ref?.kind !== 'file' || machineOf(source) !== machine) return
      const database = ref.name.slice(ref.name.lastIndexOf('/') + 1)
      const key = indexKey(source, name)
      candidates.set(key, { key, source, database, name })
    }
    for (const { source, name } of store.indexes.values()) add(source, name)
    for (const key of facts.keys()) {
      const known = facts.get(key)
      if (known !== undefined) add(known.source, known.name)
    }
    return [...candidates.values()]
  }
}

function widened(range: TimeRange | null, atTicks: number): TimeRange {
  const startTicks = Math.min(range?.startTicks ?? atTicks, atTicks) as Ticks
  return { startTicks, endTicks: Math.max(range?.endTicks ?? atTicks + 1, atTicks + 1) as Ticks }
}
