import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { LaneFrame, LaneItem, LaneModule, LaneTrack, TrackBox } from '../../../../capture/frame/lanes/lane.ts'
import { indexMarks } from '../../../../charts/timeline/marks.ts'
import type { HistoryResponse } from '../../../../feeds/stacks/contract/live.ts'
import { cpuBands, layoutCpu, lookOf, receivedSpans, sumUp, type CpuBand } from '../time/cpu-areas.ts'
import { parseSettings } from '../params.ts'
import { formatPercent } from '../words.ts'

/** Number of jobs with a band of their own; others share one. */
export const JOBS = 5
/** Limit of the buckets of a response. */
const MOST_BUCKETS = 2000
const PAD_PX = 2
const HATCH_PX = 4

interface CpuLaneOptions {
  readonly has: (band: CpuBand) => boolean
  /** Value at the top of the lane, percent of all cores. */
  readonly topOf: (known: readonly number[], bands: readonly CpuBand[]) => number
  /** Title of a bucket. */
  readonly title: string
  readonly hasIdle: boolean
}

/** A lane of CPU over time by job, stacked. */
export const cpuLane = (options: CpuLaneOptions): LaneModule => ({
  everyMs: 1000,
  // A lane does not collect lists of threads either if the user has switched them off.
  want: (request, _, params) => (parseSettings(params).live ? request('threads.want', null) : Promise.resolve(null)),
  read: async (request, { window: { startTicks, endTicks, resolutionTicks } }, signal) => {
    const buckets = Math.ceil((endTicks - startTicks) / Math.max(1, resolutionTicks))
    const widthPx = Math.max(1, Math.min(MOST_BUCKETS, buckets)) as CssPx
    const history = await request('threads.history', { startTicks, endTicks, widthPx, limit: JOBS }, signal)
    const bands = cpuBands(history).filter(options.has)
    const isEmpty = !bands.some(({ percent }) => percent.some((value) => !Number.isNaN(value)))
    return {
      tracks: isEmpty ? [] : [jobsTrack(history, bands, options)],
      nothing: 'no list of threads was received',
      summarize: (range) => summarize(history, bands, range),
      legend: isEmpty ? [] : bands.filter(({ percent }) => sumUp(percent).most > 0).map(lookOf),
      hasGap: () => false,
      gaps: [],
    }
  },
})

function jobsTrack(history: HistoryResponse, bands: readonly CpuBand[], options: CpuLaneOptions): LaneTrack {
  const known = knownBuckets(history)
  const marks = indexMarks({
    length: known.length,
    startTicks: Float64Array.from(known, (bucket) => history.startTicks[bucket] ?? Number.NaN),
    durationTicks: new Float64Array(known.length).fill(history.bucketTicks),
  })
  const top = options.topOf(known, bands)
  // Scaled copy for the lane; unchanged at 100.
  const scaled =
    top === 100 ? bands : bands.map((band) => ({ ...band, percent: band.percent.map((value) => (value * 100) / top) }))
  const received = receivedSpans(history)
  const itemAt = (mark: number): LaneItem => {
    const bucket = known[mark] ?? -1
    const busy = bands.filter(({ percent }) => (percent[bucket] ?? 0) > 0)
    const idle = options.hasIdle ? [['Idle', formatPercent(history.idle[bucket] ?? Number.NaN)] as const] : []
    return {
      startTicks: (marks.startTicks[mark] ?? Number.NaN) as Ticks,
      durationTicks: history.bucketTicks,
      title: options.title,
      facts: [
        ...busy
          .toReversed()
          .map(({ title, percent }) => [title, formatPercent(percent[bucket] ?? Number.NaN)] as const),
        ...idle,
      ],
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
    draw: (context, frame, box) => {
      const inside = { yPx: box.yPx + PAD_PX, heightPx: Math.max(1, box.heightPx - PAD_PX) }
      drawUnknown(context, frame, inside, received)
      for (const { band, rects } of layoutCpu(history, scaled, frame.scale, inside.heightPx))
        drawBand(context, frame, inside, band, rects)
      context.font = `10px ${frame.tokens.font}`
      context.textBaseline = 'top'
      context.fillStyle = frame.tokens.fgMuted
      context.fillText(top === 100 ? '100 %' : formatPercent(top), 3, inside.yPx)
    },
  }
}

/** Darkens times without a list: unknown is not idle. */
function drawUnknown(
  context: CanvasRenderingContext2D,
  { scale, tokens }: LaneFrame,
  { yPx, heightPx }: TrackBox,
  received: readonly number[],
): void {
  context.fillStyle = withAlpha(tokens.border, 0.5)
  let fromPx = 0
  for (let i = 0; i <= received.length; i += 2) {
    const toPx = Math.min(scale.widthPx, scale.toPx(received[i] ?? Number.POSITIVE_INFINITY))
    if (toPx > fromPx) context.fillRect(fromPx, yPx, toPx - fromPx, heightPx)
    fromPx = Math.max(0, scale.toPx(received[i + 1] ?? Number.POSITIVE_INFINITY))
  }
}

function drawBand(
  context: CanvasRenderingContext2D,
  { tokens }: LaneFrame,
  box: TrackBox,
  band: CpuBand,
  rects: Float32Array,
): void {
  const { token, pattern } = lookOf(band)
  const hue = tokens.kinds.get(token) ?? tokens.accent
  context.fillStyle = pattern === 'solid' ? hue : withAlpha(hue, 0.4)
  for (let i = 0; i < rects.length; i += 4)
    context.fillRect(rects[i] ?? 0, box.yPx + (rects[i + 2] ?? 0), rects[i + 1] ?? 0, rects[i + 3] ?? 0)
  if (pattern !== 'hatched' || rects.length === 0) return
  // All rectangles of the band at once: one clip instead of one for each bucket.
  context.save()
  context.beginPath()
  for (let i = 0; i < rects.length; i += 4)
    context.rect(rects[i] ?? 0, box.yPx + (rects[i + 2] ?? 0), rects[i + 1] ?? 0, rects[i + 3] ?? 0)
  context.clip()
  const leftPx = rects[0] ?? 0
  const rightPx = (rects.at(-4) ?? 0) + (rects.at(-3) ?? 0)
  drawHatch(context, { xPx: leftPx, yPx: box.yPx, widthPx: rightPx - leftPx, heightPx: box.heightPx }, hue, HATCH_PX)
  context.restore()
}

const knownBuckets = ({ others }: HistoryResponse): readonly number[] =>
  Array.from(others, (_, bucket) => bucket).filter((bucket) => !Number.isNaN(others[bucket] ?? Number.NaN))

/** The busiest jobs of a range with their means; empty: no lists in it. */
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
