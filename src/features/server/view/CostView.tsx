import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration, formatPlural, formatShare, UNKNOWN } from '../../../base/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { MeterCost } from '../../../capture/state.ts'
import { useCaptureState } from '../../../capture/useCaptureState.ts'
import { useCapture } from '../../../capture/view.ts'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { FactLines, type FactLine } from '../../../ui/FactLines.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/now.ts'
import { SideScrollBox } from '../../../ui/SideScrollBox.tsx'
import { Toggle } from '../../../ui/Toggle.tsx'
import { NumberField } from '../../../ui/ValueFields.tsx'
import type { ServerWatch } from '../queries.ts'
import { LackingNote } from './LackingNote.tsx'
import hidden from '../../../ui/hidden.module.css'
import styles from './server.module.css'
import { usePromise } from './useServerData.ts'
import { formatSpanMs } from './words.ts'

const ROLES: Record<ServerWatch['role'], string> = {
  off: 'not collecting: no page wants it',
  leader: 'this tab collects, for all tabs of this browser',
  follower: 'another tab of this browser collects and tells this one',
}

function othersOf({ pages, shareOfCore, requestsPerMinute, bytesPerMinute }: MeterCost['otherPages']): string {
  if (pages === 0) return 'none looks at this server'
  const cost = `${formatPlural(requestsPerMinute, 'request')}, ${formatBytes(bytesPerMinute)}, ${formatShare(shareOfCore)} of one core in the last minute`
  return `${formatPlural(pages, 'page')}: ${cost}. What several show is asked once, and the promise is for all together`
}

/** What looking costs the server: the promise, whether it is kept, and every endpoint that was asked. */
export function CostView({ watch }: { readonly watch: ServerWatch | null }): ReactNode {
  const capture = useCapture()
  const { meter } = useCaptureState()
  const nowMs = useNow()
  const { promise, error, set } = usePromise()
  const others = meter.cost.otherPages.pages
  const lines: FactLine[] = [
    ['Since the page opened', formatSpanMs(nowMs - meter.sinceMs)],
    [
      'In all',
      `${formatPlural(meter.requests, 'request')}, ${formatPlural(meter.sockets, 'socket')}, ${formatBytes(meter.bytes)}`,
    ],
    ['In the last minute', `${formatPlural(meter.requestsPerMinute, 'request')}, ${formatBytes(meter.bytesPerMinute)}`],
    [
      'Cost to the server',
      `${formatShare(meter.cost.shareOfCore)} of one core in the last minute, by how long answers took; ${formatShare(meter.cost.promisedShare)} are promised`,
    ],
    ['Time of the server, in all', formatDuration(spanFromMs(meter.cost.serverMs))],
    [
      'Share of its requests that are ours',
      meter.cost.shareOfRequests === null ? 'not known' : formatShare(meter.cost.shareOfRequests),
    ],
    ['Databases loaded by this page', formatCount(meter.cost.databasesLoaded)],
    ['Being slowed', meter.slowed ?? 'nothing: it asks as often as planned'],
    ['Other pages of this browser', othersOf(meter.cost.otherPages)],
  ]
  const { slowedPolls, restingSockets } = meter.cost
  const slowed = [
    ...(slowedPolls.length === 0 ? [] : [`${formatPlural(slowedPolls.length, 'poll')} slower than planned`]),
    ...(restingSockets.length === 0 ? [] : [`${formatPlural(restingSockets.length, 'socket')} with rests`]),
  ]
  if (watch !== null) {
    lines.push(['Collecting', ROLES[watch.role]])
    lines.push([
      'Kept for the next visit',
      watch.kept.works
        ? watch.kept.savedMs === null
          ? 'yes'
          : `yes, ${formatSpanMs(nowMs - watch.kept.savedMs)} ago`
        : watch.kept.message,
    ])
  }
  return (
    <div className={styles.part}>
      <p>
        Every request and socket of this page is counted. It asks less when the server is slow, and nothing while this
        tab is hidden, unless collecting goes on without a page (below).
      </p>
      <FactLines lines={lines} />
      {slowed.length === 0 ? null : (
        <details className={styles.note}>
          <summary>{slowed.join(', ')}</summary>
          <ul className={styles.messages}>
            {restingSockets.map((socket) => (
              <li key={socket.endpoint}>
                <code>{socket.endpoint}</code> costs {formatShare(socket.shareOfCore)} of a core while it is open: after{' '}
                {formatSpanMs(socket.openMs)} it rests {formatSpanMs(socket.restMs)}
              </li>
            ))}
            {slowedPolls.map((poll) => (
              <li key={poll.endpoint}>
                <code>{poll.endpoint}</code> every {formatSpanMs(poll.everyMs)} instead of{' '}
                {formatSpanMs(poll.plannedMs)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {error === null ? null : <ErrorNotice error={error} tone="warn" />}
      <div className={styles.promise}>
        <NumberField
          label="Looking may cost the server at most"
          unit="% of one core"
          min={0.05}
          max={20}
          value={promise === null ? null : Number((promise.shareOfCore * 100).toPrecision(3))}
          onChange={(percent) => {
            if (percent !== null) set(percent / 100)
          }}
        />
        {promise === null || promise.shareOfCore === promise.defaultShareOfCore ? null : (
          <Button onClick={() => set(promise.defaultShareOfCore)}>
            Back to {formatShare(promise.defaultShareOfCore)}
          </Button>
        )}
        {watch === null ? null : (
          <Toggle
            label="Go on collecting when no page shows it"
            checked={watch.recording}
            onChange={(on) => void capture.ask('server.record', { on }).catch(() => undefined)}
          />
        )}
      </div>
      <SideScrollBox label="Requests by endpoint" className={cx(styles.tableBox, styles.cost)}>
        <table className={styles.table}>
          <caption className={hidden.visuallyHidden}>Requests by endpoint, dearest first</caption>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">Requests</th>
              <th scope="col">Received</th>
              <th scope="col">Failed</th>
              <th scope="col">Last took</th>
              <th scope="col">Time of the server</th>
            </tr>
          </thead>
          <tbody>
            {meter.endpoints
              .toSorted((a, b) => b.serverMs - a.serverMs || b.bytes - a.bytes)
              .map((endpoint) => (
                <tr key={endpoint.endpoint}>
                  <th scope="row">
                    <code>{endpoint.endpoint}</code>
                  </th>
                  <td>{formatCount(endpoint.requests)}</td>
                  <td>{formatBytes(endpoint.bytes)}</td>
                  <td>{formatCount(endpoint.failures)}</td>
                  <td>{endpoint.lastMs === null ? UNKNOWN : formatDuration(spanFromMs(endpoint.lastMs))}</td>
                  <td>{formatDuration(spanFromMs(endpoint.serverMs))}</td>
                </tr>
              ))}
          </tbody>
        </table>
        {meter.endpoints.length === 0 ? (
          <p className={styles.nothing}>
            This page has asked nothing yet{others === 0 ? '' : ': another page of this browser asks for it'}.
          </p>
        ) : null}
      </SideScrollBox>
      {watch === null ? null : <LackingNote lacking={watch.lacking} />}
    </div>
  )
}
