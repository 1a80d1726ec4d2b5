import { keepPreviousData, useQuery, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Detail, DetailParams } from '../../ravendb/databases/database-details.ts'
import { errorInfoOf } from '../client/requests/queries.ts'
import type { RequestsLike, ResponseOf } from '../client/requests/requests.ts'
import type { ErrorInfo } from '../client/state.ts'
import { useCapture } from '../client/view.ts'

/** Requests for facts that only a database knows. */
type DetailName = RequestsLike<DetailParams, Detail<object>>

export interface RequestedDetail<Response> {
  /** Response; null: not arrived. */
  readonly response: Response | null
  readonly error: ErrorInfo | null
  readonly isRequesting: boolean
  /** Requests it again. `load`: the user was warned that this loads the database. */
  readonly renew: (load?: boolean) => void
}

/** Reads facts that only a database knows, once when they are shown; never repeated automatically. */
export function useDetail<Name extends DetailName>(
  name: Name,
  params: DetailParams,
): RequestedDetail<ResponseOf<Name>> {
  const capture = useCapture()
  /** The next request belongs to a click that allows loading. */
  const mayLoadRef = useRef(false)
  const request = (signal: AbortSignal): Promise<ResponseOf<Name>> => {
    const load = mayLoadRef.current ? { load: true } : {}
    mayLoadRef.current = false
    return capture.request<Name>(name, { ...params, ...load }, signal)
  }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [name, params],
    queryFn: ({ signal }) => request(signal),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const renew = (load = false): void => {
    mayLoadRef.current = load
    void refetch()
  }
  return { response: data ?? null, error: errorInfoOf(name, error), isRequesting: isFetching, renew }
}

/** Minimum time between two readings after changes, ms. */
const RENEWAL_MS = 10_000

/**
 * Reads a detail again when `version`, made of figures that the server reports on its own, differs from that at its
 * reading: other clients then use the database.
 */
export function useRenewal(requested: RequestedDetail<Detail<object>>, version: string): void {
  const { response, isRequesting, renew } = requested
  const readMs = response?.loaded === true ? response.atMs : null
  const read = useRef<string | null>(null)
  useEffect(() => {
    if (readMs === null || isRequesting) return undefined
    read.current ??= version
    if (read.current === version) return undefined
    const again = (): void => {
      read.current = version
      renew()
    }
    const timer = setTimeout(again, Math.max(0, readMs + RENEWAL_MS - Date.now()))
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new `renew` with each drawing is the same request
  }, [readMs, isRequesting, version])
}

/** Once the database is loaded, by whatever request, requests the details that were missing; that loads nothing. */
export function useDetailsOnceLoaded(database: string, isLoaded: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    const isUnknown = ({ queryKey, state }: Query): boolean =>
      (queryKey[1] as Partial<DetailParams> | null)?.database === database &&
      (state.data as Detail<object> | undefined)?.loaded === false
    if (isLoaded) void client.invalidateQueries({ predicate: isUnknown })
  }, [client, database, isLoaded])
}
