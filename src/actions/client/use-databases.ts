import { useQuery } from '@tanstack/react-query'
import { databaseKey } from '../../base/text/database-key.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { DatabaseRow } from '../../ravendb/databases/databases.ts'
import type { ActionFacts } from '../model.ts'

/** Time, ms, for which the list of databases is used. */
const FRESH_MS = 5000

/** Facts from the list of databases. */
export const databaseFactsOf = (row: DatabaseRow): ActionFacts => ({
  state: row.state,
  ...(row.lock === undefined ? {} : { lock: row.lock }),
  ...(row.documents === null ? {} : { documents: row.documents }),
  ...(row.sizeBytes === null ? {} : { sizeBytes: row.sizeBytes }),
  ...(row.lastBackupTicks === undefined ? {} : { lastBackupTicks: row.lastBackupTicks }),
})

const listOptions = (capture: CaptureClient) => ({
  ...requestOptions(capture, 'databases.list', { have: null }),
  staleTime: FRESH_MS,
})

/** All databases in the server's list, which loads none; undefined: not known yet. `everyMs`: refresh interval. */
export function useDatabasesToActOn(everyMs?: number): readonly DatabaseRow[] | undefined {
  const { data } = useQuery({
    ...listOptions(useCapture()),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
  return data?.rows
}

/** Row of the database with that name; ignores case. */
export const findDatabase = (rows: readonly DatabaseRow[], database: string | null): DatabaseRow | undefined =>
  rows.find(({ name }) => databaseKey(name) === databaseKey(database ?? ''))

/** Facts about a database; `isKnown`: whether the server has listed its databases, or cannot. */
export function useDatabaseToActOn(database: string | null): {
  readonly facts: ActionFacts | undefined
  readonly isKnown: boolean
} {
  const { data, isPending } = useQuery(listOptions(useCapture()))
  const row = findDatabase(data?.rows ?? [], database)
  return { facts: row === undefined ? undefined : databaseFactsOf(row), isKnown: !isPending }
}
