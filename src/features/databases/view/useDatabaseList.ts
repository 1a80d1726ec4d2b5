import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCapture } from '../../../capture/client/view.ts'
import type { ListedDatabases as ListResponse } from '../../../capture/worker/database-lists.ts'
import { LoadingTimes } from '../data/loading-times.ts'

/** Interval of requests to the worker, ms, which polls the server at the governor's pace. */
const REQUEST_MS = 500

/** Outlives the page, so that leaving it and returning does not start over. */
const loadingTimes = new LoadingTimes()

const QUERY_KEY = ['databases.list']
const NOTHING: ListResponse = { rows: [], complete: true, version: 0 }

interface ListedDatabases extends ListResponse {
  /** Times for which databases have been observed loading, ms. */
  readonly loadingMs: ReadonlyMap<string, number>
  /** Wall clock when the list arrived, ms. */
  readonly atMs: number
}

interface ListResult {
  readonly data: ListedDatabases | undefined
  /** Wall clock when `data` arrived, ms; 0 before that. */
  readonly dataUpdatedAt: number
  readonly error: Error | null
  /** Polls the server now. */
  readonly renew: () => void
}

/**
 * The server's list of databases, refreshed while it is shown. It is the only list that loads no database. After a
 * failed poll the rows stay (`data`, `dataUpdatedAt`) beside the `error`.
 */
export function useDatabaseList(): ListResult {
  const capture = useCapture()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }): Promise<ListedDatabases> => {
      const known = queries.getQueryData<ListedDatabases>(QUERY_KEY)
      const list = await capture.request('databases.list', { have: known?.version ?? null }, signal)
      if (list === null && known !== undefined) return known
      const { rows, complete, version } = list ?? NOTHING
      const atMs = Date.now()
      return { rows, complete, version, loadingMs: loadingTimes.note(rows, atMs), atMs }
    },
    refetchInterval: REQUEST_MS,
    refetchIntervalInBackground: false,
  })
  const renew = (): void => {
    const again = (): void => void refetch()
    capture.request('databases.renew', null).then(again, again)
  }
  return { data, dataUpdatedAt: data?.atMs ?? 0, error, renew }
}
