import type { IndexKey } from '../../../contract/batches.ts'
import type { BudgetFinding } from '../../../contract/findings.ts'
import { BUDGET_STEP_BYTES, ENOUGH_BATCHES } from '../../../contract/limits.ts'
import type { BatchMemory, MachineMemory } from './batch-memory.ts'
import { growersBeside } from './growers.ts'
import { keptBudgets, unusedOf, type Kept } from './kept-budgets.ts'
import { keptFinding, overlapping } from './kept-finding.ts'
import { overcommitted, peakOfBudgets } from './overcommitment.ts'
import { unrequestedGrowth } from './unrequested-growth.ts'

/*
 * Judges finished batches in any order of reading: a file contains them index by index.
 *
 * The mechanism (`Raven.Server/Documents/Indexes/Index.cs`): every batch begins with 32 MiB. A check that finds more in
 * use than the budget requests more, and is granted use + 16 MiB. At its end, a batch returns everything. Therefore
 * - each batch derives its budget again, to the byte, from its use at the request. Two batches with a request are
 *   granted the same bytes only by chance; the same budget in batch after batch means that they kept it without a
 *   request
 * - the reported figure is not the memory in use: the server counts the pages of the transaction two to four times
 *   (map, map-reduce, with output collection), and memory may be released while the batch continues. A healthy batch
 *   can report a quarter of its budget (recorded: 19 of 52 MiB, in batch after batch). A low figure alone is not a
 *   fault
 * - the fault to find: an index releases memory, its budget stays, and other indexes are granted the space
 *
 * So a finding needs all of these: one budget over successive batches, use that stays far below it for longer than
 * chance explains, other batches of the index that used more of theirs (before the release, or when the index grew into
 * the kept budget), and other indexes that were granted more meanwhile.
 */

/** Factor by which a batch outside the stretch has to use more of its budget to show that memory was released. */
const RELEASED = 1.25
/** Minimum growth of other indexes into the released memory. A single step may be granted to any index at any time. */
const GREW_BYTES = 2 * BUDGET_STEP_BYTES
const MOST_KEPT = 200
const MOST_FINDINGS = 100

export interface FinishedVerdict {
  readonly findings: readonly BudgetFinding[]
  /** Number of batches that reported a budget. */
  readonly budgets: number
  /** Number of indexes with enough such batches to decide whether a budget was kept. */
  readonly judged: number
  /**
   * Indexes that seem to keep a budget, but without a batch that used more of it. The server may just count their
   * memory in that way.
   */
  readonly unclear: readonly IndexKey[]
  /** Maximum sum of the budgets of batches that ran at the same time; 0: no batch reported one. */
  readonly peakBytes: number
}

/**
 * Judges the finished batches of one machine. Pure; O(batches), plus a search by index for each stretch that is found.
 */
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
    const unrequested = unrequestedGrowth(series)
    if (unrequested !== null) findings.push(unrequested)
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
