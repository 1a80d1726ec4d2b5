import type { Handlers } from '../../../capture/worker/handlers.ts'
import { budgetsResponse } from './responses/budgets.ts'
import { cardResponse } from './responses/card.ts'
import { compareResponse } from './responses/compare.ts'
import { FindingsResponder } from './responses/findings.ts'
import { icicleResponse } from './responses/icicle.ts'
import { barResponse, memoryResponse } from './responses/memory.ts'
import { operationsResponse } from './responses/operations.ts'
import { RowsResponder } from './responses/rows.ts'
import type { BudgetLog } from './budget-log.ts'
import { batchExporters, countExport } from './exports/exporters.ts'
import type { IndexFactsStore } from './facts.ts'
import type { MemoryLogs } from './memory-log.ts'
import type { IndexingLaterRequests } from '../contract.ts'
import type { BatchStore } from './table.ts'
import type { BudgetWatch } from './watching/watch.ts'

/** Data that the feed has collected. */
interface Collected {
  readonly store: BatchStore
  readonly facts: IndexFactsStore
  readonly budgets: BudgetLog
  readonly memories: MemoryLogs
  readonly watchdog: BudgetWatch
}

/**
 * Handlers for parts that open on a click or lie below the lanes (a batch, its operations, the table of batches,
 * comparison, budgets), and the exports. The first view needs none of them.
 */
export function laterPart({ store, facts, budgets, memories, watchdog }: Collected) {
  const rows = new RowsResponder()
  const findings = new FindingsResponder(store, memories, watchdog)
  return {
    responses: {
      'indexing.icicle': (params) => icicleResponse(store, params),
      'indexing.operations': (params, _governor, signal) => operationsResponse(store, params, signal),
      'indexing.card': ({ ref }) => cardResponse(store, ref),
      'indexing.rows': (params, _governor, signal) => rows.response(store, params, signal),
      'indexing.compare': (params, _governor, signal) => compareResponse(store, params, signal),
      'indexing.budgets': (params, _governor, signal) => budgetsResponse(store, budgets, params, signal),
      'indexing.memory': (params) => memoryResponse(memories.ofSources(params.sources), params),
      'indexing.bar': (params) => barResponse(store, facts, budgets, memories.ofSources(params.sources), params),
      'indexing.findings': ({ sources }, _governor, signal) => findings.response(sources, signal),
      'indexing.exportCount': (params) => countExport(store, params),
    } satisfies Handlers<keyof IndexingLaterRequests>,
    exporters: batchExporters(store),
  }
}
