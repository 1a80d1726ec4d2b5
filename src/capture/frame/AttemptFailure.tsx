import type { ReactNode } from 'react'
import type { ErrorInfo } from '../client/state.ts'

/** Why a command of `useAttempt` failed, in the line of its button. */
export const AttemptFailure = ({
  of: failure,
  className,
}: {
  readonly of: ErrorInfo | null
  readonly className?: string | undefined
}): ReactNode =>
  failure === null ? null : (
    <span role="alert" className={className} title={failure.message}>
      {[failure.message, failure.hint].join(' ').trim()}
    </span>
  )
