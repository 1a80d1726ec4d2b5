import type { SeenSpan } from '../coverage.ts'
import type { LoggedFinding } from './finding-log.ts'
import type { EndedQuery } from '../../contract/queries.ts'
import type { Restart } from '../../contract/now.ts'
import type { StoredSeries } from '../series.ts'

/** Data of a server that is kept between visits, beside its series. */
export interface KeptMeta {
  /** Version of the shape; another one is not read. */
  readonly version: 1
  /** Wall clock of this browser, ms. */
  readonly savedMs: number
  readonly spans: readonly SeenSpan[]
  /** Spans of figures beside the vital signs; absent: kept by an older Rookery. */
  readonly detailSpans?: readonly SeenSpan[]
  readonly restarts: readonly Restart[]
  /** Findings of the triage; absent: kept by an older Rookery. */
  readonly findings?: readonly LoggedFinding[]
  /** Slow queries that ended, newest first; absent: kept by an older Rookery. */
  readonly queries?: readonly EndedQuery[]
}

export interface Kept {
  readonly meta: KeptMeta
  readonly series: readonly StoredSeries[]
}

/** Where history is kept: the browser's IndexedDB, or nowhere. Errors: `Error`, in words for the user. */
export interface HistoryStore {
  readonly load: (serverId: string) => Promise<Kept | null>
  /** Writes what changed, and the meta; servers not seen for longest make way. */
  readonly save: (serverId: string, meta: KeptMeta, series: readonly StoredSeries[]) => Promise<void>
}
