import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { resume } from '../../client/overhead.ts'
import { useAttempt } from '../../client/requests/useAttempt.ts'
import { useCapture } from '../../client/view.ts'
import { AttemptFailure } from './AttemptFailure.tsx'

/** Resumes at once what the overhead limit has paused. */
export function ResumeButton({ small = false }: { readonly small?: boolean }): ReactNode {
  const capture = useCapture()
  const { failure, attempt } = useAttempt()
  return (
    <>
      <Button small={small} onClick={() => void attempt('Could not resume', () => resume(capture))}>
        Resume now
      </Button>
      <AttemptFailure of={failure} />
    </>
  )
}
