import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { formatTime } from '../../base/text/format.ts'
import { serverTicks } from '../../capture/client/server-ticks.ts'
import { isFileSource, type SourceId } from '../../capture/client/state.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { lazyPanel } from '../../ui/lazyPanel.tsx'
import { useNow } from '../../ui/hooks/now.ts'
import { describeAge, hasNoServer, labelOf, lastReceivedMs } from '../describe.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import styles from './shell.module.css'

/** Files of the studio are served without a code, so that this one can be loaded on demand. */
const { Component: TwoFactorButton } = lazyPanel<{ readonly onLetIn: () => void }>(
  () => import('../two-factor/TwoFactorButton.tsx'),
)

/** Notice that a chosen source needs a server. Without files the page itself says so. */
function NoServerNotice({ sources }: { readonly sources: readonly SourceId[] }): ReactNode {
  const live = sources.filter((id) => !isFileSource(id))
  if (live.length === 0 || live.length === sources.length) return null
  return (
    <aside className={styles.serverNotice} aria-label="State of the server">
      <Notice tone="info" title={`No RavenDB server at this address: ${live.map(labelOf).join(', ')} cannot be shown`}>
        <p>Files are shown. Remove the others, or open the studio at their server.</p>
      </Notice>
    </aside>
  )
}

/** Notice while the server is away: since when, and that collected data stays. Nothing while it answers. */
export function ServerNotice(): ReactNode {
  const capture = useCapture()
  const state = useCaptureState()
  const { view } = useView()
  const nowMs = useNow()
  const { serverError } = state
  const [goneMs, setGoneMs] = useState<number | null>(null)
  if ((serverError === null) !== (goneMs === null)) setGoneMs(serverError === null ? null : nowMs)
  if (serverError === null || goneMs === null) return null
  if (hasNoServer(state)) return <NoServerNotice sources={view.sources} />

  const receivedMs = lastReceivedMs(state)
  // Sources may be read rarely: that the server was silent is known from all that it sends.
  const anyReceivedMs = Math.max(receivedMs ?? -Infinity, state.silence?.sinceMs ?? -Infinity)
  const sinceMs = anyReceivedMs === -Infinity ? goneMs : Math.min(anyReceivedMs, goneMs)
  const sinceTime = formatTime(serverTicks(state, sinceMs), view.clock, 0)
  return (
    <aside className={styles.serverNotice} aria-label="State of the server">
      <ErrorNotice
        error={serverError}
        tone="warn"
        actions={
          <>
            {serverError.status === 428 ? (
              <Suspense fallback={null}>
                <TwoFactorButton onLetIn={capture.retryNow} />
              </Suspense>
            ) : null}
            <Button onClick={() => capture.retryNow()}>Try now</Button>
          </>
        }
      >
        <p>
          Since {sinceTime}
          {view.clock === 'utc' ? ' UTC' : ''}, {describeAge(nowMs - sinceMs, true)} ago.{' '}
          {receivedMs === null && state.server === null
            ? 'Nothing was received from it yet.'
            : 'Collected data stays. Retries are automatic.'}
        </p>
      </ErrorNotice>
    </aside>
  )
}
