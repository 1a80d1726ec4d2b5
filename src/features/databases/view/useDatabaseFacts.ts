import { useQuery } from '@tanstack/react-query'
import type { CaptureClient } from '../../../capture/client/client.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { DatabaseFacts } from '../data/facts.ts'
import type {} from '../../../feeds/server/contract.ts'

export interface KnownFacts {
  /** Facts by name in lower case. */
  readonly byName: ReadonlyMap<string, DatabaseFacts>
  /** Wall clock of the report on which databases are loaded, ms; null: none. */
  readonly statesAtMs: number | null
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
  /** Why idle times and unloading are not reported; null: they are, or this is not known yet. */
  readonly sweepRefused: string | null
  /** Increases with each response. */
  readonly version: number
}

const NO_FACTS: AllFacts = { byName: new Map(), statesAtMs: null, maxIdleMs: null, sweepEveryMs: null }
/** Limit of the rows in a response. */
const PAGE_ROWS = 500
const EVERY_MS = 3000

const IDLE_ROUTE = ENDPOINTS.idleDatabases.route

/** Facts about all databases from the server's feeds, refreshed while rendered. Sends no request to a database. */
export function useDatabaseFacts(): KnownFacts {
  const capture = useCapture()
  const watch = useWanted('server.want', null)
  const readFacts = (signal: AbortSignal): Promise<AllFacts> => readAll(capture, signal)
  const { data: facts = NO_FACTS, dataUpdatedAt } = useQuery({
    // Without these facts the list is still complete.
    queryKey: ['server.databases'],
    queryFn: ({ signal }) => readFacts(signal),
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: true,
  })
  const sweepRefused = watch?.lacking.find(({ endpoint }) => endpoint === IDLE_ROUTE)?.message ?? null
  return { ...facts, sweepRefused, version: dataUpdatedAt }
}

type AllFacts = Omit<KnownFacts, 'version' | 'sweepRefused'>

/** Reads all facts, page by page. */
async function readAll(capture: CaptureClient, signal: AbortSignal): Promise<AllFacts> {
  const byName = new Map<string, DatabaseFacts>()
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const page = await capture.request('server.databases', { offset, limit: PAGE_ROWS }, signal)
    for (const row of page.rows) byName.set(row.name.toLowerCase(), row)
    if (page.rows.length === 0 || offset + PAGE_ROWS >= page.total)
      return {
        byName,
        statesAtMs: page.statesAgeMs === null ? null : Date.now() - page.statesAgeMs,
        maxIdleMs: page.maxIdleMs,
        sweepEveryMs: page.sweepEveryMs,
      }
  }
}
