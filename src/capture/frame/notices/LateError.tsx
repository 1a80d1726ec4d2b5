import type { ReactNode } from 'react'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import type { ErrorInfo } from '../../client/state.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'

/**
 * Notice above figures that could not be read again; null: they were. If it is the server that is away, the shell has a
 * notice already.
 */
export function LateError({ error }: { readonly error: ErrorInfo | null }): ReactNode {
  const { serverError } = useCaptureState()
  return error === null || error.message === serverError?.message ? null : <ErrorNotice error={error} tone="warn" />
}
