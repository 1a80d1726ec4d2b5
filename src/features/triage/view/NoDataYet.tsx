import type { ReactNode } from 'react'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type {} from '../../files/contract.ts'

/**
 * Replaces the sentence while the server has reported nothing: what is being waited for, and what is possible without
 * data.
 */
export function NoDataYet({ error }: { readonly error: ErrorInfo | null }): ReactNode {
  const store = useView()
  if (error === null) return <Spinner>Requesting the state of the server. None of this loads a database.</Spinner>
  return (
    <EmptyState
      title={error.status === null ? 'No server answers here' : 'No figures from this server'}
      actions={<Button onClick={() => store.open('files', { params: { 'files.focus': 'drop' } })}>Open files</Button>}
    >
      As soon as {error.status === null ? 'one answers' : 'it does'}, this page says how it is. Files need no server: a
      debug package, an export of the official Studio, or an answer that was saved.
    </EmptyState>
  )
}
