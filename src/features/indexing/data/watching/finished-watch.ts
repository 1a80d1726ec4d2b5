import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { radixOrder } from '../../../../base/columns/radix-order.ts'
import { formatBytes, formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { BUDGET_STEP_BYTES, ENOUGH_BATCHES, INITIAL_BUDGET_BYTES } from '../limits.ts'
import type { BatchRef, IndexKey } from '../../contract/batches.ts'
import type { BudgetFinding } from '../../contract/findings.ts'

/*
 * Judges finished batches, in whatever order they were read: a file holds them index by index.
 *
 * The mechanism (`Raven.Server/Documents/Indexes/Index.cs`): every batch begins with 32 MiB. A check that finds more in
 * use than the budget asks, and is granted use + 16 MiB. At its end a batch gives everything back. So
 * - each batch derives its budget again, to the byte, from what was in use when it asked. Two batches that ask are
 *   granted the same bytes by chance only; one budget in batch after batch means that they did not ask, but kept it
 * - "in use" is not the figure that is reported: the server counts the pages of the transaction two to four times
 *   (map, map-reduce, with output collection), and memory may be released while the batch continues. A healthy batch can
 *   report a quarter of its budget (recorded: 19 of 52 MiB, in batch after batch). A low figure alone is no fault
 * - the fault that is looked for: an index releases memory, its budget stays, and others are granted the space
 *
 * Hence a finding needs all of it: one budget over successive batches, use that stays far below it for longer than chance
 * explains, other batches of the index that used more of theirs (the release, or the growth into what was kept), and
 * others that were granted more meanwhile.
 */

/**
 * If batches of one budget ended anywhere within it, n of them in a row would stay below the share s of it with the chance
 * sⁿ. Below this it is no chance: 14 batches at 31 % of their budget, 24 at half, 73 at four fifths. Use that rises and
 * falls evenly within one budget is not accused where a round takes fewer than 44 batches.
 */
const CHANCE = 1e-7
/** Shorter than this, a few fast batches of one burst would do, ticks: 1 min. */
const SHORTEST_TICKS = 600_000_000
/** Unused beyond what a grant leaves: less than one further step, or a fifth of the budget, is not worth a word. */
const SLACK_BYTES = BUDGET_STEP_BYTES
const FAR_SHARE = 0.8
/** How much larger a part of its budget a batch used outside of the stretch, for memory to have been released. */
const RELEASED = 1.25
/** Others grew into the space: one step may be on its way to any index at any time. */
const GREW_BYTES = 2 * BUDGET_STEP_BYTES
/** Level of an index before a moment: its largest budget or use in so many batches. */
const LEVEL_BATCHES = 12
/** So many batches in a row that hold more than they may without asking: not a single unreported request. */
const UNASKED_BATCHES = 12
/** Without an older grant to live on, only what no rounding and no other version's beginning can explain. */
const UNASKED_BYTES = 4 * INITIAL_BUDGET_BYTES
const MOST_KEPT = 200
const MOST_FINDINGS = 100
const MOST_EVIDENCE = 24

/** Finished batches of one index that reported memory, ascending by start. NaN: not measured, or not asked. */
export interface BatchMemory {
  readonly key: IndexKey
  readonly source: SourceId
  readonly name: string
  readonly length: number
  readonly startTicks: Float64Array
  readonly endTicks: Float64Array
  readonly id: Float64Array
  readonly usedBytes: Float64Array
  readonly budgetBytes: Float64Array
  /** 1: it ended because nothing was left to map. */
  readonly ranDry: Uint8Array
}

/** Memory of the machine over time, ascending; `length` 0: unknown. */
export interface MachineMemory {
  readonly length: number
  readonly atTicks: Float64Array
  readonly physicalBytes: Float64Array
  readonly availableBytes: Float64Array
}

export interface FinishedVerdict {
  readonly findings: readonly BudgetFinding[]
  /** Batches that reported a budget. */
  readonly budgets: number
  /** Indexes with enough of them to tell a kept budget. */
  readonly judged: number
  /**
   * Indexes that look like one that keeps a budget, but no batch that used more of it was seen: their memory may just be
   * counted so.
   */
  readonly unclear: readonly IndexKey[]
  /** Largest sum of budgets of batches that ran at once; 0: none reported one. */
  readonly peakBytes: number
}

/** A stretch of batches that kept one budget and did not use it. */
interface Kept {
  readonly series: BatchMemory
  /** Rows of `series`. */
  readonly first: number
  readonly last: number
  /** Row of the last batch that still has this budget. */
  readonly end: number
  readonly count: number
  readonly budget: number
  /** Most that was in use. */
  readonly used: number
  /** Row at which it used more of it again; −1: it did not. */
  readonly regrew: number
  /** Largest part of its budget that a batch outside of the stretch used. */
  readonly otherShare: number
}

interface Grower {
  readonly series: BatchMemory
  readonly bytes: number
  readonly to: number
}

/** Pure; O(batches), plus a search by index for each stretch that is found. All series are of one machine. */
export function judgeFinished(all: readonly BatchMemory[], memory: MachineMemory): FinishedVerdict {
  const kept: Kept[] = []
  const findings: BudgetFinding[] = []
  let budgets = 0
  let judged = 0
  for (const series of all) {
    const reported = rowsWithBudget(series)
    budgets += reported.length
    if (reported.length >= ENOUGH_BATCHES) judged++
    for (const each of keptBudgets(series, reported)) kept.push(each)
    const unasked = unaskedGrowth(series)
    if (unasked !== null) findings.push(unasked)
  }
  const found = kept
    .toSorted((a, b) => unusedOf(b) - unusedOf(a))
    .slice(0, MOST_KEPT)
    .map((each) => ({ kept: each, growers: growersBeside(all, each) }))
    .filter(({ growers }) => growers.reduce((sum, { bytes }) => sum + bytes, 0) >= GREW_BYTES)
  const isClear = ({ kept: { otherShare, used, budget } }: (typeof found)[number]): boolean =>
    otherShare >= (RELEASED * used) / budget
  for (const group of overlapping(found.filter(isClear))) findings.push(keptFinding(group, memory))
  const peak = peakOfBudgets(all)
  const over = overcommitted(all, peak, memory)
  if (over !== null) findings.push(over)
  return {
    findings: findings.toSorted((a, b) => a.atTicks - b.atTicks).slice(0, MOST_FINDINGS),
    budgets,
    judged,
    unclear: [...new Set(found.filter((each) => !isClear(each)).map((each) => each.kept.series.key))],
    peakBytes: peak.bytes,
  }
}

function rowsWithBudget({ length, budgetBytes, usedBytes }: BatchMemory): Uint32Array {
  const rows = new Uint32Array(length)
  let count = 0
  for (let row = 0; row < length; row++)
    if (!Number.isNaN(budgetBytes[row]) && !Number.isNaN(usedBytes[row])) rows[count++] = row
  return rows.subarray(0, count)
}

/** Of each run of batches with the same budget, the stretch of low use that chance explains least. */
function* keptBudgets(series: BatchMemory, reported: Uint32Array): Generator<Kept> {
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
 * Of the batches [from, to) of one budget. Each is the highest of the widest stretch around it: found as in a histogram, with
 * a stack of falling heights.
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
  const firstRow = firstUnasked(series, reported[first] as number, budget)
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

/** The end of the stretch without the rise into what was kept, which would make what was unused look smaller. */
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

/** Batches right before that held more than they begin with and did not ask lived on that budget already. */
function firstUnasked({ usedBytes, budgetBytes }: BatchMemory, row: number, budget: number): number {
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

const levelAt = ({ usedBytes, budgetBytes }: BatchMemory, row: number): number =>
  Math.max(orZero(usedBytes[row] as number), orZero(budgetBytes[row] as number))

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value)

/** First row that starts at or after `ticks`. */
const rowAt = ({ startTicks, length }: BatchMemory, ticks: number): number => bisectNumbers(startTicks, ticks, length)

/** Who was granted or used more while the budget was kept than just before; largest first. */
function growersBeside(all: readonly BatchMemory[], { series, first, end }: Kept): Grower[] {
  const fromTicks = series.startTicks[first] as number
  const toTicks = series.endTicks[end] as number
  const growers: Grower[] = []
  for (const other of all) {
    if (other === series) continue
    const from = rowAt(other, fromTicks)
    const to = rowAt(other, toTicks)
    if (from === to) continue
    let before = from === 0 ? levelAt(other, from) : 0
    for (let row = Math.max(0, from - LEVEL_BATCHES); row < from; row++) before = Math.max(before, levelAt(other, row))
    let most = 0
    for (let row = from; row < to; row++) most = Math.max(most, levelAt(other, row))
    // Less than a step is the noise of batches that differ.
    if (most - before >= BUDGET_STEP_BYTES) growers.push({ series: other, bytes: most - before, to: most })
  }
  return growers.toSorted((a, b) => b.bytes - a.bytes)
}

/** Budgets that were kept at the same time are one finding. */
function overlapping<T extends { readonly kept: Kept }>(found: readonly T[]): T[][] {
  const start = ({ kept }: T): number => kept.series.startTicks[kept.first] as number
  const end = ({ kept }: T): number => kept.series.endTicks[kept.end] as number
  const groups: { endTicks: number; members: T[] }[] = []
  for (const each of found.toSorted((a, b) => start(a) - start(b))) {
    const group = groups.at(-1)
    if (group === undefined || start(each) > group.endTicks) groups.push({ endTicks: end(each), members: [each] })
    else {
      group.members.push(each)
      group.endTicks = Math.max(group.endTicks, end(each))
    }
  }
  return groups.map(({ members }) => members)
}

const refOf = ({ key, startTicks, id }: BatchMemory, row: number): BatchRef => ({
  index: key,
  startTicks: startTicks[row] as Ticks,
  id: id[row] as number,
})

const unusedOf = ({ budget, used }: Kept): number => budget - used

function keptFinding(
  group: readonly { readonly kept: Kept; readonly growers: readonly Grower[] }[],
  memory: MachineMemory,
): BudgetFinding {
  const largest = group.toSorted((a, b) => unusedOf(b.kept) - unusedOf(a.kept))
  const holders = largest.map(({ kept }) => kept)
  const [main] = holders as [Kept, ...Kept[]]
  const atTicks = Math.min(...holders.map(({ series, first }) => series.startTicks[first] as number))
  const lastTicks = Math.max(...holders.map(({ series, end }) => series.endTicks[end] as number))
  const unused = holders.reduce((sum, kept) => sum + unusedOf(kept), 0)
  const keys = new Set(holders.map(({ series }) => series.key))
  const growers = mergeGrowers(group.flatMap((each) => each.growers).filter(({ series }) => !keys.has(series.key)))
  const least = leastAvailable(memory, atTicks, lastTicks)
  const isOver = least !== null && unused > least.bytes + holders.length * BUDGET_STEP_BYTES
  const [grower] = growers
  const grown =
    grower === undefined
      ? ''
      : `, while ${grower.series.name} grew by ${formatBytes(grower.bytes)} to ${formatBytes(grower.to)}${growers.length > 1 ? ` and ${formatPlural(growers.length - 1, 'other index', 'other indexes')} grew too` : ''}`
  const regrown = holders.filter(({ regrew }) => regrew !== -1).map(({ series }) => series.name)
  const again = regrown.length === 0 ? '' : ` Later ${regrown.slice(0, 3).join(', ')} grew within it without asking.`
  const words = `${holderWords(holders)}: ${formatBytes(unused)} reserved and not used${grown}.${again} A batch should give its budget back at its end.`
  return {
    id: `finished ${isOver ? 'over-promised' : 'budget-held'} ${main.series.key} ${atTicks}`,
    kind: isOver ? 'over-promised' : 'budget-held',
    source: main.series.source,
    atTicks: atTicks as Ticks,
    lastTicks: lastTicks as Ticks,
    times: holders.reduce((sum, { count }) => sum + count, 0),
    indexes: [...keys],
    grewInto: growers.slice(0, 8).map(({ series, bytes }) => ({ index: series.key, grewBytes: bytes as Bytes })),
    excessBytes: unused as Bytes,
    words: isOver ? `${words} Only ${formatBytes(least.bytes)} were available.` : words,
    evidence: [
      ...holders.flatMap(evidenceOf),
      ...growers.slice(0, 4).map(({ series, bytes, to }) => ({
        atTicks: lastTicks as Ticks,
        index: series.key,
        batch: null,
        words: `${series.name} grew by ${formatBytes(bytes)} meanwhile, to ${formatBytes(to)}.`,
        bytes: to as Bytes,
      })),
      ...(least === null
        ? []
        : [
            {
              atTicks: least.atTicks as Ticks,
              index: null,
              batch: null,
              words: `Least memory available meanwhile: ${formatBytes(least.bytes)}.`,
              bytes: least.bytes as Bytes,
            },
          ]),
    ]
      .toSorted((a, b) => a.atTicks - b.atTicks)
      .slice(0, MOST_EVIDENCE),
  }
}

function holderWords(holders: readonly Kept[]): string {
  const named = holders
    .slice(0, 3)
    .map(
      ({ series, budget, used }) => `${series.name} keeps ${formatBytes(budget)} and uses at most ${formatBytes(used)}`,
    )
  const more = holders.length - named.length
  return named.join('; ') + (more > 0 ? `; so do ${formatPlural(more, 'other index', 'other indexes')}` : '')
}

/** When it was justified last, when the use fell, and when it rose again without a request. */
function evidenceOf({ series, first, count, budget, used, regrew }: Kept): BudgetFinding['evidence'][number][] {
  const { startTicks, endTicks, id, usedBytes, budgetBytes, name, key } = series
  const line = (row: number, words: string, bytes: number): BudgetFinding['evidence'][number] => ({
    atTicks: (row === first ? startTicks[row] : endTicks[row]) as Ticks,
    index: key,
    batch: refOf(series, row),
    words,
    bytes: bytes as Bytes,
  })
  const before = first - 1
  const used0 = usedBytes[before] ?? Number.NaN
  return [
    ...(before >= 0 && budgetBytes[before] === budget && used0 > used
      ? [
          line(
            before,
            `${name}, batch ${id[before]}: budget ${formatBytes(budget)}, ${formatBytes(used0)} in use.`,
            used0,
          ),
        ]
      : []),
    line(
      first,
      `${name}, from batch ${id[first]} on: ${formatCount(count)} batches with the same budget of ${formatBytes(budget)} and at most ${formatBytes(used)} in use.`,
      budget - used,
    ),
    ...(regrew === -1
      ? []
      : [
          line(
            regrew,
            `${name}, batch ${id[regrew]}: it grows within that budget, to ${formatBytes(usedBytes[regrew] as number)}, without asking.`,
            usedBytes[regrew] as number,
          ),
        ]),
  ]
}

function mergeGrowers(growers: readonly Grower[]): Grower[] {
  const most = new Map<IndexKey, Grower>()
  for (const each of growers) if ((most.get(each.series.key)?.bytes ?? 0) < each.bytes) most.set(each.series.key, each)
  return [...most.values()].toSorted((a, b) => b.bytes - a.bytes)
}

function leastAvailable(
  { length, atTicks, availableBytes }: MachineMemory,
  fromTicks: number,
  toTicks: number,
): { readonly atTicks: number; readonly bytes: number } | null {
  let least: { atTicks: number; bytes: number } | null = null
  for (let at = 0; at < length; at++) {
    const [ticks, bytes] = [atTicks[at] as number, availableBytes[at] as number]
    if (ticks < fromTicks || ticks > toTicks || Number.isNaN(bytes)) continue
    if (least === null || bytes < least.bytes) least = { atTicks: ticks, bytes }
  }
  return least
}

/**
 * Batch after batch holds more than every batch begins with and asks for nothing: they live on an older budget. One batch
 * proves it only to who saw it run (`BudgetWatch`): in a file the request may just not have been reported.
 */
function unaskedGrowth(series: BatchMemory): BudgetFinding | null {
  const { length, usedBytes, budgetBytes, ranDry, startTicks, endTicks, id, name, key } = series
  let grant = -1
  let first = -1
  let count = 0
  let most = -1
  const asFinding = (last: number): BudgetFinding => {
    const used = usedBytes[most] as number
    const older =
      grant === -1
        ? ''
        : ` Its batch ${id[grant]} was granted ${formatBytes(budgetBytes[grant] as number)} before: it lives on that.`
    return {
      id: `finished grew-unasked ${key} ${startTicks[first]}`,
      kind: 'grew-unasked',
      source: series.source,
      atTicks: startTicks[first] as Ticks,
      lastTicks: endTicks[last] as Ticks,
      times: count,
      indexes: [key],
      grewInto: [],
      excessBytes: (used - INITIAL_BUDGET_BYTES) as Bytes,
      words: `${name} held up to ${formatBytes(used)} in ${formatCount(count)} batches in a row and asked for nothing, though every batch begins with ${formatBytes(INITIAL_BUDGET_BYTES)}.${older}`,
      evidence: [first, most].map((row) => ({
        atTicks: startTicks[row] as Ticks,
        index: key,
        batch: refOf(series, row),
        words: `${name}, batch ${id[row]}: ${formatBytes(usedBytes[row] as number)} in use, no budget asked for.`,
        bytes: usedBytes[row] as Bytes,
      })),
    }
  }
  for (let row = 0; row < length; row++) {
    const used = usedBytes[row] as number
    if (!Number.isNaN(budgetBytes[row])) {
      if (count >= UNASKED_BATCHES) return asFinding(row - 1)
      grant = row
      first = -1
      count = 0
      continue
    }
    const mayLiveOnGrant =
      grant !== -1 && used > INITIAL_BUDGET_BYTES + SLACK_BYTES && used <= (budgetBytes[grant] as number)
    if (!mayLiveOnGrant && !(grant === -1 && used > UNASKED_BYTES && ranDry[row] === 1)) continue
    if (count === 0) first = most = row
    count++
    if (used > (usedBytes[most] as number)) most = row
  }
  return count >= UNASKED_BATCHES ? asFinding(length - 1) : null
}

/** Largest sum of budgets of batches that ran at the same time. */
function peakOfBudgets(all: readonly BatchMemory[]): { readonly bytes: number; readonly atTicks: number } {
  let count = 0
  for (const { length, budgetBytes } of all)
    for (let row = 0; row < length; row++) if ((budgetBytes[row] as number) > 0) count++
  const ticks = new Float64Array(2 * count)
  const bytes = new Float64Array(2 * count)
  let at = 0
  for (const { length, startTicks, endTicks, budgetBytes } of all)
    for (let row = 0; row < length; row++) {
      const budget = budgetBytes[row] as number
      if (!(budget > 0)) continue
      // The order is stable: of one moment, what ends comes first.
      ticks[at] = endTicks[row] as number
      bytes[at] = -budget
      ticks[count + at] = startTicks[row] as number
      bytes[count + at] = budget
      at++
    }
  let sum = 0
  let peak = { bytes: 0, atTicks: Number.NaN }
  for (const edge of orderOf(ticks)) {
    sum += bytes[edge] as number
    if (sum > peak.bytes) peak = { bytes: sum, atTicks: ticks[edge] as number }
  }
  return peak
}

function orderOf(keys: Float64Array): Uint32Array {
  const run = radixOrder(keys, keys.length)
  for (;;) {
    const step = run.next()
    if (step.done === true) return step.value
  }
}

/** What was granted at once exceeds the machine: whatever of it is in use, the rest cannot be there. */
function overcommitted(
  all: readonly BatchMemory[],
  peak: { readonly bytes: number; readonly atTicks: number },
  memory: MachineMemory,
): BudgetFinding | null {
  let physical = 0
  for (let at = 0; at < memory.length; at++) physical = Math.max(physical, orZero(memory.physicalBytes[at] as number))
  const holders = all.flatMap((series) => {
    for (let row = Math.max(0, rowAt(series, peak.atTicks) - 4); row < series.length; row++) {
      if ((series.startTicks[row] as number) > peak.atTicks) break
      const budget = series.budgetBytes[row] as number
      if ((series.endTicks[row] as number) > peak.atTicks && budget > 0) return [{ series, row, budget }]
    }
    return []
  })
  const excess = peak.bytes - physical - holders.length * BUDGET_STEP_BYTES
  if (physical === 0 || excess <= 0) return null
  const sorted = holders.toSorted((a, b) => b.budget - a.budget)
  const [first] = sorted
  if (first === undefined) return null
  return {
    id: `finished over-promised ${first.series.source} ${peak.atTicks}`,
    kind: 'over-promised',
    source: first.series.source,
    atTicks: peak.atTicks as Ticks,
    lastTicks: peak.atTicks as Ticks,
    times: 1,
    indexes: sorted.map(({ series }) => series.key),
    grewInto: [],
    excessBytes: (peak.bytes - physical) as Bytes,
    words: `Budgets of ${formatPlural(sorted.length, 'batch', 'batches')} that ran at once sum to ${formatBytes(peak.bytes)}, and the machine has ${formatBytes(physical)}; the largest is that of ${first.series.name}.`,
    evidence: sorted.slice(0, MOST_EVIDENCE).map(({ series, row, budget }) => ({
      atTicks: series.startTicks[row] as Ticks,
      index: series.key,
      batch: refOf(series, row),
      words: `${series.name}, batch ${series.id[row]}: budget ${formatBytes(budget)}.`,
      bytes: budget as Bytes,
    })),
  }
}
