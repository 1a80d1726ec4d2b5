import { seededRandom } from '../base/random.ts'
import type { WatchEvent } from '../feeds/indexing/data/watching/watch.ts'

const MIB = 1024 * 1024
const INITIAL = 32 * MIB
const STEP = 16 * MIB
const SECOND = 10_000_000
const TICK_MS = 250
const CHECK_TICKS = (TICK_MS / 1000) * SECOND
const CHECK_DOCUMENTS = 128
/**
 * Limits of what the feed can show of a batch that grew without a request, in the words of
 * `BudgetStory.firstViolation`.
 */
const CHECKS_BETWEEN = 2
const CALM_CHECKS = 16
const FAR = 4 * INITIAL

/** The server's budget scheme in small, with or without the historic bug, and what its feed would show of it. */
export interface BudgetStory {
  readonly events: readonly WatchEvent[]
  /**
   * Place of the first event whose figures no server without the bug could have sent; −1: there is none. The index must
   * live on a budget that outlived its batch, which the model knows and the feed does not; and a check must have passed
   * that should have led to a request: the batch ended for want of documents, was reported so before and went on, or
   * was checked often.
   */
  readonly firstViolation: number
  /** Index that the first such event is about. */
  readonly culprit: string | null
  /** Whether a budget had outlived its batch when the event of that place was sent. */
  readonly isStale: readonly boolean[]
}

export interface BudgetStoryOptions {
  readonly seed: number
  /** `historic`: some time into the story, what a batch gives back is no longer taken off its budget. */
  readonly variant: 'historic' | 'fixed'
  readonly seconds?: number
  /** Reports besides batches and memory; left out: threads for some seeds, held budgets for some (5.4 alone). */
  readonly reports?: { readonly threads: boolean; readonly held: boolean }
}

interface Index {
  readonly key: string
  readonly name: string
  allocated: number
  budget: number
  /** Budget that was there when the batch began, beyond what every batch begins with. */
  inherited: boolean
  batch: {
    id: number
    startTicks: number
    demand: number
    growth: number
    checked: number
    requested: boolean
    checks: number
    /** Checks that were done when it was first reported to hold more than it began with, unasked; null: it was not. */
    aheadAt: number | null
  } | null
  restUntil: number
}

/**
 * Indexes that compete for the memory of one machine. Every 250 ms each running batch grows and is checked: past its
 * budget it requests more, and is granted use + 16 MB while that leaves the reserve available; else it ends. A check
 * notes the use first and requests last: while the machine is low on memory a batch is stopped between the two, and now
 * and then a frame is made between them. Frames of batches come every 3 s, threads every second (of some seeds never),
 * memory every 5 s, and held budgets every 10 s (of some seeds).
 */
