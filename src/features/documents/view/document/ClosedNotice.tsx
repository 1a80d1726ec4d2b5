import type { ReactNode } from 'react'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../../ui/hooks/now.ts'
import { Notice } from '../../../../ui/Notice.tsx'

/** Interval of reading the state of the database, ms. That loads nothing, and keeps nothing loaded. */
const EVERY_MS = 10_000

interface ClosedNoticeProps {
  readonly database: string
  readonly isChanged: boolean
}

/** Notice that another client has deleted or disabled the database of the document that is shown. */
export function ClosedNotice({ database, isChanged }: ClosedNoticeProps): ReactNode {
  const step = Math.floor(useNow() / EVERY_MS)
  const { response } = useRequest(
    'databases.closure',
    { name: database },
    { version: step, everyMs: 1000, changedEveryMs: 0 },
  )
  if (response?.reason == null) return null
  return (
    <Notice tone="warn" title={response.reason}>
      <p>
        Nothing can be saved until it is back. This text is still here
        {isChanged ? ', and what you typed is kept as a draft.' : ': Download keeps it.'}
      </p>
    </Notice>
  )
}
