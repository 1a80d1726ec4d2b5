import type { ReactNode } from 'react'
import { describeClock, formatCount } from '../../base/text/format.ts'
import type { MeterCost } from '../../capture/client/state.ts'
import { resume, setOverheadLimits } from '../../capture/client/overhead.ts'
import { useAttempt } from '../../capture/client/useAttempt.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { cx } from '../../ui/theme/cx.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { describeOverhead, formatLimit } from '../describe.ts'
import styles from './shell.module.css'

/** One line at the foot of the page: monitoring overhead, what holds it back, and the clock. Details are on *Server*. */
export function StatusBar(): ReactNode {
  const { meter } = useCaptureState()
  const { view, open } = useView()
  const { pausedSockets } = meter.cost
  return (
    <footer className={styles.status}>
      <button
        type="button"
        className={styles.meter}
        title={`CPU of the server that this browser's pages take; ${formatLimit(meter.cost)}. Databases loaded by this page: ${formatCount(meter.cost.databasesLoaded)}. Open the details.`}
        onClick={() => open('server', { params: { 'server.view': 'overhead' } })}
      >
        <Icon name="gauge" sizePx={14} />
        <span className={styles.meterNow}>{describeOverhead(meter)}</span>
      </button>
      {meter.slowed === null ? null : (
        <span className={cx(styles.slowed, meter.isServerSlow && styles.trouble)} role="status" title={meter.slowed}>
          {meter.slowed}
        </span>
      )}
      {pausedSockets.length === 0 || meter.isServerSlow ? null : <AllowMore cost={meter.cost} />}
      <span className={styles.push} />
      <span className={styles.clockWords}>{describeClock(view.clock)}</span>
    </footer>
  )
}

/** Steps up from any limits, shares of one core: for live data with fewer gaps. */
const STEPS = [
  { attended: 0.05, background: 0.02 },
  { attended: 0.1, background: 0.05 },
  { attended: 0.2, background: 0.1 },
] as const

/** Live data has gaps because of the overhead limit: one click goes on now, the other allows more from now on. */
function AllowMore({ cost: { limits } }: { readonly cost: MeterCost }): ReactNode {
  const capture = useCapture()
  const { failure, attempt } = useAttempt()
  const more = STEPS.find(({ attended }) => attended > limits.attended * 1.5)
  return (
    <>
      <button
        type="button"
        className={styles.allow}
        title="For one minute"
        onClick={() => attempt('Could not resume', () => resume(capture))}
      >
        Resume now
      </button>
      {more === undefined ? null : (
        <button
          type="button"
          className={styles.allow}
          title={`Raises the overhead limit to ${String(more.attended * 100)} % of a core for the panel in use and ${String(more.background * 100)} % for everything else, on all pages of this browser. Server, Overhead has the way back.`}
          onClick={() =>
            attempt('Could not raise the limit', () =>
              setOverheadLimits(capture, { ...more, background: Math.max(more.background, limits.background) }),
            )
          }
        >
          Allow {more.attended * 100} %
        </button>
      )}
      {failure === null ? null : (
        <span className={cx(styles.slowed, styles.trouble)} role="alert" title={failure}>
          {failure}
        </span>
      )}
    </>
  )
}
