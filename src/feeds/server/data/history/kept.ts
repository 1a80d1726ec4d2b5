import type { SeenSpan } from '../coverage.ts'
import type { LoggedFinding } from './finding-log.ts'
import type { EndedQuery } from '../../contract/queries.ts'
import type { Restart } from '../../contract/now.ts'
import type { StoredSeries } from '../series.ts'

/** Data of a server that is stored between visits, apart from its series. */
export interface KeptMeta {
  /** Version of the format; other versions are not read. */
  readonly version: 1
  /** Time of saving, by the wall clock of this browser, ms. */
  readonly savedMs: number
  readonly spans: readonly SeenSpan[]
  /** Intervals with detail figures; absent: stored by an older Rookery. */
  readonly detailSpans?: readonly SeenSpan[]
  readonly restarts: readonly Restart[]
  /** Findings of the triage; absent: stored by an older Rookery. */
  readonly findings?: readonly LoggedFinding[]
  /** Slow queries that ended, newest first; absent: stored by an older Rookery. */
  readonly queries?: readonly EndedQuery[]
}

export interface Kept {
  readonly meta: KeptMeta
  readonly series: readonly StoredSeries[]
}

/** Storage of the history in the browser's IndexedDB. Errors: `Error` with a message for the user. */
export interface HistoryStore {
  readonly load: (serverId: string) => Promise<Kept | null>
  /**
   * Writes the changed series and the metadata. Beyond the maximum number of servers, those not saved for the longest
   * time are deleted.
   */
  readonly save: (serverId: string, meta: KeptMeta, series: readonly StoredSeries[]) => Promise<void>
}
