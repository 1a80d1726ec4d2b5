import type { ReactNode } from 'react'
import { useNow } from '../../../ui/hooks/now.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useRequest } from '../../client/requests/useRequest.ts'

/** Interval of reading the state of the database, ms. That loads nothing, and keeps nothing loaded. */
const EVERY_MS = 10_000

/** Reason why a database cannot be used until another client changes that, as a sentence; null: none is known. */
export function useClosure(database: string | null): string | null {
  const step = Math.floor(useNow() / EVERY_MS)
  const { response, isCurrent } = useRequest('databases.closure', database === null ? undefined : { name: database }, {
    version: step,
    everyMs: 1000,
    changedEveryMs: 0,
  })
  return isCurrent ? (response?.reason ?? null) : null
}

interface ClosedNoticeProps {
  readonly database: string
  /** Sentence about what cannot be done. */
  readonly refused?: string
  /** Sentence about what remains of the user's work. */
  readonly children: string
}

/** Notice beside an editor that another client has deleted or disabled the database. */
export function ClosedNotice({
  database,
  refused = 'Nothing can be saved until it is back.',
  children,
}: ClosedNoticeProps): ReactNode {
  const reason = useClosure(database)
  return reason === null ? null : (
    <Notice tone="warn" title={reason}>
      <p>
        {refused} {children}
      </p>
    </Notice>
  )
}
