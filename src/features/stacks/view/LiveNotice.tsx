import type { ReactNode } from 'react'
import { formatCount, formatTime, type Clock } from '../../../base/text/format.ts'
import { PAUSED_BY_ROOKERY } from '../../../capture/frame/notices/gap-words.ts'
import { ResumeButton } from '../../../capture/frame/notices/ResumeButton.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import type { LiveState } from '../../../feeds/stacks/contract/live.ts'

/** Notice about a live list that is not current. */
export function LiveNotice({ live, clock }: { readonly live: LiveState | null; readonly clock: Clock }): ReactNode {
  const nowMs = useNow()
  const { serverError } = useCaptureState()
  if (live === null || live.phase === 'live' || live.phase === 'off') return null
  // The place of the list says that the first one is on its way; a line above would move it, and move it back.
  if ((live.phase === 'connecting' || live.phase === 'first') && Number.isNaN(live.atTicks)) return null
  // Errors of the whole page are shown above all panels.
  if (live.phase === 'refused' && live.error !== null && live.error.message !== serverError?.message)
    return (
      <ErrorNotice error={live.error} tone="warn">
        <p>
          The list of threads needs a certificate with at least read access (Operator for stacks). The rest of this page
          works.
        </p>
      </ErrorNotice>
    )
  const words = {
    connecting: 'Live threads: connecting …',
    first: 'Live threads: the first list covers the time before anyone listened, so the second one counts.',
    waiting: 'Live threads: the connection was lost.',
    refused: 'Live threads: the server refuses them.',
    paused: 'Live threads: paused while the tab is hidden.',
    'paused-by-rookery': `Live threads: ${PAUSED_BY_ROOKERY}.`,
  }[live.phase]
  const isPaused = live.phase === 'paused-by-rookery'
  const retry =
    live.retryAtMs === null
      ? ''
      : ` ${isPaused ? 'They go on' : 'Trying again'} in ${formatCount(Math.max(0, Math.ceil((live.retryAtMs - nowMs) / 1000)))} s.`
  // The range's “Live” continues without the list.
  const shown = Number.isNaN(live.atTicks)
    ? ' No list received yet.'
    : ` The threads shown are those of ${formatTime(live.atTicks, clock, 0)}.`
  return (
    <p className="note" role="status">
      {live.message === '' ? words : `${words} ${live.message}`}
      {retry}
      {isPaused || live.phase === 'waiting' ? shown : null}
      {isPaused ? <ResumeButton small /> : null}
    </p>
  )
}
