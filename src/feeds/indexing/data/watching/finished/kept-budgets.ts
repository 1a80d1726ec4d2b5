import { BUDGET_STEP_BYTES, INITIAL_BUDGET_BYTES } from '../../../contract/limits.ts'
import { SLACK_BYTES, type BatchMemory } from './batch-memory.ts'

/**
 * Maximum probability of a stretch by chance. If the use of batches with one budget were distributed evenly within it,
 * n batches in a row would all stay below the share s of it with probability sⁿ. The limit is reached by 14 batches at
 * 31 % of their budget, 24 at half, or 73 at four fifths. Use that rises and falls evenly within one budget is not
 * reported if a cycle has fewer than 44 batches.
 */
const CHANCE = 1e-7
/** Minimum duration of a stretch, ticks: 1 min. In a shorter one, the fast batches of one burst would be enough. */
const SHORTEST_TICKS = 600_000_000
const FAR_SHARE = 0.8

/** A stretch of batches that kept one budget without using it. */
export interface Kept {
  readonly series: BatchMemory
  /** First and last row of the stretch in `series`. */
  readonly first: number
  readonly last: number
  /** Row of the last batch that still has this budget. */
  readonly end: number
  readonly count: number
  readonly budget: number
  /** Maximum use within the stretch. */
  readonly used: number
  /** Row of the first batch after the stretch that used more of the budget again; −1: there is none. */
  readonly regrew: number
  /** Maximum share of its budget that a batch outside the stretch used. */
  readonly otherShare: number
}

/** Yields, for each run of batches with the same budget, the stretch of low use that is the least likely by chance. */
export function* keptBudgets(series: BatchMemory, reported: Uint32Array): Generator<Kept> {
  const { budgetBytes } = series
  for (let from = 0; from < reported.length;) {
    const budget = budgetBytes[reported[from] as number] as number
    let to = from + 1
    while (to < reported.length && budgetBytes[reported[to] as number] === budget) to++
    if (budget > INITIAL_BUDGET_BYTES + SLACK_BYTES) {
      const kept = lowStretch(series, reported, from, to)
      if (kept !== null) yield kept
    }
    from = to
  }
}

/**
 * Finds the stretch of low use among the batches [from, to), which have the same budget. For each batch, the widest
 * stretch in which it has the highest use is a candidate. As for the largest rectangle in a histogram, a stack of
 * falling heights finds them.
 */
function lowStretch(series: BatchMemory, reported: Uint32Array, from: number, to: number): Kept | null {
  const { usedBytes, budgetBytes, startTicks, endTicks } = series
  const budget = budgetBytes[reported[from] as number] as number
  const used = (at: number): number => usedBytes[reported[at] as number] as number
  let best = { weight: -Math.log(CHANCE), first: -1, last: -1 }
  const open: number[] = []
  for (let at = from; at <= to; at++) {
    const height = at === to ? Number.POSITIVE_INFINITY : used(at)
    while (open.length > 0 && used(open.at(-1) as number) < height) {
      const highest = used(open.pop() as number)
      const first = (open.at(-1) ?? from - 1) + 1
      const weight = -(at - first) * Math.log(Math.max(highest, 1) / budget)
      if (weight > best.weight && isFarBelow(highest, budget)) best = { weight, first, last: at - 1 }
    }
    open.push(at)
  }
  const { first } = best
  if (first === -1) return null
  const last = beforeRegrowth(usedBytes, reported, first, best.last)
  const firstRow = firstUnrequested(series, reported[first] as number, budget)
  const lastRow = reported[last] as number
  if ((endTicks[lastRow] as number) - (startTicks[firstRow] as number) < SHORTEST_TICKS) return null
  let most = 0
  for (let at = first; at <= last; at++) most = Math.max(most, used(at))
  let regrew = -1
  for (let at = last + 1; at < to && regrew === -1; at++)
    if (used(at) > most + BUDGET_STEP_BYTES) regrew = reported[at] as number
  let otherShare = 0
  for (let at = 0; at < reported.length; at++)
    if (at < first || at > last)
      otherShare = Math.max(otherShare, used(at) / (budgetBytes[reported[at] as number] as number))
  return {
    series,
    first: firstRow,
    last: lastRow,
    end: reported[to - 1] as number,
    count: last - first + 1,
    budget,
    used: most,
    regrew,
    otherShare,
  }
}

/**
 * End of the stretch without a final rise of use into the kept budget, which would make the unused part look smaller.
 */
function beforeRegrowth(usedBytes: Float64Array, reported: Uint32Array, first: number, last: number): number {
  const sorted = Float64Array.from(
    { length: last - first + 1 },
    (_, i) => usedBytes[reported[first + i] as number] as number,
  )
  sorted.sort()
  const usual = sorted[Math.floor(sorted.length * 0.75)] as number
  let end = last
  while (end > first && (usedBytes[reported[end] as number] as number) > usual + BUDGET_STEP_BYTES) end--
  return end
}

/**
 * Row of the first batch that used the older budget. Batches directly before `row` that held more than the initial
 * budget and requested none already did so.
 */
function firstUnrequested({ usedBytes, budgetBytes }: BatchMemory, row: number, budget: number): number {
  let first = row
  while (
    first > 0 &&
    Number.isNaN(budgetBytes[first - 1]) &&
    (usedBytes[first - 1] as number) > INITIAL_BUDGET_BYTES &&
    isFarBelow(usedBytes[first - 1] as number, budget)
  )
    first--
  return first
}

const isFarBelow = (used: number, budget: number): boolean =>
  used <= FAR_SHARE * budget && budget - Math.max(INITIAL_BUDGET_BYTES, used + BUDGET_STEP_BYTES) > SLACK_BYTES

export const unusedOf = ({ budget, used }: Kept): number => budget - used
