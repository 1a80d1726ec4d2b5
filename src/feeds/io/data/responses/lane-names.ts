import { formatPlural } from '../../../../base/text/format.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { indexFolder, lastPart, realIndexName } from '../index-names.ts'
import type { IoLaneTable } from '../lane-table.ts'

/** Real names of lanes. The server's I/O metrics name an index only by its folder. */
export class LaneNames {
  readonly #indexes = new Map<SourceId, readonly string[]>()
  readonly #reported: (source: SourceId) => readonly string[]
  readonly #labels = new Map<string, { readonly of: readonly string[]; readonly found: LaneLabel }>()

  /**
   * `reported`: index names for a source without names of its own; must return the same array while they are unchanged.
   */
  constructor(reported: (source: SourceId) => readonly string[] = () => NO_NAMES) {
    this.#reported = reported
  }

  setIndexes(source: SourceId, names: readonly string[]): void {
    this.#indexes.set(source, names)
  }

  /** Whether an index lane of the source has no real name yet. */
  lacksName(lane: IoLaneTable): boolean {
    return lane.type === 'Index' && !this.labelOf(lane).labelIsReal
  }

  labelOf(lane: IoLaneTable): LaneLabel {
    if (lane.environments !== null)
      return { label: formatPlural(lane.environments.size, 'further environment'), labelIsReal: true }
    const key = `${lane.id}|${lane.type}`
    const of = lane.type === 'Index' ? (this.#indexes.get(lane.source) ?? this.#reported(lane.source)) : NO_NAMES
    const held = this.#labels.get(key)
    if (held?.of === of) return held.found
    const found = labelOf(lane, of)
    this.#labels.set(key, { of, found })
    return found
  }
}

export interface LaneLabel {
  readonly label: string
  /** Whether `label` is the real name; false for an index whose real name is not known, labelled by its folder. */
  readonly labelIsReal: boolean
}

const NO_NAMES: readonly string[] = []

function labelOf(lane: IoLaneTable, indexNames: readonly string[]): LaneLabel {
  if (lane.type !== 'Index') return { label: TYPE_LABELS.get(lane.type) ?? lastPart(lane.path), labelIsReal: true }
  const real = realIndexName(lane.path, indexNames)
  return { label: real ?? indexFolder(lane.path), labelIsReal: real !== null }
}

const TYPE_LABELS = new Map([
  ['Documents', 'Documents'],
  ['Configuration', 'Configuration'],
  ['System', 'System'],
])
