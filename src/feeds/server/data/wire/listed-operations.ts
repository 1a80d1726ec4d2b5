import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { isRunning, readOperations } from '../../../../ravendb/operations-wire.ts'
import type { ListedOperations } from './work-wire.ts'

/**
 * Age up to which an ended operation is kept: an older one was in an earlier list, or ran before anything was
 * collected.
 */
const ENDED_TICKS = 120 * TICKS_PER_SECOND
/** Most operations of one list: a database keeps thousands that ended. */
const MOST_LISTED = 50

/** `operations` of a database: what is worth keeping. Errors: `ParseError`. */
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
