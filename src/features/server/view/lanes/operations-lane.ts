import type { LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import type { LabelledSpan } from '../../../../charts/timeline/labels/label-spans.ts'
import { labelLegend, labelTrack } from './labels.ts'

/** `Operation 12 of “Orders”.`: how each span begins what shows it. */
const operationOf = ({ evidence }: LabelledSpan) => {
  const [operation] = /^Operation \d+ of [^.]+/.exec(evidence[0] ?? '') ?? []
  return operation === undefined ? {} : { operation }
}

/** Operations of databases and of the server. */
const lane: LaneModule = {
  everyMs: 2000,
  want: (request) => request('server.want', null),
  read: async (request, { window: { startTicks, endTicks } }, signal) => {
    const { rows } = await request('server.operations', { startTicks, endTicks }, signal)
    return {
      tracks: rows.map((spans, row) => labelTrack(String(row), spans, operationOf)),
      nothing: 'none',
      summarize: (range) => summarize(rows, range.startTicks, range.endTicks),
      legend: labelLegend(rows.flat()),
      hasGap: () => false,
      gaps: [],
    }
  },
}

function summarize(rows: readonly (readonly LabelledSpan[])[], from: number, to: number): string {
  const met = rows.flat().filter(({ startTicks, endTicks }) => startTicks < to && endTicks > from)
  const operations = new Set(met.map((span) => operationOf(span).operation ?? span.title))
  return operations.size === 0 ? '' : `${String(operations.size)} operation${operations.size === 1 ? '' : 's'} in view`
}

export default lane
