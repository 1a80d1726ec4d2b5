import { useEffect, useState } from 'react'
import { useRepeatedAsk } from '../../../capture/client/useRepeatedRequest.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { DatabaseFacts, FactsPage } from '../data/facts.ts'

export interface KnownFacts {
  /** By name in lower case. */
  readonly byName: ReadonlyMap<string, DatabaseFacts>
  /** When it was told whether each is loaded, wall clock, ms; null: it was not. */
  readonly statesAtMs: number | null
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
  /** Why idle times and unloading are not told; null: they are, or it is not known yet. */
  readonly sweepRefused: string | null
  /** Grows with each answer. */
  readonly version: number
}

const NO_FACTS: KnownFacts = {
  byName: new Map(),
  statesAtMs: null,
  maxIdleMs: null,
  sweepEveryMs: null,
  sweepRefused: null,
  version: 0,
}
/** What an answer may hold at most. */
const PAGE_ROWS = 500
const EVERY_MS = 3000
/** The server's feeds go on for 30 s after each. */
const WANT_MS = 10_000

/** The part of an answer of `server.want` that is read here. */
interface WatchPart {
  readonly lacking: readonly { readonly endpoint: string; readonly message: string }[]
}

const IDLE_ROUTE = ENDPOINTS.idleDatabases.route

/** What the server's own feeds tell of all its databases, renewed while somebody looks. It asks no database. */
export function useDatabaseFacts(): KnownFacts {
  const capture = useCapture()
  const [facts, setFacts] = useState(NO_FACTS)
  const watch = useRepeatedAsk('server.want', WANT_MS) as WatchPart | null
  const refused = watch?.lacking.find(({ endpoint }) => endpoint === IDLE_ROUTE)?.message ?? null
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | null = null
    const readAll = async (): Promise<Omit<KnownFacts, 'version' | 'sweepRefused'>> => {
      const byName = new Map<string, DatabaseFacts>()
      for (let offset = 0; ; offset += PAGE_ROWS) {
        const ask = { filter: '', sort: 'name', descending: false, offset, limit: PAGE_ROWS }
        const page = await capture.ask<FactsPage>('server.databases', ask, stop.signal)
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
    const renew = (): void => {
      const again = (): void => {
        if (!stop.signal.aborted) timer = setTimeout(renew, EVERY_MS)
      }
      // Where it fails the list is complete without it.
      readAll().then((next) => {
        if (!stop.signal.aborted) setFacts((before) => ({ ...next, sweepRefused: null, version: before.version + 1 }))
        again()
      }, again)
    }
    renew()
    return () => {
      stop.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [capture])
  return refused === null ? facts : { ...facts, sweepRefused: refused }
}
