import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import type { Detail } from '../../ravendb/databases/database-details.ts'
import type { RequestedDetail } from './useDetail.ts'

interface DetailStateProps {
  readonly requested: RequestedDetail<Detail<object>>
  readonly database: string
  /** Name of the content: `Index errors`. */
  readonly what: string
}

/** Placeholder for content that is loading, failed, or would need the database to be loaded. */
export function DetailState({ requested, database, what }: DetailStateProps): ReactNode {
  const { response, error, isRequesting, renew } = requested
  if (isRequesting && response?.loaded !== true)
    return (
      <Spinner>
        {what}: requested from {database}
      </Spinner>
    )
  if (error !== null)
    return <ErrorNotice error={error} tone="warn" actions={<Button onClick={() => renew()}>Try again</Button>} />
  if (response?.loaded === false)
    return (
      <p className="note">
        {what} are known only while the database is loaded.{' '}
        <Button small onClick={() => renew(true)}>
          Load {database} to see them
        </Button>
      </p>
    )
  return null
}
