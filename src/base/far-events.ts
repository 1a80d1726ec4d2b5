import { joinRanges, type TimeRange } from './ticks.ts'

/** A few events so far from all others that a picture of all of them would show the others as one line. */
export interface FarEvents extends TimeRange {
  readonly count: number
}

/** Range of nearly all events, and the few events far from it. */
export interface Extent extends TimeRange {
  readonly far?: readonly FarEvents[]
}

/** Joins extents; keeps the events that are far from every one of them. */
export function joinExtents(extents: readonly Extent[]): Extent | null {
  const [first] = extents
  if (first === undefined) return null
  const { startTicks, endTicks } = extents.reduce((range, each) => joinRanges(range, each), first)
  return { startTicks, endTicks, far: extents.flatMap(({ far = [] }) => far) }
}

/** Events far from one source and outside of all others: before everything as one item, after as another. */
export function outliers({ startTicks, endTicks, far = [] }: Extent): readonly FarEvents[] {
  const before = far.filter((each) => each.endTicks <= startTicks)
  const after = far.filter((each) => each.startTicks >= endTicks)
  return [before, after].flatMap((side): FarEvents[] => {
    const [first] = side
    if (first === undefined) return []
    const range = side.reduce<TimeRange>((joined, each) => joinRanges(joined, each), first)
    return [{ ...range, count: side.reduce((sum, { count }) => sum + count, 0) }]
  })
}
