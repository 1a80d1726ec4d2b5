import { countUntil, type Indexed, type MarkColumns } from '../../../charts/timeline/marks.ts'
import { endOf, type LaneData, type LaneItem, type LaneRelations, type LaneSubject, type LaneTrack } from './lane.ts'

/** A mark of a lane that is related to the selected one. */
export interface RelatedMark {
  /** `chosenKey` of its lane. */
  readonly lane: string
  readonly track: LaneTrack
  readonly mark: number
  readonly item: LaneItem
  /** Relation that both marks share; null: only the time. */
  readonly shares: keyof LaneRelations | null
}

/** Maximum number of related marks of one track, each of which is described. */
export const MOST_OF_TRACK = 200

/** Relations by which marks that are known to differ are not related. */
const TELLING: readonly (keyof LaneRelations)[] = ['transaction', 'operation', 'index', 'thread']
/**
 * Relations that are named. Writes of different environments can delay each other, so a shared storage is named but
 * does not exclude.
 */
const NAMES: readonly (keyof LaneRelations)[] = [...TELLING, 'storage']

/**
 * Relation that two overlapping marks share; null: none is known for both, only the time. False: they belong to
 * different objects.
 */
export function sharedBy(a: LaneRelations, b: LaneRelations): keyof LaneRelations | null | false {
  const shared = NAMES.find((name) => a[name] !== undefined && a[name] === b[name])
  if (shared !== undefined) return shared
  const differs = TELLING.some((name) => a[name] !== undefined && b[name] !== undefined)
  return differs ? false : null
}

/** Marks of other lanes that overlap the selected one: of the same object if known, else of the same time. */
export function relatedMarks(
  selected: { readonly lane: string; readonly item: LaneSubject },
  lanes: ReadonlyMap<string, LaneData>,
): readonly RelatedMark[] {
  const related: RelatedMark[] = []
  for (const [lane, { tracks }] of lanes) {
    if (lane === selected.lane) continue
    for (const track of tracks) {
      const own: RelatedMark[] = []
      for (const mark of overlapping(track.marks, selected.item)) {
        const item = track.itemAt(mark)
        const shares = sharedBy(selected.item.of, item.of)
        if (shares !== false) own.push({ lane, track, mark, item, shares })
      }
      related.push(...own.slice(0, MOST_OF_TRACK))
    }
  }
  return related
}

/** Marks that overlap a span, newest first; both may be moments. O(log n + marks that begin within the longest) */
export function overlapping(
  marks: Indexed<MarkColumns>,
  span: Pick<LaneItem, 'startTicks' | 'durationTicks'>,
): readonly number[] {
  const found: number[] = []
  for (let i = countUntil(marks.startTicks, marks.length, endOf(span)) - 1; i >= 0; i--) {
    if ((marks.latestEndTicks[i] ?? 0) < span.startTicks) break
    if ((marks.startTicks[i] ?? 0) + (marks.durationTicks[i] ?? 0) >= span.startTicks) found.push(i)
  }
  return found
}
