import type { ReactNode } from 'react'
import { useCapture } from '../../../capture/view.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { ServerWatch } from '../queries.ts'

/** What is wrong with the collecting. That the server itself is gone the shell says already: once is enough. */
export function StaleNotice({
  watch,
  serverSilent,
}: {
  readonly watch: ServerWatch | null
  readonly serverSilent: boolean
}): ReactNode {
  const capture = useCapture()
  if (watch === null || watch.message === '' || serverSilent) return null
  // Wanted so: there is nothing to try.
  if (watch.phase === 'paused')
    return (
      <Notice tone="info" title="The server’s figures come now and then only">
        {watch.message}
      </Notice>
    )
  return (
    <Notice
      tone={watch.lastHeardMs === null ? 'info' : 'warn'}
      title={watch.message}
      actions={<Button onClick={capture.retryNow}>Try now</Button>}
    />
  )
}
