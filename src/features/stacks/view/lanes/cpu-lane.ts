import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import type { LaneItem, LaneLook, LaneModule, LaneTrack } from '../../../../capture/frame/lanes/lane.ts'
import { indexMarks } from '../../../../charts/timeline/marks.ts'
import type { HistoryResponse } from '../../contract/live.ts'
import { cpuBands, layoutCpu, OTHER_JOBS, sumUp, type CpuBand } from '../time/cpu-areas.ts'
import { formatPercent } from '../words.ts'

/** Jobs drawn on their own; others are one band. */
const JOBS = 5
/** Limit of the buckets of a response. */
const MOST_BUCKETS = 2000
const PAD_PX = 2

/** Hues of jobs by their slot, which the name of a job decides. */
const JOB_TOKENS = [
  '--series-first',
  '--series-second',
  '--series-third',
  '--series-fourth',
  '--kind-data-sync',
  '--kind-compression',
]
const OTHERS_TOKEN = '--wait-unknown'

/** CPU of threads by job over time, stacked. The rest of the machine is left out: lanes of the server show it. */
const lane: LaneModule = {
  everyMs: 1000,
  want: (request) => request('threads.want', null),
  read: async (request, { window: { startTicks, endTicks, resolutionTicks } }, signal) => {
    const buckets = Math.ceil((endTicks - startTicks) / Math.max(1, resolutionTicks))
    const widthPx = Math.max(1, Math.min(MOST_BUCKETS, buckets)) as CssPx
    const history = await request('threads.history', { startTicks, endTicks, widthPx, limit: JOBS }, signal)
    const bands = cpuBands(history).filter(({ job, key }) => job !== null || key === OTHER_JOBS)
    const isEmpty = !bands.some(({ percent }) => percent.some((value) => !Number.isNaN(value)))
    return {
      tracks: isEmpty ? [] : [jobsTrack(history, bands)],
      nothing: 'no list of threads was received',
      summarize: (range) => summarize(history, bands, range),
      legend: isEmpty ? [] : bands.filter(({ percent }) => sumUp(percent).most > 0).map(lookOf),
      hasGap: () => false,
      gaps: [],
    }
  },
}

const lookOf = ({ title, slot }: CpuBand): LaneLook => ({
  title,
  token: JOB_TOKENS[slot] ?? OTHERS_TOKEN,
  pattern: slot < 0 ? 'faint' : 'solid',
})

function jobsTrack(history: HistoryResponse, bands: readonly CpuBand[]): LaneTrack {
  const known = knownBuckets(history)
  const marks = indexMarks({
    length: known.length,
    startTicks: Float64Array.from(known, (bucket) => history.startTicks[bucket] ?? Number.NaN),
    durationTicks: new Float64Array(known.length).fill(history.bucketTicks),
  })
  const itemAt = (mark: number): LaneItem => {
    const bucket = known[mark] ?? -1
    const busy = bands.filter(({ percent }) => (percent[bucket] ?? 0) > 0)
    return {
      startTicks: (marks.startTicks[mark] ?? Number.NaN) as Ticks,
      durationTicks: history.bucketTicks,
      title: 'CPU by job, of all cores',
      facts: busy.toReversed().map(({ title, percent }) => [title, formatPercent(percent[bucket] ?? Number.NaN)]),
      evidence: [],
      of: {},
      link: { text: 'Open in Stacks', panel: 'stacks', parts: { params: { 'stacks.tab': 'threads' } } },
    }
  }
  return {
    key: '',
    title: '',
    marks,
    isTiled: true,
    itemAt,
    draw: (context, { scale, tokens }, box) => {
      const most = largestSum(known, bands)
      const insidePx = Math.max(1, box.heightPx - PAD_PX)
      // The lane is as high as the most in it: a server with many cores seldom uses all of them.
      const scaled = bands.map((band) => ({ ...band, percent: band.percent.map((value) => (value * 100) / most) }))
      for (const { band, rects } of layoutCpu(history, scaled, scale, insidePx)) {
        const { token, pattern } = lookOf(band)
        const hue = tokens.kinds.get(token) ?? tokens.accent
        context.fillStyle = pattern === 'solid' ? hue : withAlpha(hue, 0.4)
        for (let i = 0; i < rects.length; i += 4)
          context.fillRect(rects[i] ?? 0, box.yPx + PAD_PX + (rects[i + 2] ?? 0), rects[i + 1] ?? 0, rects[i + 3] ?? 0)
      }
      context.font = `10px ${tokens.font}`
      context.textBaseline = 'top'
      context.fillStyle = tokens.fgMuted
      context.fillText(formatPercent(most), 3, box.yPx + PAD_PX)
    },
  }
}

const knownBuckets = ({ others }: HistoryResponse): readonly number[] =>
  Array.from(others, (_, bucket) => bucket).filter((bucket) => !Number.isNaN(others[bucket] ?? Number.NaN))

/** Largest sum of bands, percent; never 0. */
const largestSum = (buckets: readonly number[], bands: readonly CpuBand[]): number =>
  buckets.reduce((most, bucket) => {
    const sum = bands.reduce((total, { percent }) => total + Math.max(0, percent[bucket] ?? 0), 0)
    return Math.max(most, sum)
  }, 1)

/** The busiest jobs of a range with their means; empty: nothing was received in it. */
function summarize({ startTicks, bucketTicks }: HistoryResponse, bands: readonly CpuBand[], range: TimeRange): string {
  const isIn = (_: number, bucket: number): boolean => {
    const start = startTicks[bucket] ?? Number.NaN
    return start < range.endTicks && start + bucketTicks > range.startTicks
  }
  return bands
    .map(({ title, percent }) => ({ title, mean: sumUp(percent.filter(isIn)).mean }))
    .filter(({ mean }) => mean > 0)
    .toSorted((a, b) => b.mean - a.mean)
    .slice(0, 3)
    .map(({ title, mean }) => `${title} ${formatPercent(mean)}`)
    .join(', ')
}

export default lane
