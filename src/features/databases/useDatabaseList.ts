import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCapture } from '../../capture/view.ts'
import type { DatabaseList } from '../../ravendb/databases.ts'

const POLL_MS = 5000

/**
 * The server's list of databases, renewed while somebody looks. It is the one list that loads nothing. A failed poll keeps
 * the rows (`data`, `dataUpdatedAt`) beside the `error`.
 */
export function useDatabaseList(): UseQueryResult<DatabaseList> {
  const capture = useCapture()
  return useQuery({
    queryKey: ['databaseList'],
    queryFn: ({ signal }) => capture.get<DatabaseList>('databaseList', {}, signal),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: false,
    networkMode: 'always',
    retry: false,
    // Comparing 5,000 rows field by field costs more than drawing the thirty in sight.
    structuralSharing: false,
  })
}
