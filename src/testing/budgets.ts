import type { WatchEvent } from '../features/indexing/watch.ts'

const MIB = 1024 * 1024
const INITIAL = 32 * MIB
const STEP = 16 * MIB
const SECOND = 10_000_000
const TICK_MS = 250
const CHECK_TICKS = (TICK_MS / 1000) * SECOND

/** The server's budget scheme in small, with or without the historic bug, and what its feed would show of it. */
export interface BudgetStory {
  readonly events: readonly WatchEvent[]
  /**
   * Place of the first event whose figures no server without the bug could have sent; −1: there is none.
   * Known from what the model does inside, and not from its figures: from budgets that outlived their batch.
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
}

interface Index {
  readonly key: string
  readonly name: string
  allocated: number
  budget: number
  /** Budget that was there when the batch began, beyond what every batch begins with. */
  inherited: boolean
  batch: { id: number; startTicks: number; demand: number; growth: number; checked: number; asked: boolean } | null
  restUntil: number
}

/** A generator with a seed (mulberry32): the same seed tells the same story. */
export function random(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Indexes that compete for the memory of one machine. Every 250 ms each running batch grows and is checked: past its
 * budget it asks, and is granted use + 16 MB while that leaves the reserve available; else it ends. Frames of batches come
 * every 3 s, threads every second (of some seeds never), memory every 5 s, and held budgets every 10 s (of some seeds).
 */
export function budgetStory({ seed, variant, seconds = 1200 }: BudgetStoryOptions): BudgetStory {
  const chance = random(seed)
  const between = (low: number, high: number): number => low + (high - low) * chance()
  const machine = between(1, 6) * 1024 * MIB
  const reserve = machine * 0.1 + 256 * MIB
  const tellsThreads = chance() < 0.8
  const tellsHeld = chance() < 0.4
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
  const told = (index: Index, atTicks: number, isOpen: boolean): [WatchEvent, boolean] => {
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
      isOpen,
      checkedBytes: batch.checked === 0 ? null : batch.checked,
      budgetBytes: batch.asked ? index.budget : null,
    }
    // What a running batch holds is told a moment before it has asked: up to a step ahead, a healthy one looks the same.
    return [event, index.inherited && !batch.asked && batch.checked > INITIAL + (isOpen ? STEP : 0)]
  }
  const available = (): number => machine * 0.7 - indexes.reduce((sum, { allocated }) => sum + allocated, 0)

  for (let now = 0; now < seconds * SECOND; now += CHECK_TICKS) {
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
          asked: false,
        }
      } else if (index.batch !== null) {
        const { batch } = index
        index.allocated += Math.max(0, Math.min(batch.growth * between(0.5, 1.5), batch.demand - index.allocated))
        // Part of it is let go of while the batch goes on, as a real one does.
        if (chance() < 0.03) index.allocated = Math.max(MIB, index.allocated * between(0.5, 1))
        batch.checked = Math.round(index.allocated)
        let ends = index.allocated >= batch.demand * 0.98
        if (index.allocated > index.budget) {
          batch.asked = true
          if (available() - STEP >= reserve) index.budget = Math.round(index.allocated) + STEP
          else ends = true
        }
        if (!ends) continue
        const [event, violates] = told(index, now, false)
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
    if (tellsThreads)
      send(
        { kind: 'threads', atTicks: now, bytes: new Map(indexes.map(({ key, allocated }) => [key, allocated])) },
        false,
      )
    if (second % 5 === 0) send({ kind: 'memory', atTicks: now, availableBytes: available() }, false)
    if (second % 3 === 0) {
      for (const event of completed) send(event, completedTruth.get(event) === true)
      completed = []
      for (const index of indexes) if (index.batch !== null) send(...told(index, now, true))
    }
    // Held budgets are asked for right after a frame, so that the frame told which indexes run.
    if (tellsHeld && second % 15 === 0)
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
