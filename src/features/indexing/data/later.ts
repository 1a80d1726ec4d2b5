import type { Governor } from '../../../ravendb/budget/governor.ts'
import { answerBudgets } from './responses/budgets.ts'
import { answerCompare } from './responses/compare.ts'
import { FindingsAnswerer } from './responses/findings.ts'
import { answerBar, answerMemory } from './responses/memory.ts'
import { answerReplay } from './responses/replay.ts'
import { splitIndexKey } from './batch-ref.ts'
import type { BudgetLog } from './budget-log.ts'
import type { BatchExportAsk } from './exports/scope.ts'
import { batchExporters, countExport } from './exports/exporters.ts'
import type { IndexFactsStore } from './facts.ts'
import type { MemoryLogs } from './memory-log.ts'
import type { IndexingQueries } from '../contract.ts'
import type { IndexKey } from '../contract/batches.ts'
import type { BatchStore } from './table.ts'
import type { ThreadAllocation } from './threads.ts'
import type { BudgetWatch } from './watching/watch.ts'

type Ask<Name extends keyof IndexingQueries> = IndexingQueries[Name]['ask']

/** What the feed has collected. */
interface Collected {
  readonly store: BatchStore
  readonly facts: IndexFactsStore
  readonly budgets: BudgetLog
  readonly memories: MemoryLogs
  readonly watchdog: BudgetWatch
  /** Threads of the newest list that could be given to no index. */
  readonly unmatched: () => readonly ThreadAllocation[]
}

/** Answers of what opens at a click (comparing, budgets, their replay), and the exports: none of it is in the first picture. */
export function laterPart({ store, facts, budgets, memories, watchdog, unmatched }: Collected) {
  const findings = new FindingsAnswerer(store, memories, watchdog)
  /** Those of one request are of one machine, or the first decides. */
  const memoryOf = (indexes: readonly IndexKey[]) =>
    memories.ofSources([...new Set(indexes.map((key) => splitIndexKey(key).source))])
  return {
    answers: {
      'indexing.compare': (ask: Ask<'indexing.compare'>, _governor: Governor, signal: AbortSignal) =>
        answerCompare(store, ask, signal),
      'indexing.budgets': (ask: Ask<'indexing.budgets'>, _governor: Governor, signal: AbortSignal) =>
        answerBudgets(store, budgets, unmatched(), ask, signal),
      'indexing.memory': (ask: Ask<'indexing.memory'>) =>
        answerMemory(memories.ofSources(ask.sources), store.version, ask),
      'indexing.bar': (ask: Ask<'indexing.bar'>) =>
        answerBar(store, facts, budgets, memories.ofSources(ask.sources), ask),
      'indexing.replay': (ask: Ask<'indexing.replay'>, _governor: Governor, signal: AbortSignal) =>
        answerReplay(store, budgets, memoryOf(ask.indexes), ask, signal),
      'indexing.findings': ({ sources }: Ask<'indexing.findings'>, _governor: Governor, signal: AbortSignal) =>
        findings.answer(sources, signal),
      'indexing.exportCount': (ask: BatchExportAsk) => countExport(store, ask),
    },
    exporters: batchExporters(store),
  }
}
