import type { TimeRange } from '../../../base/ticks.ts'
import type { ExportSubject } from '../../../capture/exporting/export-subject.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { type BatchFilter, type IndexKey, NO_FILTER } from '../../../feeds/indexing/contract/batches.ts'
import type { BatchExportId, BatchExportParams } from '../../../feeds/indexing/contract/batches.ts'
import { BATCH_FORMATS } from '../../../feeds/indexing/contract/formats.ts'

/** State of the view for a batch export. */
export interface BatchExportView {
  readonly sources: readonly SourceId[]
  readonly indexes: readonly IndexKey[]
  readonly range: TimeRange
  readonly filter: BatchFilter
  readonly known: TimeRange | null
}

/** Export of index batches: those in view, or all of the chosen sources. */
export const batchExport = (view: BatchExportView): ExportSubject<'indexing.exportCount', BatchExportId> => {
  const { sources, indexes, range, filter, known } = view
  return {
    one: 'batch',
    many: 'batches',
    title: 'Export index batches',
    what: 'indexing',
    formats: BATCH_FORMATS,
    sources,
    range,
    known,
    count: 'indexing.exportCount',
    rowsOf: ({ batches }) => batches,
    paramsOf: (scope): BatchExportParams =>
      scope === 'view'
        ? { sources, indexes, range, filter }
        : { sources, indexes: null, range: null, filter: NO_FILTER },
    words: {
      view: 'of the indexes and with the filters that are set, index by index. Batches that still run stay behind.',
      all: 'All completed batches of the chosen sources, without filters, index by index.',
    },
  }
}
