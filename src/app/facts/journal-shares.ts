import { DURATION, START } from '../../base/columns/event-chunk.ts'
import type { EventTable } from '../../base/columns/event-table.ts'
import { emptyAggregate } from '../../base/columns/pyramid.ts'
import { isFileSource } from '../../capture/client/state.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import type { JournalShare, JournalSource, Steps } from '../../feeds/server/data/bottleneck/steps.ts'

/** Environment with the most time in journal writes, for each step, on the watched server. */
export const journalSharesOf =
  (io: Pick<IoFeed, 'store' | 'names'>): JournalSource =>
  (steps) => {
    const most = Array.from({ length: steps.count }, (): JournalShare | null => null)
    for (const lane of io.store.lanes.values()) {
      const track = isFileSource(lane.source) ? undefined : lane.tracks.get('JournalWrite')
      if (track === undefined) continue
      const environment = io.names.labelOf(lane).label
      for (const [step, busyTicks] of busyOf(track.events, steps).entries()) {
        const share = Math.min(1, busyTicks / steps.stepTicks)
        if (share > (most[step]?.share ?? 0)) most[step] = { environment, share }
      }
    }
    return most
  }

/** Ticks of each step within events. Those of one journal follow each other: only the longest may extend beyond. */
export function busyOf(events: EventTable, { firstTicks, stepTicks, count }: Steps): Float64Array {
  const busy = new Float64Array(count)
  let from = events.lowerBound(firstTicks)
  const addBeyond = (first: number, ticks: number): void => {
    for (let step = first, left = ticks; step < count && left > 0; step++, left -= stepTicks)
      busy[step] = (busy[step] as number) + Math.min(stepTicks, left)
  }
  const endOf = (row: number): number => events.read(START, row) + events.read(DURATION, row)
  if (from > 0) addBeyond(0, endOf(from - 1) - firstTicks)
  for (let step = 0; step < count; step++) {
    const endTicks = firstTicks + (step + 1) * stepTicks
    const to = events.lowerBound(endTicks)
    if (to > from) {
      const sum = emptyAggregate()
      events.addTo(sum, from, to)
      const beyond = Math.max(0, endOf(to - 1) - endTicks)
      busy[step] = (busy[step] as number) + sum.busy - beyond
      addBeyond(step + 1, beyond)
    }
    from = to
  }
  return busy
}
