import {
  DISK_QUEUE_LEAST,
  GC_LIMITS_SHARE,
  MERGER_BUSY_SHARE,
  SATURATED_CPU_PERCENT,
  UNWRITTEN_SHARE,
} from '../../../../ravendb/limits.ts'
import {
  formatBytes,
  formatLeastBytes,
  formatLeastShare,
  formatRate,
  formatShare,
} from '../../../../base/text/format.ts'
import { describeShares } from '../../../../base/text/cpu-shares.ts'
import type { BottleneckLabel } from '../../contract/bottleneck.ts'
import type { StepFigures } from './steps.ts'

/** Limit that a server may reach, as data. A step is labelled by the first rule whose limit it reaches. */
export interface BottleneckRule {
  readonly label: BottleneckLabel
  readonly title: string
  /** When the limit is reached, and why that limits the server. */
  readonly reason: string
  /** Whether a step is at the limit; null: not measured. */
  readonly isAtLimit: (step: StepFigures) => boolean | null
  /** Sentence with the figures of these steps; null: not measured in any of them. */
  readonly describe: (steps: readonly StepFigures[]) => string | null
}

/** Share of the time from which on one part takes more time than all others together. */
const MOST_OF_TIME = 0.5

const percent = (value: number): string => formatShare(value / 100)

type Measured<Key extends keyof StepFigures> = NonNullable<StepFigures[Key]>

const measured = <Key extends keyof StepFigures>(steps: readonly StepFigures[], key: Key): Measured<Key>[] =>
  steps.flatMap((step) => (step[key] === null ? [] : [step[key] as Measured<Key>]))

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Makes a `describe` for one figure, which uses the steps in which the figure was measured. */
const describing =
  <Key extends keyof StepFigures>(key: Key, words: (values: readonly Measured<Key>[]) => string) =>
  (steps: readonly StepFigures[]): string | null => {
    const values = measured(steps, key)
    return values.length === 0 ? null : words(values)
  }

/** Name that is `most` in each step; if it is not the same in all steps, the most frequent one. */
function mostOf(names: readonly string[], most = 'the busiest volume'): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const name = [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ''
  return counts.size > 1 ? `${most} (mostly ${name})` : name
}

const describeMerger = describing('merger', (values) => {
  const [waits, transactions, commits] = (['waits', 'transactions', 'commits'] as const).map((part) =>
    formatShare(mean(values.map((value) => value[part]))),
  )
  return `The busiest transaction merger waited for writes ${waits} of the time, executed transactions ${transactions}, committed ${commits}.`
})

/** Share of the commit time below which journal writes do not explain the commits. */
const JOURNAL_OF_COMMITS = 0.5

