import { formatShare } from '../../../../base/text/format.ts'
import type { LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { sharesInSight } from '../../../../charts/timeline/label-spans.ts'
import { labelLegend, labelTrack } from './labels.ts'

/** Labels are kept for a day, in steps of ten seconds. */
const MOST_LABELS = 240

/** Lane of what limited the server. Empty if its figures are missing, as in files. */
const lane: LaneModule = {
  everyMs: 2000,
  want: (request) => request('server.want', null),
  read: async (request, { window: { startTicks, endTicks } }, signal) => {
    const params = { startTicks, endTicks, most: MOST_LABELS * 2 }
    const { intervals, rules } = await request('server.bottlenecks', params, signal)
    return {
      tracks: intervals.length === 0 ? [] : [labelTrack('', intervals)],
      summarize: (range) => {
        const shares = sharesInSight(intervals, range)
        return shares.length === 0
          ? ''
          : `${shares.map(({ title, share }) => `${title} ${formatShare(share)}`).join(', ')} of the time in view`
      },
      legend: labelLegend(intervals),
      rules,
      hasGap: () => false,
      gaps: [],
    }
  },
}

export default lane
