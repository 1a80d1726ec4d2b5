import { useState, type ReactNode } from 'react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { useRequest } from '../../client/requests/useRequest.ts'
import { PanelLink } from '../PanelLink.tsx'

/** Time after which the absence is requested again, ms; doubled each time. */
const AGAIN_MS = 10_000

/** Number of requests due after the first one. */
const requestsAfter = (waitedMs: number): number => Math.max(0, Math.floor(Math.log2(waitedMs / AGAIN_MS)) + 1)

/**
 * Replaces the content of a panel whose database cannot be opened: it does not exist, is sharded, or is being deleted.
 * `message`: which of them, a sentence.
 */
export const NoSuchDatabase = ({ message }: { readonly message: string }): ReactNode => (
  <EmptyState title={message} actions={<PanelLink panel="databases">Databases</PanelLink>}>
    Choose another database.
  </EmptyState>
)

interface ClosedDatabaseProps {
  readonly database: string
  /** Why it takes no requests: it is disabled, say; a sentence. */
  readonly reason: string
}

/** Replaces the content of a panel whose database cannot be loaded as it is. */
const ClosedDatabase = ({ database, reason }: ClosedDatabaseProps): ReactNode => (
  <EmptyState
    title={reason}
    actions={
      <PanelLink panel="database" parts={{ database }}>
        Open Summary
      </PanelLink>
    }
  >
    Its summary shows what can be done.
  </EmptyState>
)

interface UnlessClosedProps {
  readonly database: string
  /** Shown if the database can be loaded, or if that is not known. */
  readonly children: ReactNode
}

/**
 * For a database that is not loaded: one that does not exist or is disabled is not loaded either. Loads nothing. The panel itself notices
 * a load; a deletion is noticed later the longer the page has waited.
 */
export function UnlessClosed({ database, children }: UnlessClosedProps): ReactNode {
  const nowMs = useNow()
  const [began, setBegan] = useState({ database, atMs: nowMs })
  if (began.database !== database) setBegan({ database, atMs: nowMs })
  const { response, isCurrent, error } = useRequest(
    'databases.closure',
    { name: database },
    { version: requestsAfter(nowMs - began.atMs), everyMs: 1000, changedEveryMs: 0 },
  )
  // The response of the previous database stays until the next one arrives.
  const known = isCurrent ? response : null
  if (known === null && error === null) return <Spinner>Reading the state of the database</Spinner>
  if (known?.reason == null) return children
  return known.isGone ? (
    <NoSuchDatabase message={known.reason} />
  ) : (
    <ClosedDatabase database={database} reason={known.reason} />
  )
}
