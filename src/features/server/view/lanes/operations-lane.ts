import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import type { LabelledSpan } from '../../../../charts/timeline/label-spans.ts'
import { labelLegend, labelTrack } from './labels.ts'

/** Beginning of a span's evidence, which names the operation: `Operation 12 of “Orders”.` */
const operationOf = ({ evidence }: LabelledSpan) => {
  const [operation] = /^Operation \d+ of [^.]+/.exec(evidence[0] ?? '') ?? []
  return operation === undefined ? {} : { operation }
}

/** Lane of the operations of databases and of the server. */
const lane: LaneModule = {
  everyMs: 2000,
  want: (request) => request('server.want', null),
  read: async (request, { window: { startTicks, endTicks } }, signal) => {
    const { rows, left } = await request('server.operations', { startTicks, endTicks }, signal)
    return {
      tracks: rows.map((spans, row) => labelTrack(String(row), spans, operationOf)),
      nothing: 'none',
      summarize: (range) => summarize(rows, left, range),
      legend: labelLegend(rows.flat()),
      hasGap: () => false,
      gaps: [],
    }
  },
}

function summarize(rows: readonly (readonly LabelledSpan[])[], left: number, range: TimeRange): string {
  const met = rows.flat().filter((span) => span.startTicks < range.endTicks && span.endTicks > range.startTicks)
  const operations = new Set(met.map((span) => operationOf(span).operation ?? span.title))
  const more = left === 0 ? '' : `, ${formatCount(left)} more without a row`
  return operations.size === 0 ? '' : `${formatPlural(operations.size, 'operation')} in view${more}`
}

export default lane