export function budgetStory({ seed, variant, seconds = 1200, reports }: BudgetStoryOptions): BudgetStory {
  const chance = seededRandom(seed)
  const between = (low: number, high: number): number => low + (high - low) * chance()
  const machine = between(1, 6) * 1024 * MIB
  const reserve = machine * 0.1 + 256 * MIB
  const [threadsToo, heldToo] = [chance() < 0.8, chance() < 0.4]
  const { threads: reportsThreads, held: reportsHeld } = reports ?? { threads: threadsToo, held: heldToo }
  const bugFrom = variant === 'historic' ? between(0.1, 0.4) * seconds * SECOND : Number.POSITIVE_INFINITY
  const indexes = Array.from({ length: 3 + Math.floor(chance() * 6) }, (_, i): Index => {
    const name = `Orders/By${i}`
    const restUntil = between(0, 20) * SECOND
    return { key: `db:a|${name}`, name, allocated: MIB, budget: INITIAL, inherited: false, batch: null, restUntil }
  })
  const events: WatchEvent[] = []
  const isStale: boolean[] = []
  let firstViolation = -1
  let culprit: string | null = null
  let completed: WatchEvent[] = []
  const completedTruth = new Map<WatchEvent, boolean>()
  let nextId = 1

  const holdsStale = (index: Index): boolean => index.batch === null && index.budget > INITIAL
  const send = (event: WatchEvent, violates: boolean): void => {
    if (violates && firstViolation === -1) {
      firstViolation = events.length
      culprit = 'index' in event ? event.index : null
    }
    events.push(event)
    isStale.push(indexes.some((index) => index.inherited || holdsStale(index)))
  }
  const reported = (index: Index, atTicks: number, end: 'open' | 'done' | 'stopped'): [WatchEvent, boolean] => {
    const { batch } = index
    if (batch === null) throw new Error('No batch is running.')
    const event: WatchEvent = {
      kind: 'batch',
      atTicks,
      source: 'db:a',
      index: index.key,
      name: index.name,
      startTicks: batch.startTicks,
      id: batch.id,
      isOpen: end === 'open',
      checkedBytes: batch.checked === 0 ? null : batch.checked,
      budgetBytes: batch.requested ? index.budget : null,
      documents: batch.checks * CHECK_DOCUMENTS,
      passedLastCheck: end === 'done',
    }
    if (batch.requested || batch.checked <= INITIAL) return [event, false]
    const wentOn = batch.aheadAt !== null && batch.checks - batch.aheadAt >= CHECKS_BETWEEN
    const shows = end === 'done' || wentOn || (batch.checked > FAR && batch.checks >= CALM_CHECKS)
    // The end is reported with the next frame, after which there is nothing to go on with.
    batch.aheadAt ??= batch.checks
    return [event, index.inherited && shows]
  }
  const available = (): number => machine * 0.7 - indexes.reduce((sum, { allocated }) => sum + allocated, 0)

  let lowUntil = Number.NEGATIVE_INFINITY
  for (let now = 0; now < seconds * SECOND; now += CHECK_TICKS) {
    if (chance() < 0.001) lowUntil = now + between(5, 40) * SECOND
    /** Reported in the middle of the check of this moment. */
    const early = new Map<Index, [WatchEvent, boolean]>()
    for (const index of indexes) {
      if (index.batch === null && now >= index.restUntil) {
        if (now < bugFrom || index.budget <= INITIAL) index.budget = INITIAL
        index.inherited = index.budget > INITIAL
        const demand = MIB * Math.exp(between(Math.log(2), Math.log(machine / MIB / 3)))
        index.batch = {
          id: nextId++,
          startTicks: now,
          demand,
          growth: demand / between(8, 80),
          checked: 0,
          requested: false,
          checks: 0,
          aheadAt: null,
        }
      } else if (index.batch !== null) {
        const { batch } = index
        index.allocated += Math.max(0, Math.min(batch.growth * between(0.5, 1.5), batch.demand - index.allocated))
        // Part of it is let go of while the batch goes on, as a real one does.
        if (chance() < 0.03) index.allocated = Math.max(MIB, index.allocated * between(0.5, 1))
        batch.checked = Math.round(index.allocated)
        batch.checks++
        let end: 'open' | 'done' | 'stopped' = index.allocated >= batch.demand * 0.98 ? 'done' : 'open'
        if (now < lowUntil) end = 'stopped'
        else if (index.allocated > index.budget) {
          if (now % (3 * SECOND) === 0 && chance() < 0.3) early.set(index, reported(index, now, 'open'))
          batch.requested = true
          if (available() - STEP >= reserve) index.budget = Math.round(index.allocated) + STEP
          else end = 'stopped'
        }
        if (end === 'open') continue
        early.delete(index)
        const [event, violates] = reported(index, now, end)
        completed.push(event)
        completedTruth.set(event, violates)
        index.batch = null
        index.inherited = false
        index.restUntil = now + between(1, 30) * SECOND
        // Memory is given back; the bug is that the budget is not.
        index.allocated = MIB * between(0.5, 4)
        if (now < bugFrom) index.budget = INITIAL
      }
    }
    const second = Math.round(now / SECOND)
    if (now % SECOND !== 0) continue
    if (reportsThreads)
      send(
        { kind: 'threads', atTicks: now, bytes: new Map(indexes.map(({ key, allocated }) => [key, allocated])) },
        false,
      )
    if (second % 5 === 0) send({ kind: 'memory', atTicks: now, availableBytes: available() }, false)
    if (second % 3 === 0) {
      for (const event of completed) send(event, completedTruth.get(event) === true)
      completed = []
      for (const index of indexes) if (index.batch !== null) send(...(early.get(index) ?? reported(index, now, 'open')))
    }
    // Held budgets are requested right after a frame, so that the frame reported which indexes run.
    if (reportsHeld && second % 15 === 0)
      for (const index of indexes) {
        const { key, name, allocated, budget } = index
        const beyond = budget - Math.max(INITIAL, allocated + STEP)
        send(
          {
            kind: 'held',
            atTicks: now,
            source: 'db:a',
            index: key,
            name,
            allocatedBytes: allocated,
            budgetBytes: budget,
          },
          holdsStale(index) && beyond > STEP,
        )
      }
  }
  return { events, firstViolation, culprit, isStale }
}
