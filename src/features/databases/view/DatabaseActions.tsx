import type { ReactNode } from 'react'
import type { ActionFacts } from '../../../actions/model.ts'
import { ActionMenu } from '../../../actions/view/ActionMenu.tsx'
import type { ListedDatabase } from '../data/facts.ts'

/** `atMs`: when the row was read, wall clock. */
export const factsOf = (row: ListedDatabase, atMs: number): ActionFacts => ({
  state: row.state,
  ...(row.lock === undefined ? {} : { lock: row.lock }),
  ...(row.documents === null ? {} : { documents: row.documents }),
  ...(row.sizeBytes === null ? {} : { sizeBytes: row.sizeBytes }),
  ...(row.facts == null || row.facts.volumeFreeBytes === null ? {} : { volumeFreeBytes: row.facts.volumeFreeBytes }),
  ...(row.lastBackupTicks === undefined ? {} : { lastBackupTicks: row.lastBackupTicks }),
  ...(row.upTimeMs === null ? {} : { loadedAtMs: atMs - row.upTimeMs }),
})

interface DatabaseActionsProps {
  readonly row: ListedDatabase
  readonly atMs: number
  /** Null: only the icon is seen. */
  readonly text?: string | null
}

/** What can be done to a database. A shard is administered by its parent's name, which the list does not have. */
export const DatabaseActions = ({ row, atMs, text = null }: DatabaseActionsProps): ReactNode =>
  row.isSharded ? null : (
    <ActionMenu target={{ kind: 'database', database: row.name, name: null }} facts={factsOf(row, atMs)} text={text} />
  )
