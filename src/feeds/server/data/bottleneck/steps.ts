import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TimeRange } from '../../../../base/ticks.ts'
import { lowMemorySpells } from '../../../../ravendb/machine/low-memory-spells.ts'
import type { ServerModel } from '../model.ts'
import { SATURATED_CPU_PERCENT } from '../../../../ravendb/limits.ts'
import { seriesInfo, volumeKey } from '../series.ts'

/** Figures measured in one step of time. Null: not measured. Shares are 0–1. */
export interface StepFigures {
  readonly startTicks: Ticks
  /** Mean CPU use, percent: of the machine, and of this server, which is of the cores that it may use. */
  readonly cpu: {
    readonly machine: number
    readonly process: number | null
    readonly cores: number | null
    readonly usedCores: number | null
  } | null
  /** Number of samples of the CPU. With few, most of the step is unknown, and `cpu` is null. */
  readonly cpuSamples: number
  readonly credits: { readonly remaining: number; readonly threshold: number } | null
  /** Available memory: its mean, and the minimum of all samples. */
  readonly memory: {
    readonly availableBytes: number
    readonly leastBytes: number
    readonly limitBytes: number
    readonly isLogged: boolean
  } | null
  /**
   * Share of GC pauses in the minute that ends with the step, for the part of it that is known. A lower bound, since
   * pauses between two reports are not seen.
   */
  readonly gcPauses: number | null
  /** Volume with the longest queue: minimum and mean length of the queue. */
  readonly queue: { readonly mount: string; readonly least: number; readonly mean: number } | null
  /** Dirty pages of the whole machine as a share of its available memory. */
  readonly unwritten: number | null
  /**
   * Share of time in journal writes, of the environment with the highest one, among the databases whose I/O is watched.
   */
  readonly journal: JournalShare | null
  /** Shares of time of the busiest merger: waiting for writes, executing transactions, committing. */
  readonly merger: { readonly waits: number; readonly transactions: number; readonly commits: number } | null
  readonly writesPerSecond: number | null
}

export interface JournalShare {
  readonly environment: string
  readonly share: number
}

/** Steps of equal length; the last one may not be complete. */
export interface Steps {
  readonly firstTicks: number
  readonly stepTicks: number
  readonly count: number
}

/**
 * Reads, from the I/O feed, the environment with the highest share of journal writes for each step; null: nothing was
 * written.
 */
export type JournalSource = (steps: Steps) => readonly (JournalShare | null)[]

/** Possible step lengths. Multiples of the bucket lengths: 10 s are kept for a day, a minute for longer. */
const STEP_SECONDS = [10, 60, 300, 1800, 7200, 43_200]

/** Steps of at least 10 s that cover the range; their number is at most about `most`. */
export function stepsOf({ startTicks, endTicks }: TimeRange, most: number): Steps {
  const least = (endTicks - startTicks) / Math.max(1, most)
  const seconds = STEP_SECONDS.find((each) => each * TICKS_PER_SECOND >= least) ?? 43_200
  const stepTicks = seconds * TICKS_PER_SECOND
  const first = Math.floor(startTicks / stepTicks)
  return { firstTicks: first * stepTicks, stepTicks, count: Math.max(0, Math.ceil(endTicks / stepTicks) - first) }
}

/** Values of a series by step; `count` 0: no sample. */
interface Column {
  readonly count: Float64Array
  readonly sum: Float64Array
  readonly least: Float64Array
}

/** Number of report intervals for which a value is valid, if the figure is reported less often than once per step. */
const HOLDS_BEATS = 1.5

