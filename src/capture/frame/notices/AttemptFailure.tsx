import type { ReactNode } from 'react'
import type { ErrorInfo } from '../../client/state.ts'

interface AttemptFailureProps {
  readonly of: ErrorInfo | null
  readonly className?: string | undefined
}

/** Shows, beside its button, why a command of `useAttempt` failed. */
export const AttemptFailure = ({ of: failure, className }: AttemptFailureProps): ReactNode =>
  failure === null ? null : (
    <span role="alert" className={className} title={failure.message}>
      {[failure.message, failure.hint].join(' ').trim()}
    </span>
  )
