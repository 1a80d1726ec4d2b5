import type { LaneLook } from '../../../../capture/frame/lanes/lane.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import type { JobKey } from '../../../../feeds/stacks/contract/ids.ts'
import type { Job } from '../../../../feeds/stacks/contract/jobs.ts'
import type { HistoryResponse } from '../../../../feeds/stacks/contract/live.ts'
import { jobName } from '../words.ts'

/** Band of the picture, from the bottom up. */
export interface CpuBand {
  readonly key: string
  readonly title: string
  readonly job: Job | null
  readonly percent: Float32Array
  /** Slot of the palette; −1: not a job. */
  readonly slot: number
  readonly pattern: LaneLook['pattern']
}

export const OTHER_JOBS = 'others'
export const REST_OF_PROCESS = 'rest of process'
export const REST_OF_MACHINE = 'rest of machine'

/** Bands that are always in the legend, even without data: CPU outside of the server's jobs is half of the picture. */
export const RESTS: ReadonlySet<string> = new Set([REST_OF_PROCESS, REST_OF_MACHINE])

/** Hues of jobs by slot, which depends on the name of the job. */
const JOB_TOKENS = [
  '--series-first',
  '--series-second',
  '--series-third',
  '--series-fourth',
  '--series-fifth',
  '--series-sixth',
]
/** Number of jobs with a hue of their own. */
export const JOB_HUES = JOB_TOKENS.length

/** Style of a band, in the lane and in its legend. */
export const lookOf = ({ title, slot, pattern }: CpuBand): LaneLook => ({
  title,
  token: JOB_TOKENS[slot] ?? '--wait-unknown',
  pattern,
})

/** Palette slot for each job: the one given by its name, or the next free one, so that it seldom changes. */
export function assignSlots(keys: readonly JobKey[]): ReadonlyMap<JobKey, number> {
  const slots = new Map<JobKey, number>()
  const taken = new Set<number>()
  for (const key of keys.toSorted()) {
    let hash = 0
    for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) >>> 0
    let slot = hash % JOB_HUES
    while (taken.has(slot) && taken.size < JOB_HUES) slot = (slot + 1) % JOB_HUES
    taken.add(slot)
    slots.set(key, slot)
  }
  return slots
}

/** Jobs, other jobs, and the rest of the process and of the machine. The remainder to 100 % is idle and stays empty. */
export function cpuBands(history: HistoryResponse): CpuBand[] {
  const slots = assignSlots(history.jobs.map(({ job }) => job.key))
  const rest = (key: string, title: string, percent: Float32Array, pattern: CpuBand['pattern']): CpuBand => ({
    key,
    title,
    job: null,
    percent,
    slot: -1,
    pattern,
  })
  return [
    ...history.jobs.map(({ job, percent }): CpuBand => ({
      key: job.key,
      title: jobName(job),
      job,
      percent,
      slot: slots.get(job.key) ?? 0,
      pattern: 'solid',
    })),
    rest(OTHER_JOBS, 'Other jobs', history.others, 'solid'),
    rest(REST_OF_PROCESS, 'Rest of process', history.restOfProcess, 'hatched'),
    rest(REST_OF_MACHINE, 'Rest of machine', history.restOfMachine, 'faint'),
  ]
}

/** x, width, y and height of each bucket of a band, CSS pixels, four numbers each; unknown buckets are left out. */
export interface BandRects {
  readonly band: CpuBand
  readonly rects: Float32Array
}

/**
 * Stacks the bands from the bottom of a plot of `heightPx`, which is 100 % of the machine. Values above 100 from
 * rounding are cut.
 */
export function layoutCpu(
  history: HistoryResponse,
  bands: readonly CpuBand[],
  scale: TimeScale,
  heightPx: number,
): BandRects[] {
  const buckets = history.startTicks.length
  const base = new Float64Array(buckets)
  return bands.map((band) => {
    const rects: number[] = []
    for (let i = 0; i < buckets; i++) {
      const percent = band.percent[i] ?? Number.NaN
      if (!(percent > 0)) continue
      const from = Math.min(100, base[i] ?? 0)
      const to = Math.min(100, from + percent)
      base[i] = to
      const start = history.startTicks[i] ?? 0
      const leftPx = scale.toPx(start)
      const rightPx = scale.toPx(start + history.bucketTicks)
      if (rightPx <= 0 || leftPx >= scale.widthPx) continue
      const topPx = heightPx * (1 - to / 100)
      rects.push(leftPx, Math.max(1, rightPx - leftPx), topPx, heightPx * (1 - from / 100) - topPx)
    }
    return { band, rects: Float32Array.from(rects) }
  })
}

/** Ranges in which the live list was received, start and end alternating, ascending. */
export function receivedSpans({ startTicks, bucketTicks, others }: HistoryResponse): number[] {
  const spans: number[] = []
  startTicks.forEach((start, i) => {
    if (Number.isNaN(others[i] ?? Number.NaN)) return
    if (spans.at(-1) === start) spans[spans.length - 1] = start + bucketTicks
    else spans.push(start, start + bucketTicks)
  })
  return spans
}

/** Mean, maximum and last of the known buckets, percent; NaN: none. */
export function sumUp(percent: Float32Array): { readonly mean: number; readonly most: number; readonly last: number } {
  let sum = 0
  let count = 0
  let most = Number.NaN
  let last = Number.NaN
  for (const value of percent) {
    if (Number.isNaN(value)) continue
    sum += value
    count++
    last = value
    if (!(value <= most)) most = value
  }
  return { mean: count === 0 ? Number.NaN : sum / count, most, last }
}
