import { lazy, Suspense, type ReactNode } from 'react'
import { describeClock, formatCount } from '../../base/text/format.ts'
import { useView } from '../../capture/client/view.ts'
import { cx } from '../../ui/theme/cx.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { describeOverhead, formatLimit } from '../describe.ts'
import styles from './status.module.css'

const AllowMore = lazy(() => import('./AllowMore.tsx'))

/** Bottom line of the page: monitoring overhead, reasons for slower requests, the clock. *Vitals* has details. */
export function StatusBar(): ReactNode {
  const { meter } = useCaptureState()
  const { view, open } = useView()
  const { pausedSockets } = meter.cost
  const openDetails = (): void => open('server', { params: { 'server.view': 'overhead' } })
  return (
    <footer className={cx('note', 'line', styles.status)}>
      <button
        type="button"
        className={cx('bare', 'inline', styles.meter)}
        title={`CPU of the server that this browser's pages take; ${formatLimit(meter.cost)}. Databases loaded by this page: ${formatCount(meter.cost.databasesLoaded)}. Open the details.`}
        onClick={openDetails}
      >
        <Icon name="gauge" sizePx={14} />
        <span className={styles.meterNow}>{describeOverhead(meter)}</span>
      </button>
      {meter.slowed === null ? null : (
        <span className={cx('line', styles.slowed, meter.isServerSlow && styles.trouble)} role="status">
          {/* In one line, whatever it says: the details have all of it, also where there are no tips. */}
          <button type="button" className={cx('bare', 'cut', styles.why)} title={meter.slowed} onClick={openDetails}>
            {meter.slowed}
          </button>
        </span>
      )}
      {pausedSockets.length === 0 || meter.isServerSlow ? null : (
        <Suspense>
          <AllowMore cost={meter.cost} />
        </Suspense>
      )}
      <span className="push" />
      <span className={styles.clockWords}>{describeClock(view.clock)}</span>
    </footer>
  )
}
