import type { TickSpan } from '../../base/brand.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { BatchCard } from './contract/batch-card.ts'
import type { BatchRef, IndexingRowsAnswer, IndexingRowsAsk } from './contract/batches.ts'
import type { IndexingBudgetsAnswer, IndexingBudgetsAsk } from './contract/budgets.ts'
import type { IndexingFindingsAnswer } from './contract/findings.ts'
import type { IndexingIndexesAnswer } from './contract/indexes.ts'
import type {
  IndexingIcicleAnswer,
  IndexingIcicleAsk,
  IndexingMarksAnswer,
  IndexingMarksAsk,
  IndexingOverviewAnswer,
  IndexingOverviewAsk,
} from './contract/lanes.ts'
import type { IndexingBarAnswer, IndexingBarAsk, IndexingMemoryAnswer, IndexingMemoryAsk } from './contract/memory.ts'
import type { IndexingReplayAnswer, IndexingReplayAsk } from './contract/replay.ts'
import type {
  IndexingCompareAnswer,
  IndexingCompareAsk,
  IndexingSummaryAnswer,
  IndexingSummaryAsk,
} from './contract/summary.ts'
import type { IndexingWantAnswer, IndexingWantAsk } from './contract/want.ts'

declare module '../../capture/client/panel-id.ts' {
  interface PanelIds {
    indexing: true
  }
}

/**
 * What the indexing panel may ask of the worker, and what it gets; `contract/` has a file for each view.
 * Times are `Ticks` on the server's clock, lengths `TickSpan`, sizes `Bytes`. NaN in a typed array and null in an object
 * both say "not measured" or "not told"; neither is ever 0. Server text is passed on as it came.
 *
 * `capture.ask<IndexingQueries['indexing.marks']['answer']>('indexing.marks', …)`.
 */
export interface IndexingQueries {
  'indexing.want': { ask: IndexingWantAsk; answer: IndexingWantAnswer }
  'indexing.indexes': { ask: { readonly sources: readonly SourceId[] }; answer: IndexingIndexesAnswer }
  'indexing.marks': { ask: IndexingMarksAsk; answer: IndexingMarksAnswer }
  'indexing.icicle': { ask: IndexingIcicleAsk; answer: IndexingIcicleAnswer }
  'indexing.overview': { ask: IndexingOverviewAsk; answer: IndexingOverviewAnswer }
  'indexing.card': { ask: { readonly ref: BatchRef }; answer: BatchCard | null }
  'indexing.summary': { ask: IndexingSummaryAsk; answer: IndexingSummaryAnswer }
  'indexing.compare': { ask: IndexingCompareAsk; answer: IndexingCompareAnswer }
  'indexing.rows': { ask: IndexingRowsAsk; answer: IndexingRowsAnswer }
  'indexing.budgets': { ask: IndexingBudgetsAsk; answer: IndexingBudgetsAnswer }
  'indexing.memory': { ask: IndexingMemoryAsk; answer: IndexingMemoryAnswer }
  'indexing.bar': { ask: IndexingBarAsk; answer: IndexingBarAnswer }
  'indexing.findings': { ask: { readonly sources: readonly SourceId[] }; answer: IndexingFindingsAnswer }
  'indexing.replay': { ask: IndexingReplayAsk; answer: IndexingReplayAnswer }
  /** Stretches of at least `minTicks` in which no index worked: start and end alternate, ascending. */
  'indexing.idle': {
    ask: { readonly minTicks: TickSpan }
    answer: { readonly version: number; readonly spans: Float64Array }
  }
}
