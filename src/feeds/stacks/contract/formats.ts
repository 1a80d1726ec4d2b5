import type { ExportFormat } from '../../../capture/exporting/exporter.ts'
import type { StacksExportId } from './samples.ts'

/** Export formats of stacks, in the order of the dialog. A row is a sample: a thread in a snapshot. */
export const STACK_FORMATS = [
  {
    id: 'stacks.json',
    title: 'Stack traces (JSON)',
    opens:
      'Opens here again, and a single snapshot also in the official Studio; the only one with all of the threads’ figures.',
    extension: 'json',
    mediaType: 'application/json',
    rowBytes: 1500,
  },
  {
    id: 'stacks.text',
    title: 'Text',
    opens: 'To read, to search, and to paste into a ticket.',
    extension: 'txt',
    mediaType: 'text/plain',
    rowBytes: 1200,
  },
  {
    id: 'stacks.folded',
    title: 'Folded stacks',
    opens: 'A line a stack, for flamegraph.pl, inferno and speedscope.',
    extension: 'folded',
    mediaType: 'text/plain',
    rowBytes: 400,
  },
  {
    id: 'stacks.speedscope',
    title: 'speedscope',
    opens: 'Opens in speedscope.app: all together, and each job on its own.',
    extension: 'speedscope.json',
    mediaType: 'application/json',
    rowBytes: 300,
  },
  {
    id: 'stacks.pprof',
    title: 'pprof',
    opens: 'For go tool pprof, Pyroscope, Parca and Polar Signals; samples and CPU, labelled with their jobs.',
    extension: 'pb.gz',
    mediaType: 'application/gzip',
    rowBytes: 60,
  },
] as const satisfies readonly ExportFormat<StacksExportId>[]
