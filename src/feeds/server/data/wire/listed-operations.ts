import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { isRunning, readOperations } from '../../../../ravendb/operations-wire.ts'
import type { ListedOperations } from './work-wire.ts'

/**
 * Maximum age of an ended operation that is kept: an older one was in an earlier list, or ran before collecting began.
 */
const ENDED_TICKS = 120 * TICKS_PER_SECOND
/** Maximum number of operations of one list: a database keeps thousands of ended ones. */
const MOST_LISTED = 50

/** Reads `operations` of a database: those that run, and those that ended recently. Errors: `ParseError`. */
export function readListedOperations(response: unknown, database: string, atTicks: Ticks): ListedOperations {
  const all = readOperations(response, database)
  return {
    atTicks,
    running: all.filter(isRunning).slice(0, MOST_LISTED),
    ended: all
      .filter((each) => !isRunning(each) && (each.endTicks ?? 0) > atTicks - ENDED_TICKS)
      .toSorted((a, b) => (b.endTicks ?? 0) - (a.endTicks ?? 0))
      .slice(0, MOST_LISTED),
  }
}
