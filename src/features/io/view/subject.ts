import { formatPlural } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { ExportSubject } from '../../../capture/exporting/export-subject.ts'
import type { Gap, SourceId } from '../../../capture/client/state.ts'
import { type IoFilter, type IoRows, NO_FILTER } from '../../../feeds/io/contract/rows.ts'
import type { IoExportId, IoExportParams } from '../../../feeds/io/contract/exports.ts'
import { IO_FORMATS } from '../../../feeds/io/contract/formats.ts'

/** Sources, rows and filter in view. */
export interface IoExportView {
  readonly sources: readonly SourceId[]
  readonly rows: IoRows
  readonly range: TimeRange
  readonly filter: IoFilter
  readonly known: TimeRange | null
  /** Coverage gaps of the sources, at all times. */
  readonly gaps: readonly Gap[]
}

/** Export of I/O events: those in view, or all of the chosen sources. */
export const ioExport = ({
  sources,
  rows,
  range,
  filter,
  known,
  gaps,
}: IoExportView): ExportSubject<'io.exportCount', IoExportId> => ({
  one: 'event',
  many: 'events',
  title: 'Export I/O events',
  what: 'io',
  formats: IO_FORMATS,
  sources,
  range,
  known,
  count: 'io.exportCount',
  rowsOf: ({ events }) => events,
  paramsOf: (scope): IoExportParams =>
    scope === 'view'
      ? { sources, rows, range, filter, gaps: gaps.filter((gap) => overlaps(gap, range)) }
      : { sources, rows: null, range: null, filter: NO_FILTER, gaps },
  words: {
    view: 'with the lanes, kinds and filters that are set, in order of time.',
    all: 'All lanes and kinds of the chosen sources, without filters, in order of time.',
  },
  also: ({ rollUps }, { id }) => (rollUps > 0 && id === 'io.json' ? ` and ${formatPlural(rollUps, 'roll-up')}` : ''),
  note: ({ rollUps }, { id }) => {
    if (id === 'io.json' || (rollUps === 0 && gaps.length === 0)) return null
    const summed = `${formatPlural(rollUps, 'roll-up')}, older events that the server had already summed up, stay behind: they are no single events. They go out only as I/O metrics (JSON).`
    const unknown =
      'Gaps, spans without data, are exported only as I/O metrics (JSON): in this file they look like idle time.'
    return [...(rollUps > 0 ? [summed] : []), ...(gaps.length > 0 ? [unknown] : [])].join(' ')
  },
})

const overlaps = (a: TimeRange, b: TimeRange): boolean => a.startTicks < b.endTicks && b.startTicks < a.endTicks
