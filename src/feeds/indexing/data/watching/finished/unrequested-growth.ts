import type { Bytes } from '../../../../../base/brand.ts'
import type { Ticks } from '../../../../../base/ticks.ts'
import { formatBytes, formatCount } from '../../../../../base/text/format.ts'
import type { BudgetFinding } from '../../../contract/findings.ts'
import { INITIAL_BUDGET_BYTES } from '../../../contract/limits.ts'
import { refOf, SLACK_BYTES, type BatchMemory } from './batch-memory.ts'

/**
 * Minimum number of batches above the initial budget without a request, so that a single request that was not reported
 * is no finding.
 */
const UNREQUESTED_BATCHES = 12
/** Minimum use without an older grant: neither rounding nor the initial budget of another version can explain it. */
const UNREQUESTED_BYTES = 4 * INITIAL_BUDGET_BYTES

/**
 * Finds runs of batches that hold more than the initial budget but request none: they use an older budget. A single
 * batch is proof only while it is watched (`BudgetWatch`); in a file, its request may just not have been reported.
 */
export function unrequestedGrowth(series: BatchMemory): BudgetFinding | null {
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
      if (count >= UNREQUESTED_BATCHES) return asFinding(row - 1)
      grant = row
      first = -1
      count = 0
      continue
    }
    const mayLiveOnGrant =
      grant !== -1 && used > INITIAL_BUDGET_BYTES + SLACK_BYTES && used <= (budgetBytes[grant] as number)
    if (!mayLiveOnGrant && !(grant === -1 && used > UNREQUESTED_BYTES && ranDry[row] === 1)) continue
    if (count === 0) first = most = row
    count++
    if (used > (usedBytes[most] as number)) most = row
  }
  return count >= UNREQUESTED_BATCHES ? asFinding(length - 1) : null
}
