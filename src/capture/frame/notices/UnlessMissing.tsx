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

interface UnlessMissingProps {
  readonly database: string
  /** Shown if the server has the database, or if that is not known. */
  readonly children: ReactNode
}

/**
 * For a database that is not loaded: one that does not exist is not loaded either. Loads nothing. The panel itself notices
 * a load; a deletion is noticed later the longer the page has waited.
 */
export function UnlessMissing({ database, children }: UnlessMissingProps): ReactNode {
  const nowMs = useNow()
  const [began, setBegan] = useState({ database, atMs: nowMs })
  if (began.database !== database) setBegan({ database, atMs: nowMs })
  const { response, isCurrent, error } = useRequest(
    'databases.absence',
    { name: database },
    { version: requestsAfter(nowMs - began.atMs), everyMs: 1000, changedEveryMs: 0 },
  )
  // The response of the previous database stays until the next one arrives.
  const known = isCurrent ? response : null
  if (known === null && error === null) return <Spinner>Reading the state of the database</Spinner>
  return known?.reason == null ? children : <NoSuchDatabase message={known.reason} />
}
