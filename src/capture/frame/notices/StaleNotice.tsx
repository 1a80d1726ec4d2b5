import type { ReactNode } from 'react'
import { PAUSED_BY_ROOKERY } from './gap-words.ts'
import { ResumeButton } from './ResumeButton.tsx'
import { useCapture } from '../../client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'

interface StaleNoticeProps {
  /** State of the collection. */
  readonly watch: {
    readonly phase: string | null
    readonly message: string
    readonly lastReceivedMs: number | null
  } | null
  readonly serverSilent: boolean
}

/** Notice of trouble with the collection. If the server itself is away, the shell has a notice already. */
export function StaleNotice({ watch, serverSilent }: StaleNoticeProps): ReactNode {
  const capture = useCapture()
  if (watch === null || watch.message === '' || serverSilent) return null
  // During the first connection another sentence says what is awaited.
  if (watch.phase === 'connecting' && watch.lastReceivedMs === null) return null
  if (watch.phase === 'paused-by-rookery')
    return (
      <Notice tone="info" title={PAUSED_BY_ROOKERY} actions={<ResumeButton />}>
        {watch.message}
      </Notice>
    )
  return (
    <Notice
      tone={watch.lastReceivedMs === null ? 'info' : 'warn'}
      title={watch.message}
      actions={<Button onClick={capture.retryNow}>Try now</Button>}
    />
  )
}
