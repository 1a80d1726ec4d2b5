import type { IoEvent } from '../../../src/testing/server/io-events.ts'
import { durationsOf, grouped, KIND_TITLES, laneOf, startsIn, type TickRange } from '../io-events.ts'
import { sum } from '../statistics.ts'
import { knownSeconds, type LineTruth, type Sides, type SideTruth } from './compare.ts'

/** Events of each environment and kind in two ranges. */
export function linesOf(
  all: readonly IoEvent[],
  database: string,
  ranges: Sides<TickRange>,
  gaps: Parameters<typeof knownSeconds>[1],
): LineTruth[] {
  return [...grouped(all, ({ path }) => path)].flatMap(([path, ofLane]) =>
    [...grouped(ofLane, ({ kind }) => kind)].map(([kind, events]): LineTruth => {
      const sideOf = (range: TickRange): SideTruth => {
        const own = events.filter((event) => startsIn(event, range))
        return {
          durations: durationsOf(own),
          bytes: sum(own.map(({ bytes }) => bytes)),
          seconds: knownSeconds(range, gaps, path),
        }
      }
      const [before, after] = ranges
      return { lane: laneOf(path, database), kind: KIND_TITLES[kind] ?? kind, sides: [sideOf(before), sideOf(after)] }
    }),
  )
}
