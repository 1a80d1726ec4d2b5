import { formatShare } from '../../../../base/text/format.ts'
import type { Bottleneck } from '../../../../feeds/server/contract.ts'

/** `Disk, 60 % of the time that was measured`: the bottleneck with the largest share; empty: not measured. */
export function describeBottleneck(intervals: readonly Bottleneck[]): string {
  const byTitle = new Map<string, number>()
  let measured = 0
  for (const { label, title, startTicks, endTicks } of intervals) {
    if (label === 'unknown') continue
    measured += endTicks - startTicks
    byTitle.set(title, (byTitle.get(title) ?? 0) + endTicks - startTicks)
  }
  const [longest] = [...byTitle].toSorted(([, a], [, b]) => b - a)
  return longest === undefined || measured === 0
    ? ''
    : `${longest[0]}, ${formatShare(longest[1] / measured)} of the time that was measured`
}
