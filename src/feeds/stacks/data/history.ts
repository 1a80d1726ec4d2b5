import { TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import type { JobKey } from '../contract/ids.ts'
import type { Job } from '../contract/jobs.ts'
import type { HistoryResponse, HistoryParams } from '../contract/live.ts'
import { MAX_JOBS } from './jobs.ts'
import type { ThreadInfo } from './live/thread-info.ts'

/** CPU in percent of all cores; NaN: not reported. */
export interface CpuTotals {
  readonly machinePercent: number
  readonly processPercent: number
}

interface Bucket {
  readonly startTicks: number
  lists: number
  machine: number
  machineLists: number
  process: number
  processLists: number
  readonly jobs: Map<JobKey, number>
}

interface Tier {
  readonly spanTicks: number
  readonly most: number
  readonly buckets: Bucket[]
}

/** A quarter of an hour by the second, six hours by ten seconds, two days by the minute. */
const TIERS = [
  { seconds: 1, most: 900 },
  { seconds: 10, most: 2160 },
  { seconds: 60, most: 2880 },
] as const
const MAX_BUCKETS = 4000

/** CPU by job over time, in tiers that become coarser with age. Bounded memory. */
export class JobHistory {
  readonly #tiers: readonly Tier[] = TIERS.map(({ seconds, most }) => ({
    spanTicks: seconds * TICKS_PER_SECOND,
    most,
    buckets: [],
  }))
  readonly #jobs = new Map<JobKey, Job>()

  add(
    atTicks: number,
    totals: CpuTotals,
    threads: Iterable<Pick<ThreadInfo, 'name' | 'cpuPercent'>>,
    jobOfName: (name: string) => Job,
  ): void {
    if (Number.isNaN(atTicks)) return
    const sums = new Map<JobKey, number>()
    for (const { name, cpuPercent } of threads) {
      if (!(cpuPercent > 0)) continue
      const job = jobOfName(name)
      if (!this.#jobs.has(job.key)) {
        // Twice the maximum of simultaneous jobs.
        if (this.#jobs.size >= 2 * MAX_JOBS) continue
        this.#jobs.set(job.key, job)
      }
      sums.set(job.key, (sums.get(job.key) ?? 0) + cpuPercent)
    }
    for (const tier of this.#tiers) addTo(tier, atTicks, totals, sums)
  }

  get byteLength(): number {
    let entries = 0
    for (const { buckets } of this.#tiers) for (const { jobs } of buckets) entries += 4 + jobs.size
    return entries * 40
  }

  response(params: HistoryParams): HistoryResponse {
    const wantedTicks = Math.max(1, (params.endTicks - params.startTicks) / Math.max(1, params.widthPx))
    const tier = this.#tierFor(params.startTicks, wantedTicks)
    const joined = Math.max(
      1,
      Math.ceil(wantedTicks / tier.spanTicks),
      Math.ceil((params.endTicks - params.startTicks) / tier.spanTicks / MAX_BUCKETS),
    )
    const bucketTicks = joined * tier.spanTicks
    const first = Math.floor(params.startTicks / bucketTicks)
    const length = Math.max(0, Math.min(MAX_BUCKETS, Math.ceil(params.endTicks / bucketTicks) - first))
    const columns = new Columns(length)
    for (const bucket of tier.buckets) {
      const at = Math.floor(bucket.startTicks / bucketTicks) - first
      if (at >= 0 && at < length) columns.add(at, bucket)
    }
    return {
      bucketTicks: bucketTicks as TickSpan,
      startTicks: Float64Array.from({ length }, (_, i) => (first + i) * bucketTicks),
      ...columns.result(this.#jobs, params.limit),
    }
  }

  /** The finest tier that is fine enough and reaches back far enough. */
  #tierFor(startTicks: number, wantedTicks: number): Tier {
    const oldest = this.#tiers.at(-1)?.buckets[0]?.startTicks ?? Number.NaN
    const reach = Math.max(startTicks, oldest)
    // Tiers that have not removed a bucket reach back to the start, although their first bucket may begin later than a
    // coarse one.
    const reaches = ({ buckets, spanTicks, most }: Tier): boolean =>
      buckets.length < most || (buckets[0]?.startTicks ?? 0) <= reach + spanTicks
    const fit = this.#tiers.findLast((tier) => tier.spanTicks <= wantedTicks && reaches(tier))
    const reaching = this.#tiers.find(reaches)
    return fit ?? reaching ?? (this.#tiers[0] as Tier)
  }
}

function addTo(
  { spanTicks, most, buckets }: Tier,
  atTicks: number,
  { machinePercent, processPercent }: CpuTotals,
  sums: Map<JobKey, number>,
): void {
  const startTicks = Math.floor(atTicks / spanTicks) * spanTicks
  const last = buckets.at(-1)
  // After a clock was set back, later buckets are dropped: they would be reported twice.
  if (last !== undefined && startTicks < last.startTicks - spanTicks) buckets.length = 0
  let bucket = buckets.at(-1)
  if (bucket === undefined || startTicks > bucket.startTicks) {
    bucket = { startTicks, lists: 0, machine: 0, machineLists: 0, process: 0, processLists: 0, jobs: new Map() }
    buckets.push(bucket)
    if (buckets.length > most) buckets.shift()
  }
  bucket.lists++
  if (!Number.isNaN(machinePercent)) {
    bucket.machine += machinePercent
    bucket.machineLists++
  }
  if (!Number.isNaN(processPercent)) {
    bucket.process += processPercent
    bucket.processLists++
  }
  for (const [key, percent] of sums) bucket.jobs.set(key, (bucket.jobs.get(key) ?? 0) + percent)
}

/** Buckets joined into columns. */
class Columns {
  readonly #length: number
  readonly #lists: Float64Array
  readonly #machine: Float64Array
  readonly #machineLists: Float64Array
  readonly #process: Float64Array
  readonly #processLists: Float64Array
  readonly #jobs = new Map<JobKey, Float64Array>()

  constructor(length: number) {
    this.#length = length
    this.#lists = new Float64Array(length)
    this.#machine = new Float64Array(length)
    this.#machineLists = new Float64Array(length)
    this.#process = new Float64Array(length)
    this.#processLists = new Float64Array(length)
  }

  add(at: number, bucket: Bucket): void {
    const plus = (column: Float64Array, value: number): number => (column[at] = (column[at] as number) + value)
    plus(this.#lists, bucket.lists)
    plus(this.#machine, bucket.machine)
    plus(this.#machineLists, bucket.machineLists)
    plus(this.#process, bucket.process)
    plus(this.#processLists, bucket.processLists)
    for (const [key, sum] of bucket.jobs) {
      let column = this.#jobs.get(key)
      if (column === undefined) this.#jobs.set(key, (column = new Float64Array(this.#length)))
      plus(column, sum)
    }
  }

  /**
   * Percentages that add up to 100. The figures are measured one after the other, so threads may add up to slightly
   * more than the process: then the process counts as the sum of its threads, and the machine as at least the process.
   * If the machine is not reported, the rest is unknown, neither idle nor of the machine.
   */
  result(jobs: ReadonlyMap<JobKey, Job>, limit: number) {
    const ranked = [...this.#jobs]
      .map(([key, column]) => ({ key, column, sum: column.reduce((a, b) => a + b, 0) }))
      .toSorted((a, b) => b.sum - a.sum || (a.key < b.key ? -1 : 1))
    const shown = ranked.slice(0, Math.max(0, limit))
    const rest = ranked.slice(shown.length)
    const empty = (): Float32Array => new Float32Array(this.#length).fill(Number.NaN)
    const drawn = shown.map(({ key }) => ({ job: jobs.get(key) as Job, percent: empty() }))
    const others = empty()
    const restOfProcess = empty()
    const restOfMachine = empty()
    const idle = empty()
    for (let at = 0; at < this.#length; at++) {
      const lists = this.#lists[at] as number
      if (lists === 0) continue
      const mean = (sum: number | undefined, count: number): number => (count === 0 ? Number.NaN : (sum ?? 0) / count)
      const own = shown.map(({ column }) => mean(column[at], lists))
      const other = rest.reduce((sum, { column }) => sum + mean(column[at], lists), 0)
      const threads = own.reduce((a, b) => a + b, other)
      const process = Math.max(threads, orElse(mean(this.#process[at], this.#processLists[at] as number), threads))
      const machine = Math.max(process, mean(this.#machine[at], this.#machineLists[at] as number))
      const most = orElse(machine, process)
      const scale = most > 100 ? 100 / most : 1
      own.forEach((percent, i) => ((drawn[i] as { percent: Float32Array }).percent[at] = percent * scale))
      others[at] = other * scale
      restOfProcess[at] = (process - threads) * scale
      restOfMachine[at] = (machine - process) * scale
      idle[at] = Math.max(0, 100 - machine * scale)
    }
    return { jobs: drawn, others, restOfProcess, restOfMachine, idle }
  }
}

const orElse = (value: number, other: number): number => (Number.isNaN(value) ? other : value)
