import { joinRanges, type TimeRange } from './ticks.ts'

/** Few events so far from all others that a picture of all of them would show the others as one line. */
export interface FarEvents extends TimeRange {
  readonly count: number
}

/** Where nearly all events lie, and the few that lie far from there. */
export interface Extent extends TimeRange {
  readonly far?: readonly FarEvents[]
}

/** Extent of all of these together, with the events that are far from any of them. */
export function joinExtents(extents: readonly Extent[]): Extent | null {
  const [first] = extents
  if (first === undefined) return null
  const { startTicks, endTicks } = extents.reduce((range, each) => joinRanges(range, each), first)
  return { startTicks, endTicks, far: extents.flatMap(({ far = [] }) => far) }
}

/** Events far from one source and outside of all others, too: those before all, and those after, as one. */
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
