import type { ReactNode } from 'react'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type {} from '../../files/contract.ts'

interface NoDataYetProps {
  readonly error: ErrorInfo | null
  /** Reason why a server that answers gives no figures; null: they are still expected. */
  readonly withheld: string | null
}

/**
 * Replaces the sentence while the server has reported nothing: what is being waited for, and what is possible without
 * data.
 */
export function NoDataYet({ error, withheld }: NoDataYetProps): ReactNode {
  const store = useView()
  if (error === null && withheld === null)
    return <Spinner>Requesting the state of the server. None of this loads a database.</Spinner>
  const isAway = error !== null && error.status === null
  return (
    <EmptyState
      title={isAway ? 'No server answers here' : 'No figures from this server'}
      actions={<Button onClick={() => store.open('files', { params: { 'files.focus': 'drop' } })}>Open files</Button>}
    >
      {error === null ? `The server answers, but not the requests for its figures. ${withheld ?? ''} ` : ''}
      As soon as {isAway ? 'one answers' : 'it does'}, this page says how it is. Files need no server: a debug package,
      an export of the official Studio, or an answer that was saved.
    </EmptyState>
  )
}