function columnOf({ series }: ServerModel, key: string, steps: Steps, isHeld: boolean): Column {
  const { firstTicks, stepTicks, count } = steps
  const range = { startTicks: firstTicks as Ticks, endTicks: (firstTicks + count * stepTicks) as Ticks }
  const rows = series.rows(key, range, (range.endTicks - range.startTicks) / Math.min(stepTicks, 60 * TICKS_PER_SECOND))
  const column: Column = {
    count: new Float64Array(count),
    sum: new Float64Array(count),
    least: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
  }
  for (let row = 0; row < rows.length; row++) {
    const samples = rows.count[row] as number
    const step = Math.floor(((rows.startTicks[row] as number) + rows.bucketTicks / 2 - firstTicks) / stepTicks)
    if (samples === 0 || step < 0 || step >= count) continue
    column.count[step] = (column.count[step] as number) + samples
    column.sum[step] = (column.sum[step] as number) + samples * (rows.mean[row] as number)
    column.least[step] = Math.min(column.least[step] as number, rows.min[row] as number)
  }
  const everyTicks = (seriesInfo(key)?.everyMs ?? 0) * TICKS_PER_MS
  if (isHeld && everyTicks >= stepTicks) hold(column, Math.ceil((HOLDS_BEATS * everyTicks) / stepTicks))
  return column
}

/** Fills steps that have no sample from the nearest step with samples, up to `most` steps away. */
function hold(column: Column, most: number): void {
  const known = Array.from(column.count, (count) => count > 0)
  for (const [step, isKnown] of known.entries()) {
    if (isKnown) continue
    for (let away = 1; away <= most; away++) {
      const from = known[step - away] === true ? step - away : known[step + away] === true ? step + away : -1
      if (from < 0) continue
      for (const part of [column.count, column.sum, column.least]) part[step] = part[from] as number
      break
    }
  }
}

const meanAt = ({ count, sum }: Column, step: number): number | null =>
  (count[step] as number) === 0 ? null : (sum[step] as number) / (count[step] as number)

/** Minimum number of samples of a figure that is reported each second. With fewer, most of the step is unknown. */
const CPU_SAMPLES = 4
/** Minimum number of samples if all of them are saturated: such a machine reports late. */
const SATURATED_SAMPLES = 2
/** Age up to which samples of the CPU are the present. */
const PRESENT_MS = 6000
/** Minimum number of samples of a queue, which the server refreshes every 3 to 4 s. */
const QUEUE_SAMPLES = 2
const GC_TICKS = 60 * TICKS_PER_SECOND
const GC_LEAST_TICKS = 30 * TICKS_PER_SECOND

const isCpuKnown = ({ machine, process }: Readonly<Record<'machine' | 'process', Column>>, step: number): boolean =>
  (machine.count[step] as number) >= CPU_SAMPLES ||
  [machine, process].some(
    ({ count, least }) =>
      (count[step] as number) >= SATURATED_SAMPLES && (least[step] as number) >= SATURATED_CPU_PERCENT,
  )

const coresOf = ({ cpu }: ServerModel): { readonly cores: number | null; readonly usedCores: number | null } => ({
  cores: cpu?.cores ?? null,
  usedCores: cpu?.usedCores ?? null,
})

/** CPU by the newest samples if all of them are saturated, else null. It does not wait for the end of a step. */
export function saturatedCpu(model: ServerModel, nowTicks: Ticks): StepFigures['cpu'] {
  const { series } = model
  const newest = (key: 'cpu.machine' | 'cpu.process'): readonly number[] => {
    const startTicks = (nowTicks - PRESENT_MS * TICKS_PER_MS) as Ticks
    const { mean } = series.rows(key, { startTicks, endTicks: (nowTicks + 1) as Ticks }, PRESENT_MS / 1000 + 1)
    return Array.from(mean)
      .filter((value) => !Number.isNaN(value))
      .slice(-SATURATED_SAMPLES)
  }
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const isSaturated = (samples: readonly number[]): boolean =>
    samples.length >= SATURATED_SAMPLES && samples.every((percent) => percent >= SATURATED_CPU_PERCENT)
  const machine = newest('cpu.machine')
  const process = newest('cpu.process')
  if (machine.length === 0 || !(isSaturated(machine) || isSaturated(process))) return null
  return { machine: meanOf(machine), process: process.length === 0 ? null : meanOf(process), ...coresOf(model) }
}

