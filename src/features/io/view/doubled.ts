import { formatPlural } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { areOfTwoNodes } from '../../../capture/client/nodes.ts'
import { parseSourceId, sourceLabel, type SourceId } from '../../../capture/client/state.ts'
import type { IoLanesResponse } from '../../../feeds/io/contract/lanes.ts'

type DoubledLane = IoLanesResponse['doubled'][number]

/**
 * Describes sources in view that report the same environment (same path) at overlapping times in `range`, such as a
 * file saved from the watched database: sums count such events twice. Nodes of a package are different servers. Empty:
 * there are none. `lanes`: shown lanes.
 */
export function describeDoubled(lanes: readonly DoubledLane[], range: TimeRange): string {
  const byPath = new Map<string, DoubledLane[]>()
  for (const lane of lanes) byPath.set(lane.path, [...(byPath.get(lane.path) ?? []), lane])
  const sources = new Set<SourceId>()
  let environments = 0
  for (const same of byPath.values()) {
    const doubled = same.filter((lane) =>
      same.some(
        (other) =>
          other.source !== lane.source && !areOfTwoNodes(lane.source, other.source) && overlap(lane, other, range),
      ),
    )
    if (doubled.length > 0) environments++
    for (const { source } of doubled) sources.add(source)
  }
  if (environments === 0) return ''
  const names = [...sources].map((id) => {
    const ref = parseSourceId(id)
    return ref === null ? id : sourceLabel(ref)
  })
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} report the same ${formatPlural(environments, 'environment')} at the same times`
}

/** Whether both have events or bands of one kind at a time within the range. */
const overlap = (a: DoubledLane, b: DoubledLane, range: TimeRange): boolean =>
  a.kinds.some((kind) => {
    const other = b.kinds.find((each) => each.kind === kind.kind)
    return (
      other !== undefined &&
      Math.max(kind.firstTicks, other.firstTicks, range.startTicks) <=
        Math.min(kind.lastTicks, other.lastTicks, range.endTicks)
    )
  })
