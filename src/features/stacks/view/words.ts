import {
  capitalise,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatShare,
  formatTime,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { SnapshotCost, SnapshotInfo, SnapshotStep, SeriesState } from '../../../feeds/stacks/contract/snapshots.ts'
import type { Job, JobRow, StackLine, WaitKind } from '../../../feeds/stacks/contract/jobs.ts'
import type { LiveState } from '../../../feeds/stacks/contract/live.ts'
import type { Weight } from '../../../feeds/stacks/contract/samples.ts'
import { WAIT_LOOKS, waitLook } from './threads/wait-styles.ts'

/** Formats a duration of this browser's clock. */
export const formatMs = (ms: number): string => formatDuration(Number.isFinite(ms) ? spanFromMs(ms) : Number.NaN)

/** Formats percent 0–100 as the server counts it: of all cores together. */
export const formatPercent = (percent: number): string => formatShare(percent / 100)

/** `Index Users/ByName of shop`; `Transaction merger of shop`. */
export const jobName = (job: Job): string => (job.database === null ? job.label : `${job.label} of ${job.database}`)

/** `Writes the journal; waits for the disk: journal write`. */
export function describeLine(line: StackLine | null): string {
  if (line === null) return 'No stack'
  const waits =
    line.waitsFor === ''
      ? line.wait === 'running'
        ? ''
        : line.wait === 'unknown'
          ? 'what it waits for is unknown'
          : waitLook(line.wait).one
      : `waits for ${line.waitsFor}`
  const parts = [line.runs, waits].filter((part) => part !== '')
  if (parts.length === 0) return line.wait === 'running' ? 'Runs' : 'Unknown'
  return capitalise(parts.join('; '))
}

/** Title of a snapshot in lists: number, time if it has one, number of stacks or threads, and the reason of a recorder. */
export const snapshotTitle = (snapshot: SnapshotInfo, nth: number, clock: Clock): string => {
  const when = Number.isNaN(snapshot.atTicks) ? 'no time' : formatDateTime(snapshot.atTicks, clock, 3)
  const size =
    snapshot.sampled > 0
      ? formatPlural(snapshot.sampled, 'thread')
      : `list of ${formatPlural(snapshot.threads, 'thread')} without stacks`
  const reason = snapshot.reason === null ? '' : `: ${snapshot.reason}`
  return `Snapshot ${formatCount(nth + 1)}, ${when}, ${size}${reason}`
}

/** Threads by wait, in the order of `WAIT_KINDS`. */
export function countWaits(jobs: readonly JobRow[]): number[] {
  const counts = WAIT_LOOKS.map(() => 0)
  for (const { waits } of jobs) waits.forEach((count, at) => (counts[at] = (counts[at] ?? 0) + count))
  return counts
}

/** Explains a difference between threads and stacks: `, 11 without a stack in the snapshot`. */
export function describeStackless(jobs: readonly JobRow[]): string {
  const threads = jobs.reduce((sum, job) => sum + job.threads, 0)
  const stacks = countWaits(jobs).reduce((sum, count) => sum + count, 0)
  return threads <= stacks ? '' : `, ${formatCount(threads - stacks)} without a stack in the snapshot`
}

export interface SentenceFacts {
  /** Jobs of the newest snapshot in view. */
  readonly jobs: readonly JobRow[]
  readonly snapshot: SnapshotInfo | null
  /** Snapshots in view. */
  readonly snapshots: number
  readonly live: LiveState | null
  readonly clock: Clock
}

/** Waits that delay work, worst first. */
const TROUBLE: readonly WaitKind[] = ['disk', 'lock', 'memory', 'network', 'process']

/** Two or three plain sentences: what threads wait for, and which jobs use the machine. */
export function describeStacks(facts: SentenceFacts): string {
  return [describeWaits(facts), describeReason(facts), describeCpu(facts), describeUnrecognised(facts.jobs)]
    .filter((part) => part !== '')
    .join(' ')
}

function describeWaits({ jobs, snapshot, snapshots, clock }: SentenceFacts): string {
  if (snapshot === null) return 'No stack snapshot yet.'
  const counts = countWaits(jobs)
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return 'The snapshot holds no stack.'
  const countOf = (kind: WaitKind): number => counts[WAIT_LOOKS.findIndex((look) => look.kind === kind)] ?? 0
  const of = Number.isNaN(snapshot.atTicks) ? '' : `At ${formatTime(snapshot.atTicks, clock, 1)}, `
  const among = snapshots > 1 ? `, the newest of ${formatCount(snapshots)} snapshots` : ''
  const held = TROUBLE.filter((kind) => countOf(kind) > 0).toSorted((a, b) => countOf(b) - countOf(a))
  const running = countOf('running')
  const ran = running === 0 ? 'none ran' : `${formatCount(running)} ran`
  const [worst, second] = held
  if (worst === undefined)
    return `${of}${of === '' ? 'N' : 'n'}one of ${formatPlural(all, 'thread')} waited for the disk, a lock or the network; ${ran}${among}.`
  const first = `${formatCount(countOf(worst))} of ${formatPlural(all, 'thread')} waited for ${waitedFor(worst)}`
  const rest = second === undefined ? '' : `, ${formatCount(countOf(second))} for ${waitedFor(second)}`
  return `${of}${first}${rest}; ${ran}${among}.`
}

const describeReason = ({ snapshot, snapshots }: SentenceFacts): string =>
  snapshots > 1 || (snapshot?.reason ?? null) === null ? '' : `Taken by the recorder: ${String(snapshot?.reason)}.`

const waitedFor = (kind: WaitKind): string => waitLook(kind).many.replace('wait for ', '')

/** Share of the machine, percent, below which a job is not mentioned. */
const NOTABLE_PERCENT = 3

function describeCpu({ jobs, live, snapshot }: SentenceFacts): string {
  const reported = jobs.filter(({ cpuPercent }) => !Number.isNaN(cpuPercent))
  const top = reported.toSorted((a, b) => b.cpuPercent - a.cpuPercent)[0]
  const machine = live === null || Number.isNaN(live.machinePercent) ? null : live.machinePercent
  const process = live === null || Number.isNaN(live.processPercent) ? null : live.processPercent
  if (top === undefined && machine === null) return snapshot === null ? '' : 'The CPU of each thread is not reported.'
  const used =
    top === undefined
      ? ''
      : top.cpuPercent < NOTABLE_PERCENT
        ? 'No job uses much of the CPU'
        : `Most CPU goes to ${jobName(top.job)}: ${formatPercent(top.cpuPercent)} of the machine`
  // A snapshot and the live list have different times, so that a part may seem larger than the whole.
  const isOtherMoment = top !== undefined && process !== null && top.cpuPercent > process
  const whole =
    process === null || machine === null || isOtherMoment
      ? ''
      : `the server as a whole uses ${formatPercent(process)}, everything else on the machine at least ${formatPercent(Math.max(0, machine - process))}`
  const parts = [used, whole].filter((part) => part !== '')
  if (parts.length === 0) return ''
  return capitalise(`${parts.join('; ')}.`)
}

function describeUnrecognised(jobs: readonly JobRow[]): string {
  const count = jobs.reduce((sum, { job, threads }) => sum + (job.kind === 'unrecognised' ? threads : 0), 0)
  return count === 0 ? '' : `${formatPlural(count, 'thread')} could not be attributed.`
}

/** Expected cost of a snapshot, from the last one. */
export function describeCost(last: SnapshotCost | null): string {
  const attaches = 'The server’s helper attaches to it for that moment.'
  if (last === null)
    return `${attaches} It takes about one to five seconds, some tenths of a second of CPU, and stops its threads for some milliseconds.`
  const pause =
    last.pauseMs === null
      ? 'how long its threads were paused is not reported'
      : `its threads were paused for ${formatMs(last.pauseMs)}`
  return `${attaches} The last one took ${formatMs(last.tookMs)} and ${formatBytes(last.bytes)}; ${pause}.`
}

/** Expected cost of a series, from that of the last snapshot. */
export function describeSeriesCost(everyMs: number, count: number, last: SnapshotCost | null): string {
  const lasts = `${formatPlural(count, 'snapshot')} in about ${formatMs(everyMs * Math.max(0, count - 1))}, at irregular intervals`
  if (last === null) return `${lasts}. What one costs is known after the first.`
  const share = last.tookMs / Math.max(everyMs, last.tookMs)
  return `${lasts}. As the last one, each takes ${formatMs(last.tookMs)} and ${formatBytes(last.bytes)}: the helper is attached for ${formatShare(share)} of the time, ${formatBytes(last.bytes * count)} in all.`
}

export const STEP_WORDS: Readonly<Record<SnapshotStep, string>> = {
  queued: 'Queued',
  attaching: 'Attaching',
  sampling: 'Sampling',
  joining: 'Joining',
}

export const STEPS: readonly SnapshotStep[] = ['queued', 'attaching', 'sampling', 'joining']

export const STEP_MEANINGS: Readonly<Record<SnapshotStep, string>> = {
  queued: 'it waits for its turn',
  attaching: 'the server starts its helper, which attaches to it',
  sampling: 'the runtime takes samples of all threads',
  joining: 'the answer came and is joined with the thread list',
}

/** Replaces the words for the step. */
export const ELSEWHERE = 'another tab is at it, and what it gets comes here, too'

/** Progress of a series: `12 of 60, next in 3 s`. */
export function describeSeries(series: SeriesState, nowMs: number): string {
  const done = `${formatCount(series.done)} of ${formatCount(series.count)}`
  const failed = series.failed === 0 ? '' : `, ${formatCount(series.failed)} failed`
  const cost = series.done === 0 ? '' : `; so far ${formatMs(series.tookMs)} attached, ${formatBytes(series.bytes)}`
  switch (series.phase) {
    case 'running': {
      const next =
        series.nextMs === null
          ? 'one is under way'
          : `next in ${formatCount(Math.max(0, Math.ceil((series.nextMs - nowMs) / 1000)))} s`
      return `Series: ${done}${failed}, ${next}${cost}.`
    }
    case 'stopped':
      return `Series stopped after ${done}${failed}${cost}.`
    case 'finished':
      return `Series done: ${done}${failed}${cost}.`
    case 'failed':
      return `Series gave up after ${done}${failed}${cost}.`
  }
}

/** Formats a figure in the unit of the weight. */
export function formatWeight(value: number, weight: Weight): string {
  if (!Number.isFinite(value)) return UNKNOWN
  switch (weight) {
    case 'samples':
      return formatPlural(Math.round(value), 'sample')
    case 'threads':
      return `${Number.isInteger(value) ? formatCount(value) : value.toFixed(value < 10 ? 2 : 1)} ${value === 1 ? 'thread' : 'threads'}`
    case 'cpu':
      return `${formatPercent(value)} of the machine`
  }
}

/** Change in the share of the whole between two sides, from −1 (vanished) to 1 (new); NaN: on neither side. */
export function changeOf(before: number, after: number): number {
  const sum = before + after
  return sum <= 0 ? Number.NaN : (after - before) / sum
}

/** `new`, `gone`, `twice as much`, `−34 %`. */
export function describeChange(before: number, after: number): string {
  if (before <= 0 && after <= 0) return UNKNOWN
  if (before <= 0) return 'new'
  if (after <= 0) return 'vanished'
  const share = after / before - 1
  if (Math.abs(share) < 0.005) return 'same'
  if (share >= 1) return `× ${(after / before).toFixed(1)}`
  return `${share > 0 ? '+' : '−'}${formatShare(Math.abs(share))}`
}
