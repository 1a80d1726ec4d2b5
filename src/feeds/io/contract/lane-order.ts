import { compareNames } from '../../../base/text/compare-names.ts'
import { placesOf } from '../../../capture/client/nodes.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoLane } from './lanes.ts'

/** Fields of a lane that determine its position. */
export type PlacedLane = Pick<IoLane, 'source' | 'type' | 'label' | 'path'>

const TYPE_ORDER = ['Documents', 'Index', 'Configuration', 'System']
const typeRank = (type: string): number => {
  const at = TYPE_ORDER.indexOf(type)
  return at < 0 ? TYPE_ORDER.length : at
}

/**
 * Orders lanes: documents, indexes by name, configuration, then the server's own; within that, in the order of
 * `sources`.
 */
export function orderLanes<Lane extends PlacedLane>(lanes: readonly Lane[], sources: readonly SourceId[]): Lane[] {
  const place = placesOf(sources)
  return lanes.toSorted(
    (a, b) =>
      (place.get(a.source) ?? sources.length) - (place.get(b.source) ?? sources.length) ||
      typeRank(a.type) - typeRank(b.type) ||
      compareNames(a.label, b.label) ||
      compareNames(a.path, b.path),
  )
}

/** Returns a matcher for the panel's `find` setting: any part of a label, case-insensitive. */
export function laneFinder(find: string): (label: string) => boolean {
  const wanted = find.trim().toLowerCase()
  return wanted === '' ? () => true : (label) => label.toLowerCase().includes(wanted)
}
