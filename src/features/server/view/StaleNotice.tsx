import type { ReactNode } from 'react'
import { PAUSED_BY_ROOKERY } from '../../../capture/frame/notices/gap-words.ts'
import { ResumeButton } from '../../../capture/frame/notices/ResumeButton.tsx'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { ServerWatch } from '../contract/watch.ts'

interface StaleNoticeProps {
  readonly watch: ServerWatch | null
  readonly serverSilent: boolean
}

/** Trouble of the collecting. That the server itself is gone the shell says already: once is enough. */
export function StaleNotice({ watch, serverSilent }: StaleNoticeProps): ReactNode {
  const capture = useCapture()
  if (watch === null || watch.message === '' || serverSilent) return null
  // The first connection: the sentence says what is waited for.
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
