import type { TickSpan } from '../../base/ticks.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { BatchCard } from './contract/batch-card.ts'
import type {
  BatchExportCount,
  BatchExportId,
  BatchExportParams,
  BatchRef,
  IndexingRowsParams,
  IndexingRowsResponse,
} from './contract/batches.ts'
import type { IndexingBudgetsResponse, IndexingBudgetsParams } from './contract/budgets.ts'
import type { IndexingFindingsResponse } from './contract/findings.ts'
import type { IndexingIndexesResponse } from './contract/indexes.ts'
import type {
  IndexingIcicleResponse,
  IndexingIcicleParams,
  IndexingMarksResponse,
  IndexingMarksParams,
  IndexingOverviewResponse,
  IndexingOverviewParams,
} from './contract/lanes.ts'
import type {
  IndexingBarResponse,
  IndexingBarParams,
  IndexingMemoryResponse,
  IndexingMemoryParams,
} from './contract/memory.ts'
import type {
  IndexingCompareResponse,
  IndexingCompareParams,
  IndexingSummaryResponse,
  IndexingSummaryParams,
} from './contract/summary.ts'
import type { IndexingOperationsParams, IndexingOperationsResponse } from './contract/operations.ts'
import type { IndexingWantResponse, IndexingWantParams } from './contract/want.ts'

/**
 * Requests about indexing; `contract/` has a file for each view. Times are `Ticks` on the server's clock, durations
 * `TickSpan`, sizes `Bytes`. NaN in a typed array and null in an object mean "not measured" or "not reported"; neither
 * is ever 0. Texts of the server are passed on unchanged.
 */
export interface IndexingRequests extends IndexingLaterRequests {
  'indexing.want': { params: IndexingWantParams; response: IndexingWantResponse }
  'indexing.indexes': { params: { readonly sources: readonly SourceId[] }; response: IndexingIndexesResponse }
  'indexing.marks': { params: IndexingMarksParams; response: IndexingMarksResponse }
  'indexing.overview': { params: IndexingOverviewParams; response: IndexingOverviewResponse }
  'indexing.summary': { params: IndexingSummaryParams; response: IndexingSummaryResponse }
  /** Stretches of at least `minTicks` in which no index of the sources worked: starts and ends alternate, ascending. */
  'indexing.idle': {
    params: { readonly sources: readonly SourceId[]; readonly minTicks: TickSpan }
    response: { readonly version: number; readonly spans: Float64Array }
  }
}

/** Requests for parts that open on a click or lie below the lanes. Their handlers are loaded later. */
export interface IndexingLaterRequests {
  'indexing.icicle': { params: IndexingIcicleParams; response: IndexingIcicleResponse }
  'indexing.operations': { params: IndexingOperationsParams; response: IndexingOperationsResponse }
  'indexing.card': { params: { readonly ref: BatchRef }; response: BatchCard | null }
  'indexing.rows': { params: IndexingRowsParams; response: IndexingRowsResponse }
  'indexing.compare': { params: IndexingCompareParams; response: IndexingCompareResponse }
  'indexing.budgets': { params: IndexingBudgetsParams; response: IndexingBudgetsResponse }
  'indexing.memory': { params: IndexingMemoryParams; response: IndexingMemoryResponse }
  'indexing.bar': { params: IndexingBarParams; response: IndexingBarResponse }
  'indexing.findings': { params: { readonly sources: readonly SourceId[] }; response: IndexingFindingsResponse }
  'indexing.exportCount': { params: BatchExportParams; response: BatchExportCount }
}

type IndexingExports = Readonly<Record<BatchExportId, BatchExportParams>>

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends IndexingExports {}
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends IndexingRequests {}
}
