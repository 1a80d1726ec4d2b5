import type { Bytes } from '../../../../../base/brand.ts'
import type { Ticks } from '../../../../../base/ticks.ts'
import { formatBytes, formatCount, formatPlural } from '../../../../../base/text/format.ts'
import type { BudgetFinding } from '../../../contract/findings.ts'
import { BUDGET_STEP_BYTES } from '../../../contract/limits.ts'
import { MOST_EVIDENCE, refOf, type MachineMemory } from './batch-memory.ts'
import { mergeGrowers, type Grower } from './growers.ts'
import { unusedOf, type Kept } from './kept-budgets.ts'

/** Groups budgets that were kept at the same time; each group is one finding. */
export function overlapping<T extends { readonly kept: Kept }>(found: readonly T[]): T[][] {
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

export function keptFinding(
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

/** Evidence on the budget: when it was last justified, when the use fell, and when it rose again without a request. */
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
