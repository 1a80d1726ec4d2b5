import { useQuery } from '@tanstack/react-query'
import type { CaptureClient } from '../../../capture/client/client.ts'
import { requestOptions } from '../../../capture/client/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { DatabaseFacts } from '../data/facts.ts'

export interface KnownFacts {
  /** By name in lower case. */
  readonly byName: ReadonlyMap<string, DatabaseFacts>
  /** When it was reported whether each is loaded, wall clock, ms; null: it was not. */
  readonly statesAtMs: number | null
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
  /** Why idle times and unloading are not reported; null: they are, or it is not known yet. */
  readonly sweepRefused: string | null
  /** Grows with each response. */
  readonly version: number
}

const NO_VOLUMES: ReadonlyMap<string, number> = new Map()
const NO_FACTS: AllFacts = { byName: new Map(), statesAtMs: null, maxIdleMs: null, sweepEveryMs: null }
/** What a response may hold at most. */
const PAGE_ROWS = 500
const EVERY_MS = 3000
/** The server's feeds go on for 30 s after each. */
const WANT_MS = 10_000

const IDLE_ROUTE = ENDPOINTS.idleDatabases.route

/** What the server's own feeds report of all its databases, renewed while it is rendered. It requests nothing of a database. */
export function useDatabaseFacts(): KnownFacts {
  const capture = useCapture()
  const { data: watch } = useQuery({
    ...requestOptions(capture, 'server.want', null),
    refetchInterval: WANT_MS,
    refetchIntervalInBackground: true,
  })
  const readFacts = (signal: AbortSignal): Promise<AllFacts> => readAll(capture, signal)
  const { data: facts = NO_FACTS, dataUpdatedAt } = useQuery({
    // Where it fails the list is complete without it.
    queryKey: ['server.databases'],
    queryFn: ({ signal }) => readFacts(signal),
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: true,
  })
  const readVolumes = (signal: AbortSignal): Promise<ReadonlyMap<string, number>> => readFree(capture, signal)
  const { data: free = NO_VOLUMES } = useQuery({
    queryKey: ['server.volumesFree'],
    queryFn: ({ signal }) => readVolumes(signal),
    refetchInterval: WANT_MS,
  })
  const sweepRefused = watch?.lacking.find(({ endpoint }) => endpoint === IDLE_ROUTE)?.message ?? null
  return { ...facts, byName: withFree(facts.byName, free), sweepRefused, version: dataUpdatedAt }
}

type AllFacts = Omit<KnownFacts, 'version' | 'sweepRefused'>

/** Page by page. */
async function readAll(capture: CaptureClient, signal: AbortSignal): Promise<AllFacts> {
  const byName = new Map<string, DatabaseFacts>()
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const params = { filter: '', sort: 'name', descending: false, offset, limit: PAGE_ROWS } as const
    const page = await capture.request('server.databases', params, signal)
    for (const row of page.rows) byName.set(row.name.toLowerCase(), row)
    if (page.rows.length === 0 || offset + PAGE_ROWS >= page.matching)
      return {
        byName,
        statesAtMs: page.statesAgeMs === null ? null : Date.now() - page.statesAgeMs,
        maxIdleMs: page.maxIdleMs,
        sweepEveryMs: page.sweepEveryMs,
      }
  }
}

/** By name in lower case: free on the fullest volume that it lies on. */
async function readFree(capture: CaptureClient, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const free = new Map<string, number>()
  const { volumes } = await capture.request('server.now', null, signal)
  for (const { freeBytes, environments } of volumes)
    for (const { database } of environments) {
      const name = database.toLowerCase()
      free.set(name, Math.min(free.get(name) ?? Number.POSITIVE_INFINITY, freeBytes))
    }
  return free
}

function withFree(
  byName: ReadonlyMap<string, DatabaseFacts>,
  free: ReadonlyMap<string, number>,
): ReadonlyMap<string, DatabaseFacts> {
  if (free.size === 0) return byName
  return new Map(
    Array.from(byName, ([name, facts]) => {
      const volumeFreeBytes = free.get(name)
      return [name, volumeFreeBytes === undefined ? facts : { ...facts, volumeFreeBytes }]
    }),
  )
}
