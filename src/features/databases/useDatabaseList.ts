import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCapture } from '../../capture/view.ts'
import type { DatabaseList } from '../../ravendb/databases.ts'
import { LoadingTimes } from './loading-times.ts'

const POLL_MS = 5000

/** Outlives the page, so that going to another and back begins nothing anew. */
const loadingTimes = new LoadingTimes()

interface ListedDatabases extends DatabaseList {
  /** For how long those that load have been seen loading, ms. */
  readonly loadingMs: ReadonlyMap<string, number>
}

/**
 * The server's list of databases, renewed while somebody looks. It is the one list that loads nothing. A failed poll keeps
 * the rows (`data`, `dataUpdatedAt`) beside the `error`.
 */
export function useDatabaseList(): UseQueryResult<ListedDatabases> {
  const capture = useCapture()
  return useQuery({
    queryKey: ['databaseList'],
    queryFn: async ({ signal }): Promise<ListedDatabases> => {
      const list = await capture.get<DatabaseList>('databaseList', {}, signal)
      return { ...list, loadingMs: loadingTimes.note(list.rows, Date.now()) }
    },
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: false,
    networkMode: 'always',
    retry: false,
    // Comparing 5,000 rows field by field costs more than drawing the thirty in sight.
    structuralSharing: false,
  })
}
