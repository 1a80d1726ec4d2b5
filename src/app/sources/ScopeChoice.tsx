import { useEffect, type ReactNode } from 'react'
import { useDatabaseScope } from '../../capture/client/database-scope.ts'
import { useDatabaseList } from '../../features/databases/view/useDatabaseList.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/theme/cx.ts'
import DatabaseFinder from './DatabaseFinder.tsx'
import styles from './sources.module.css'

/** Replaces a panel of one database while none is in scope: chooses the only one, else lists all. */
export default function ScopeChoice({ panelTitle }: { readonly panelTitle: string }): ReactNode {
  const { choose } = useDatabaseScope()
  const { data } = useDatabaseList()
  const only = data !== undefined && data.complete && data.rows.length === 1 ? (data.rows[0]?.name ?? null) : null
  useEffect(() => {
    if (only !== null) choose(only)
  })
  if (only !== null)
    return (
      <EmptyState title={panelTitle}>
        <Spinner>Opening {only}</Spinner>
      </EmptyState>
    )
  return (
    <section className={cx('column', styles.choice)} aria-label="Choose a database">
      <h2>Choose a database</h2>
      <p className="faint">{panelTitle} shows one database at a time.</p>
      <DatabaseFinder current={null} onChoose={choose} />
    </section>
  )
}
