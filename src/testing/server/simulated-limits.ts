import type { Bytes } from '../../base/brand.ts'
import { seededRandom } from '../../base/random.ts'
import { groupBy } from '../../base/columns/group-by.ts'
import { formatTicks, parseTicks, type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'
import type { JournalSource } from '../../feeds/server/data/bottleneck/steps.ts'
import { ServerModel } from '../../feeds/server/data/model.ts'
import { volumeKey } from '../../feeds/server/data/series.ts'
import type { KernelMemory } from '../../ravendb/machine/kernel-memory.ts'
import { readMergerTimes } from '../../feeds/server/data/wire/merger-wire.ts'

/**
 * A server as a queue: writes arrive, a merger takes all that wait into one transaction, executes it on the CPU and commits it
 * on the disk. What limits it follows from the parameters, not from the labels; what is reported follows the real server.
 */
export interface SimulatedLoad {
  /** Writes a second that clients send. */
  readonly writesPerSecond: number
  /** CPU time of a write, and of a transaction, ms, on a free core. */
  readonly writeMs: number
  readonly transactionMs: number
  /** A journal write, ms, and how many requests of others are in the queue of the volume before it. */
  readonly journalMs: number
  readonly queue: number
  /** Share of the machine that other programs use, 0–1. */
  readonly othersCpu: number
  readonly availableMib: number
  /** Pages that are not written yet, of the available memory. */
  readonly unwritten: number
  readonly gcMsPerMinute: number
  readonly credits: number | null
}

export const CALM: SimulatedLoad = {
  writesPerSecond: 0,
  writeMs: 0.2,
  transactionMs: 1,
  journalMs: 2,
  queue: 0,
  othersCpu: 0.1,
  availableMib: 8000,
  unwritten: 0.01,
  gcMsPerMinute: 200,
  credits: null,
}

/** Data that is recorded. */
export interface SimulatedCollecting {
  /** Figures that are collected while a panel of the server is open. */
  readonly details: boolean
  /** I/O is watched. */
  readonly io: boolean
}

const START = parseTicks('2026-11-20T04:00:00.0000000Z')
const MIB = 2 ** 20
const RING = 256
const CORES = 4

interface Event {
  readonly from: number
  readonly ms: number
  readonly writes: number
}

/** Plays phases of so many seconds one after another, and collects what a page would. */
export function simulateLimits(
  phases: readonly (readonly [seconds: number, load: Partial<SimulatedLoad>])[],
  seed: number,
  { details, io }: SimulatedCollecting = { details: true, io: true },
): {
  readonly model: ServerModel
  readonly journal: JournalSource
  readonly startTicks: Ticks
  readonly nowTicks: Ticks
} {
  const next = seededRandom(seed)
  const model = new ServerModel()
  const waits: Event[] = []
  const transactions: Event[] = []
  const journals: Event[] = []
  const at = (ms: number): Ticks => Math.round(START + ms * TICKS_PER_MS) as Ticks
  const append = (key: string, ms: number, value: number): void => model.series.append(key, at(ms), value)
  let allMs = 0
  const ends = phases.map(([seconds]) => (allMs += seconds * 1000))
  const loadAt = (ms: number): SimulatedLoad => ({ ...CALM, ...phases[ends.findIndex((end) => ms < end)]?.[1] })
  const endMs = ends.at(-1) ?? 0
  model.started(at(-60_000))
  model.kernelMemory(memoryOf(CALM), 0)

  // The merger: one transaction after another.
  let pending = 0
  for (let ms = 0; ms < endMs;) {
    const load = loadAt(ms)
    // A thread among more runnable ones than there are cores gets its share of one.
    const slower = load.othersCpu >= 1 ? 2 + next() : 1
    if (pending < 1) {
      const gapMs = load.writesPerSecond === 0 ? 1000 : (-Math.log(1 - next()) * 1000) / load.writesPerSecond
      if (load.writesPerSecond > 0 || waits.length > 0) waits.push({ from: ms, ms: gapMs, writes: 1 })
      ms += gapMs
      pending = load.writesPerSecond === 0 ? 0 : 1
      continue
    }
    const writes = Math.min(1000, Math.floor(pending))
    const runMs = (load.transactionMs + writes * load.writeMs) * slower * (0.7 + 0.6 * next())
    const journalMs = (load.journalMs * (1 + load.queue) + (slower - 1) * load.journalMs) * (0.6 + 0.8 * next())
    transactions.push({ from: ms, ms: runMs, writes })
    journals.push({ from: ms + runMs, ms: journalMs, writes })
    pending += (load.writesPerSecond * (runMs + journalMs)) / 1000 - writes
    ms += runMs + journalMs
  }

  const bySecond = new Map(groupBy(transactions, ({ from }) => Math.floor(from / 1000)))
  for (let ms = 0; ms < endMs; ms += 1000) {
    const load = loadAt(ms)
    const within = bySecond.get(ms / 1000) ?? []
    const own = Math.min(1, within.reduce((sum, event) => sum + event.ms, 0) / 1000 / CORES + 0.01)
    const machine = Math.min(100, Math.floor((own + load.othersCpu + 0.02 * next()) * 100))
    append('cpu.machine', ms, machine)
    append('cpu.process', ms, Math.min(machine, Math.floor(own * 100)))
    if (ms % 15_000 === 0) {
      append('memory.available', ms, load.availableMib * MIB)
      append('memory.unwritten', ms, load.availableMib * MIB * load.unwritten)
      append('gc.heap', ms, 200 * MIB)
      append('gc.pauseMs', ms, load.gcMsPerMinute / 4)
    }
    if (load.credits !== null && ms % 5000 === 0) {
      model.credits(creditsOf(load.credits), 0)
      append('credits.remaining', ms, load.credits)
    }
    if (!details) continue
    // The queue is a sample of a moment: even a free disk has one now and then, and a busy one is empty now and then.
    if (ms % 3000 === 0)
      append(
        volumeKey('queue', '/data'),
        ms,
        Math.round(load.queue > 0 ? load.queue * (0.7 + next()) : next() < 0.1 ? 12 : 0),
      )
    if (ms % 3000 === 0)
      append(
        'writes.rate',
        ms,
        within.reduce((sum, event) => sum + event.writes, 0),
      )
    if (ms % 20_000 !== 0 || ms === 0) continue
    const answer = perfMetrics(waits, transactions, ms, at)
    const work = { counts: null, indexes: null, states: null, merger: null, waiting: null, operations: null }
    const mergerTimes = readMergerTimes(answer, at(ms))
    model.takeWork('simulated', { ...work, mergerTimes }, ms)
    model.takeMergerTimes(mergerTimes)
  }
  const journal: JournalSource = ({ firstTicks, stepTicks, count }) =>
    Array.from({ length: count }, (_, step) => {
      const fromMs = (firstTicks + step * stepTicks - START) / TICKS_PER_MS
      const toMs = fromMs + stepTicks / TICKS_PER_MS
      let busyMs = 0
      for (const { from, ms } of journals) if (from >= fromMs && from < toMs) busyMs += ms
      return !io || busyMs === 0 ? null : { environment: 'Documents', share: (busyMs * TICKS_PER_MS) / stepTicks }
    })
  return { model, journal, startTicks: START, nowTicks: at(endMs) }
}

/** Events that the server still has: it folds 257 into one, and keeps 8 of those of transactions and one of waits. */
function perfMetrics(waits: readonly Event[], transactions: readonly Event[], ms: number, at: (ms: number) => Ticks) {
  const kind = (MetricType: string, all: readonly Event[], keptFolds: number) => {
    const ended = all.filter((event) => event.from + event.ms <= ms)
    const folds = Math.floor(ended.length / (RING + 1))
    const parts = Array.from({ length: folds }, (_, i) => ended.slice(i * (RING + 1), (i + 1) * (RING + 1)))
    const sum = (events: readonly Event[], of: (event: Event) => number): number =>
      events.reduce((total, event) => total + of(event), 0)
    return {
      MetricType,
      Recent: ended.slice(folds * (RING + 1)).map((event) => ({
        Start: formatTicks(at(event.from)),
        Counter: event.writes,
        Duration: event.ms,
      })),
      History: parts.slice(-keptFolds).map((events) => {
        const [first, last] = [events[0] as Event, events.at(-1) as Event]
        return {
          Start: formatTicks(at(first.from)),
          Counter: sum(events, ({ writes }) => writes),
          Duration: last.from + last.ms - first.from,
          ActiveDuration: sum(events, (event) => event.ms),
        }
      }),
    }
  }
  return { PerfMetrics: [kind('GeneralWait', waits, 1), kind('Transaction', transactions, 8)] }
}

const creditsOf = (remaining: number): NonNullable<Parameters<ServerModel['credits']>[0]> => ({
  remaining,
  max: 576,
  gainedPerSecond: 0.02,
  usedPerSecond: 0.05,
  backgroundThreshold: 20,
  backgroundReleaseAt: 30,
  failoverThreshold: 10,
  failoverReleaseAt: 15,
})

/** A machine of 16 GiB, whose low-memory limit is a tenth. */
const memoryOf = ({ availableMib }: SimulatedLoad): KernelMemory => {
  const bytes = (mib: number): Bytes => (mib * MIB) as Bytes
  const process = {
    residentBytes: bytes(900),
    anonymousBytes: bytes(600),
    fileBytes: bytes(200),
    sharedBytes: bytes(100),
  }
  return {
    totalBytes: bytes(16_384),
    freeBytes: bytes(availableMib / 2),
    availableBytes: bytes(availableMib),
    unwrittenBytes: bytes(60),
    process: { ...process, swapBytes: bytes(0) },
    runtimeBytes: null,
  }
}
