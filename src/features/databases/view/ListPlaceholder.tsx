import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { useDatabaseList } from './useDatabaseList.ts'
import styles from './databases.module.css'

interface ListPlaceholderProps {
  readonly list: ReturnType<typeof useDatabaseList>
  readonly filter: string
}

/** Placeholder for an empty table: the reason, and the next step. Errors are shown above it. */
export function ListPlaceholder({ list, filter }: ListPlaceholderProps): ReactNode {
  const store = useView()
  if (list.data === undefined)
    return list.error === null ? (
      <div className={styles.placeholder}>
        <EmptyState title="Requesting the list of databases">
          <Spinner>This takes milliseconds when the server is well.</Spinner>
        </EmptyState>
      </div>
    ) : null
  if (list.data.rows.length === 0)
    return (
      <div className={styles.placeholder}>
        <EmptyState
          title="This server has no database that you may see"
          actions={
            <Button onClick={() => store.open('io', { sources: ['server'], range: null, selection: null })}>
              Open the server’s own I/O
            </Button>
          }
        >
          It may be new, or the certificate of this browser may have no database granted. The list refreshes
          automatically.
        </EmptyState>
      </div>
    )
  return (
    <div className={styles.placeholder}>
      <EmptyState
        title="No name holds this text"
        actions={<Button onClick={() => store.change({ params: { 'databases.filter': '' } })}>Show all</Button>}
      >
        None of {formatPlural(list.data.rows.length, 'database')} has “<bdi>{filter}</bdi>” in its name.
      </EmptyState>
    </div>
  )
}
