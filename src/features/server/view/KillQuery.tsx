import type { ReactNode } from 'react'
import { queryName } from '../../../actions/rows/running.ts'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'

/** Ends a query that runs, of any client. */
export const KillQuery = ({
  database,
  index,
  id,
}: {
  readonly database: string
  readonly index: string
  readonly id: number
}): ReactNode => <ActionButton action="query.kill" target={{ kind: 'query', database, name: queryName(id, index) }} />
