import { keepPreviousData, useQuery, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Detail, DetailAsk } from '../../ravendb/databases/database-details.ts'
import { CaptureError } from '../client/client.ts'
import type { ErrorInfo } from '../client/state.ts'
import { useCapture } from '../client/view.ts'

type DetailName = 'indexErrors' | 'indexStates' | 'databaseNotices'

export interface AskedDetail<Answer> {
  /** Null: not here yet. */
  readonly answer: Detail<Answer> | null
  readonly error: ErrorInfo | null
  readonly isAsking: boolean
  /** Requests it again. `load`: the user was warned that this loads the database. */
  readonly renew: (load?: boolean) => void
}

/** What only a database knows, asked once when it is shown; it is never asked again by itself. */
export function useDetail<Answer>(name: DetailName, { database, index }: DetailAsk): AskedDetail<Answer> {
  const capture = useCapture()
  /** The next request is the one of a click that allows it. */
  const mayLoadRef = useRef(false)
  const queryKey = ['detail', name, database, index ?? null]
  const ask = (signal: AbortSignal): Promise<Detail<Answer>> => {
    const load = mayLoadRef.current ? { load: 'true' } : {}
    mayLoadRef.current = false
    return capture.get<Detail<Answer>>(name, { database, ...(index === undefined ? {} : { index }), ...load }, signal)
  }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
    retry: false,
  })
  const renew = (load = false): void => {
    mayLoadRef.current = load
    void refetch()
  }
  return { answer: data ?? null, error: infoOf(error, name), isAsking: isFetching, renew }
}

/** Once the database is loaded, by whatever request, what was not known of it is requested; that loads nothing. */
export function useDetailsOnceLoaded(database: string, isLoaded: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    const isUnknown = ({ queryKey, state }: Query): boolean =>
      queryKey[0] === 'detail' &&
      queryKey[2] === database &&
      (state.data as Detail<unknown> | undefined)?.loaded === false
    if (isLoaded) void client.invalidateQueries({ predicate: isUnknown })
  }, [client, database, isLoaded])
}

const infoOf = (error: Error | null, endpoint: string): ErrorInfo | null =>
  error === null
    ? null
    : error instanceof CaptureError
      ? error.info
      : { endpoint, status: null, message: error.message, serverMessage: null, hint: '' }
