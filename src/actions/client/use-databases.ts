import { useQuery } from '@tanstack/react-query'
import { databaseKey } from '../../base/text/database-key.ts'
import { requestOptions } from '../../capture/client/queries.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { DatabaseRow } from '../../ravendb/databases/databases.ts'
import type { ActionFacts } from '../model.ts'

/** What is read of a database stays good for so long, ms. */
const FRESH_MS = 5000

/** What the list of databases knows of one. `atMs`: when the row was read, wall clock. */
export const databaseFactsOf = (row: DatabaseRow, atMs: number): ActionFacts => ({
  state: row.state,
  ...(row.lock === undefined ? {} : { lock: row.lock }),
  ...(row.documents === null ? {} : { documents: row.documents }),
  ...(row.sizeBytes === null ? {} : { sizeBytes: row.sizeBytes }),
  ...(row.lastBackupTicks === undefined ? {} : { lastBackupTicks: row.lastBackupTicks }),
  ...(row.upTimeMs === null ? {} : { loadedAtMs: atMs - row.upTimeMs }),
})

/** All databases as the server lists them, without loading one; left out: not known (yet). */
export function useDatabasesToActOn(): { readonly rows: readonly DatabaseRow[]; readonly atMs: number } | undefined {
  const { data, dataUpdatedAt } = useQuery({
    ...requestOptions(useCapture(), 'databases.list', { have: null }),
    staleTime: FRESH_MS,
  })
  return data == null ? undefined : { rows: data.rows, atMs: dataUpdatedAt }
}

/** Left out: nothing is known of it (yet). */
export function useDatabaseToActOn(database: string | null): ActionFacts | undefined {
  const list = useDatabasesToActOn()
  const row = list?.rows.find(({ name }) => databaseKey(name) === databaseKey(database ?? ''))
  return list === undefined || row === undefined ? undefined : databaseFactsOf(row, list.atMs)
}