/** Reads the figures of each step from the history of a server. */
export function readSteps(
  model: ServerModel,
  steps: Steps,
  journal: JournalSource | null,
  nowTicks: Ticks,
): StepFigures[] {
  const { firstTicks, stepTicks, count } = steps
  const column = (key: string, isHeld = true): Column => columnOf(model, key, steps, isHeld)
  const machine = column('cpu.machine')
  const process = column('cpu.process')
  const available = column('memory.available')
  const dirty = column('memory.unwritten')
  const pauses = column('gc.pauseMs', false)
  const pausesKnown = column('gc.heap')
  const credits = column('credits.remaining')
  const merger = { waits: column('merger.waits'), transactions: column('merger.transactions') }
  const writes = column('writes.rate')
  const mounts = model.series.available.flatMap(({ key, mount }) =>
    mount !== null && key === volumeKey('queue', mount) ? [{ mount, column: column(key) }] : [],
  )
  const journals = journal?.(steps) ?? []
  const spells = lowMemorySpells(model.lowMemory?.events ?? [])
  const low = [...spells.over, ...(spells.since === null ? [] : [{ startTicks: spells.since, endTicks: nowTicks }])]
  const limitBytes = model.memory.now(model.lowMemory)?.lowLimit.bytes ?? null
  const threshold = model.creditThreshold
  return Array.from({ length: count }, (_, step): StepFigures => {
    const startTicks = (firstTicks + step * stepTicks) as Ticks
    const machineMean = isCpuKnown({ machine, process }, step) ? meanAt(machine, step) : null
    const availableBytes = meanAt(available, step)
    const waits = meanAt(merger.waits, step)
    const transactions = meanAt(merger.transactions, step)
    const dirtyLeast = (dirty.count[step] as number) === 0 ? null : (dirty.least[step] as number)
    const remaining = meanAt(credits, step)
    const isLogged = low.some((spell) => spell.startTicks < startTicks + stepTicks && spell.endTicks > startTicks)
    return {
      startTicks,
      cpu: machineMean === null ? null : { machine: machineMean, process: meanAt(process, step), ...coresOf(model) },
      cpuSamples: machine.count[step] as number,
      credits: remaining === null || threshold === null ? null : { remaining, threshold },
      memory:
        availableBytes === null || limitBytes === null
          ? null
          : { availableBytes, leastBytes: available.least[step] as number, limitBytes, isLogged },
      gcPauses: gcShare(pauses, pausesKnown, step, stepTicks),
      queue: longestQueue(mounts, step),
      unwritten: dirtyLeast === null || availableBytes === null ? null : dirtyLeast / availableBytes,
      journal: journals[step] ?? null,
      merger:
        waits === null || transactions === null
          ? null
          : {
              waits: waits / 100,
              transactions: transactions / 100,
              commits: Math.max(0, 1 - (waits + transactions) / 100),
            },
      writesPerSecond: meanAt(writes, step),
    }
  })
}

function longestQueue(
  mounts: readonly { readonly mount: string; readonly column: Column }[],
  step: number,
): StepFigures['queue'] {
  let longest: StepFigures['queue'] = null
  for (const { mount, column } of mounts) {
    if ((column.count[step] as number) < QUEUE_SAMPLES) continue
    const [least, mean] = [column.least[step] as number, meanAt(column, step) ?? 0]
    if (longest === null || least > longest.least || (least === longest.least && mean > longest.mean))
      longest = { mount, least, mean }
  }
  return longest
}

/**
 * Share of GC pauses in the minute that ends with `step`. Summed over a minute because pauses are reported with
 * collections, up to 15 s late.
 */
function gcShare(pauses: Column, known: Column, step: number, stepTicks: number): number | null {
  const steps = Math.max(1, Math.round(GC_TICKS / stepTicks))
  let sumMs = 0
  let knownTicks = 0
  for (let at = Math.max(0, step - steps + 1); at <= step; at++) {
    if ((known.count[at] as number) === 0) continue
    sumMs += pauses.sum[at] as number
    knownTicks += stepTicks
  }
  return knownTicks < GC_LEAST_TICKS ? null : (sumMs * TICKS_PER_MS) / knownTicks
}