/** Rules in order of precedence: each explains the symptoms of those after it. */
export const BOTTLENECK_RULES: readonly BottleneckRule[] = [
  {
    label: 'throttled',
    title: 'CPU credits',
    reason:
      'The CPU credits of a burstable machine are below the threshold at which the server itself holds back. What then looks like a busy CPU comes from that.',
    isAtLimit: ({ credits }) => (credits === null ? null : credits.remaining < credits.threshold),
    describe: describing('credits', (values) => {
      const left = mean(values.map(({ remaining }) => remaining))
      return `${left.toFixed(1)} CPU credits left; below ${(values[0]?.threshold ?? 0).toFixed(0)} the server holds back.`
    }),
  },
  {
    label: 'memory',
    title: 'Memory',
    reason:
      'Available memory is below the low-memory limit of the server, or its log says so: it then shrinks caches and index batches, and the disk and the CPU do more work for the same result.',
    isAtLimit: ({ memory }) => (memory === null ? null : memory.isLogged || memory.availableBytes < memory.limitBytes),
    describe: describing('memory', (values) => {
      const least = Math.min(...values.map(({ leastBytes }) => leastBytes))
      const logged = values.some(({ isLogged }) => isLogged) ? ' The server logged low memory.' : ''
      return `Each sample had at least ${formatLeastBytes(least)} of memory available; low is below ${formatBytes(values[0]?.limitBytes ?? 0)}.${logged}`
    }),
  },
  {
    label: 'memory',
    title: 'Memory',
    reason: `Garbage collections stop the server for at least ${formatShare(GC_LIMITS_SHARE)} of a minute.`,
    isAtLimit: ({ gcPauses }) => (gcPauses === null ? null : gcPauses >= GC_LIMITS_SHARE),
    describe: describing(
      'gcPauses',
      (values) => `GC pauses took at least ${formatLeastShare(mean(values))} of the time.`,
    ),
  },
  {
    label: 'disk',
    title: 'Disk',
    reason: `Each sample of the queue of a volume has at least ${DISK_QUEUE_LEAST} requests.`,
    isAtLimit: ({ queue }) => (queue === null ? null : queue.least >= DISK_QUEUE_LEAST),
    describe: describing('queue', (values) => {
      const mount = mostOf(values.map((value) => value.mount))
      return `Queue of ${mount}: ${mean(values.map((value) => value.mean)).toFixed(1)} requests on average.`
    }),
  },
  {
    label: 'disk',
    title: 'Disk',
    reason: `Dirty pages take at least ${formatShare(UNWRITTEN_SHARE)} of the available memory: from there on Linux slows writes down until the disk catches up.`,
    isAtLimit: ({ unwritten }) => (unwritten === null ? null : unwritten >= UNWRITTEN_SHARE),
    describe: describing(
      'unwritten',
      (values) => `Dirty pages took at least ${formatLeastShare(mean(values))} of the available memory.`,
    ),
  },
  {
    label: 'cpu',
    title: 'CPU',
    reason: `The machine, or the part of its cores that this server may use, is at least ${SATURATED_CPU_PERCENT} % busy. All that follows takes longer then, so it wins over it. What other processes use is a lower bound: affinity or a quota may withhold cores from the server, which then does not report how many the machine has.`,
    isAtLimit: ({ cpu }) => (cpu === null ? null : Math.max(cpu.machine, cpu.process ?? 0) >= SATURATED_CPU_PERCENT),
    describe: describing('cpu', (values) => {
      const both = values.flatMap(({ process, ...cpu }) => (process === null ? [] : [{ ...cpu, process }]))
      const [first] = both
      const by =
        first === undefined
          ? ''
          : `; ${describeShares({
              ...first,
              machine: mean(both.map(({ machine }) => machine)),
              process: mean(both.map(({ process }) => process)),
            })}`
      return `The machine was ${percent(mean(values.map(({ machine }) => machine)))} busy${by}.`
    }),
  },
  {
    label: 'disk',
    title: 'Disk',
    reason: `The journal writes of one environment, which each commit waits for, take at least ${formatShare(MOST_OF_TIME)} of the time. Known where I/O is watched.`,
    isAtLimit: ({ journal }) => (journal === null ? null : journal.share >= MOST_OF_TIME),
    describe: (steps) => {
      const values = measured(steps, 'journal')
      if (values.length === 0) return null
      const environment = mostOf(
        values.map((value) => value.environment),
        'the busiest environment',
      )
      // A step without a value had no journal writes, or its I/O was not watched.
      const of =
        values.length < steps.length
          ? ` in which there were any, ${formatShare(values.length / steps.length)} of it`
          : ''
      return `Journal writes of ${environment} took ${formatShare(mean(values.map(({ share }) => share)))} of the time${of}.`
    },
  },
  {
    label: 'disk',
    title: 'Disk',
    reason: `Commits, from the end of a transaction to the next wait, take at least ${formatShare(MOST_OF_TIME)} of the time of the busiest transaction merger. They are the journal write and, of large transactions, the compression before it; not at its limit where I/O is watched and shows that less than half of them was journal writes. Sampled every 20 s.`,
    isAtLimit: ({ merger, journal }) =>
      merger === null
        ? null
        : merger.commits >= MOST_OF_TIME && (journal === null || journal.share >= merger.commits * JOURNAL_OF_COMMITS),
    describe: describeMerger,
  },
  {
    label: 'merger',
    title: 'Transaction merger',
    reason: `The transaction merger of a database, which makes one transaction at a time, does not wait for writes for at least ${formatShare(MERGER_BUSY_SHARE)} of the time, and no resource above is at its limit. Sampled every 20 s, of databases that are written to.`,
    isAtLimit: ({ merger }) => (merger === null ? null : merger.waits <= 1 - MERGER_BUSY_SHARE),
    describe: describeMerger,
  },
  {
    label: 'client',
    title: 'Client or network',
    reason: `Something is written, and the transaction merger of the busiest database waits for writes for at least ${formatShare(MOST_OF_TIME)} of the time: more would be written if more came in. Not judged while the CPU of the machine is unknown: on a saturated machine the merger waits as well.`,
    isAtLimit: ({ cpu, merger, writesPerSecond }) =>
      cpu === null || merger === null || writesPerSecond === null
        ? null
        : writesPerSecond > 0 && merger.waits >= MOST_OF_TIME,
    describe: (steps) => {
      const merger = describeMerger(steps)
      const rates = measured(steps, 'writesPerSecond')
      return merger === null || rates.length === 0 ? null : `${merger} About ${formatRate(mean(rates))} written.`
    },
  },
]
