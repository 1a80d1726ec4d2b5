import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatBytes, formatCount, formatDuration, UNKNOWN } from '../base/format.ts'
import { spanFromMs } from '../base/ticks.ts'
import type { Meter } from '../capture/state.ts'
import { useCapture, useView } from '../capture/view.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { cx } from '../ui/cx.ts'
import { Icon } from '../ui/Icon.tsx'
import { useNow } from '../ui/now.ts'
import { describeClock, describeMeter } from './describe.ts'
import { useCaptureState } from '../capture/useCaptureState.ts'
import hidden from '../ui/hidden.module.css'
import styles from './shell.module.css'

const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The foot of the page: what looking costs, always in sight, and why it is slower than planned. */
export function StatusBar(): ReactNode {
  const { meter } = useCaptureState()
  const { view } = useView()
  const nowMs = useNow()
  const [open, setOpen] = useState(false)
  const words = describeMeter(meter, nowMs)
  return (
    <footer className={styles.status}>
      <button
        type="button"
        className={styles.meter}
        title="What looking has cost, by endpoint"
        onClick={() => setOpen(true)}
      >
        <Icon name="gauge" sizePx={14} />
        <span className={styles.meterNow}>{words.now},</span>
        <span>{words.cost}</span>
      </button>
      {meter.slowed === null ? null : (
        <span className={cx(styles.slowed, meter.isServerSlow && styles.trouble)} role="status" title={meter.slowed}>
          {meter.slowed}
        </span>
      )}
      {meter.cost.restingSockets.length === 0 || meter.isServerSlow ? null : (
        <AllowMore promised={meter.cost.promisedShare} />
      )}
      <span className={styles.push} />
      <span className={styles.clockWords}>{describeClock(view.clock, TIME_ZONE)}</span>
      {open ? <MeterDialog meter={meter} nowMs={nowMs} onClose={() => setOpen(false)} /> : null}
    </footer>
  )
}

/** What looking may cost instead, shares of one core, where a picture with fewer gaps is worth more. */
const ALLOWED = [0.02, 0.05, 0.1, 0.2]

/** Live data has gaps to keep the promise: one click allows more, for this page. */
function AllowMore({ promised }: { readonly promised: number }): ReactNode {
  const capture = useCapture()
  const more = ALLOWED.find((share) => share > promised * 1.5)
  if (more === undefined) return null
  const percent = `${String(more * 100)} %`
  return (
    <button
      type="button"
      className={styles.allow}
      title={`Live data has fewer gaps then. Looking may cost the server up to ${percent} of a core until this tab is closed; the page Server, at its cost, has the way back.`}
      onClick={() => void capture.ask('governor.promise', { shareOfCore: more }).catch(() => undefined)}
    >
      Allow {percent}
    </button>
  )
}

function MeterDialog({
  meter,
  nowMs,
  onClose,
}: {
  readonly meter: Meter
  readonly nowMs: number
  readonly onClose: () => void
}): ReactNode {
  const store = useView()
  const words = describeMeter(meter, nowMs)
  const endpoints = meter.endpoints.toSorted((a, b) => b.bytes - a.bytes)
  return (
    <Dialog
      title="What looking has cost"
      wide
      onClose={onClose}
      actions={
        <Button
          onClick={() => {
            onClose()
            store.open('server', { params: { 'server.view': 'cost' } })
          }}
        >
          More, and the promise, on the page Server
        </Button>
      }
    >
      <div className={styles.meterBody}>
        <p>
          {words.total}. {words.now}; {words.cost}. Every request and socket of this page is in these figures.
        </p>
        <table className={styles.meterTable}>
          <caption className={hidden.visuallyHidden}>Requests by endpoint, most bytes first</caption>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">Requests</th>
              <th scope="col">Received</th>
              <th scope="col">Failed</th>
              <th scope="col">Last took</th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map((endpoint) => (
              <tr key={endpoint.endpoint}>
                <th scope="row">
                  <code>{endpoint.endpoint}</code>
                </th>
                <td>{formatCount(endpoint.requests)}</td>
                <td>{formatBytes(endpoint.bytes)}</td>
                <td className={endpoint.failures > 0 ? styles.failures : styles.faint}>
                  {formatCount(endpoint.failures)}
                </td>
                <td>{endpoint.lastMs === null ? UNKNOWN : formatDuration(spanFromMs(endpoint.lastMs))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {endpoints.length === 0 ? <p className={styles.faint}>Nothing has been asked yet.</p> : null}
      </div>
    </Dialog>
  )
}
