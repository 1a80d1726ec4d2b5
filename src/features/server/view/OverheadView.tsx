import { formatSpanMs } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPlural,
  formatShare,
  UNKNOWN,
} from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { DEFAULT_LIMITS, setOverheadLimits, type OverheadLimits } from '../../../capture/client/overhead.ts'
import type { Meter, MeterCost } from '../../../capture/client/state.ts'
import { ResumeButton } from '../../../capture/frame/notices/ResumeButton.tsx'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { FactLines, type FactLine } from '../../../ui/FactLines.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { Toggle } from '../../../ui/controls/Toggle.tsx'
import { NumberField } from '../../../ui/controls/ValueFields.tsx'
import type { ServerWatch } from '../../../feeds/server/contract/watch.ts'
import { LackingNote } from '../../../capture/frame/notices/LackingNote.tsx'
import styles from './server.module.css'

const ROLES: Record<ServerWatch['role'], string> = {
  off: 'no: no page shows the server',
  leader: 'by this page, for all pages of this browser',
  follower: 'by another page of this browser',
}

function describeKept({ works, savedMs, message }: ServerWatch['kept'], nowMs: number): string {
  if (!works) return message
  return savedMs === null ? 'yes' : `yes, ${formatSpanMs(nowMs - savedMs)} ago`
}

const COLUMNS: readonly RowColumn<Meter['endpoints'][number]>[] = [
  { title: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
  { title: 'Requests', cell: ({ requests }) => formatCount(requests) },
  { title: 'Received', cell: ({ bytes }) => formatBytes(bytes) },
  { title: 'Failed', cell: ({ failures }) => formatCount(failures) },
  { title: 'Last took', cell: ({ lastMs }) => (lastMs === null ? UNKNOWN : formatDuration(spanFromMs(lastMs))) },
  { title: 'Server CPU', cell: ({ serverMs }) => formatDuration(spanFromMs(serverMs)) },
]

function othersOf({ pages, shareOfCore, requestsPerMinute, bytesPerMinute }: MeterCost['otherPages']): string {
  if (pages === 0) return 'none'
  return `${formatPlural(pages, 'page')}: ${formatShare(shareOfCore)} of a core, ${formatPlural(requestsPerMinute, 'request')}, ${formatBytes(bytesPerMinute)} in the last minute`
}

const percentOf = (share: number): number => Number((share * 100).toPrecision(3))

/** Monitoring overhead: the limits, whether they are kept, what they delay, and each endpoint that was called. */
export function OverheadView({ watch }: { readonly watch: ServerWatch | null }): ReactNode {
  const capture = useCapture()
  const { meter } = useCaptureState()
  const nowMs = useNow()
  const { limits, isAttended, shareOfCore, onceMs, serverMs, slowedPolls, pausedSockets } = meter.cost
  const others = meter.cost.otherPages.pages
  const { failure, attempt } = useAttempt()
  const set = (parts: Partial<OverheadLimits>): void =>
    void attempt('Could not change the limit', () => setOverheadLimits(capture, { ...limits, ...parts }))
  const lines: FactLine[] = [
    [
      'Overhead, last minute',
      `${formatShare(shareOfCore)} of a core, ${formatPlural(meter.requestsPerMinute, 'request')}, ${formatBytes(meter.bytesPerMinute)}`,
    ],
    [
      'Limit now',
      isAttended
        ? `${formatShare(limits.attended)} of a core for this panel, ${formatShare(limits.background)} for everything else`
        : `${formatShare(limits.background)} of a core: no input for ten minutes, or the tab is hidden`,
    ],
    ['Opening and requests on demand, last minute', `${formatDuration(spanFromMs(onceMs))} of CPU, not limited`],
    ['Other pages of this browser', othersOf(meter.cost.otherPages)],
    ['Held back', meter.slowed ?? 'nothing'],
    [
      `Since the page opened, ${formatSpanMs(nowMs - meter.sinceMs)}`,
      `${formatDuration(spanFromMs(serverMs))} of CPU, ${formatPlural(meter.requests, 'request')}, ${formatPlural(meter.sockets, 'open socket')}, ${formatBytes(meter.bytes)}`,
    ],
    [
      'Share of the server’s requests',
      meter.cost.shareOfRequests === null ? 'unknown' : formatShare(meter.cost.shareOfRequests),
    ],
    ['Databases loaded by this page', formatCount(meter.cost.databasesLoaded)],
  ]
  const slowed = [
    ...(slowedPolls.length === 0 ? [] : [`${formatPlural(slowedPolls.length, 'poll')} slowed down`]),
    ...(pausedSockets.length === 0 ? [] : [`${formatPlural(pausedSockets.length, 'socket')} paused from time to time`]),
  ]
  lines.push(['Collecting', watch === null ? UNKNOWN : ROLES[watch.role]])
  lines.push(['Kept for the next visit', watch === null ? UNKNOWN : describeKept(watch.kept, nowMs)])
  return (
    <div className={styles.part}>
      <p>
        CPU time of the server that this page takes, estimated from each request and frame. The limits are for all pages
        of this browser together; a server in trouble is polled less. Heartbeat, running queries and vital signs are
        never paused.
      </p>
      <FactLines lines={lines} />
      {slowed.length === 0 ? null : (
        <details className={cx('faint', styles.note)}>
          <summary>{slowed.join(', ')}</summary>
          <ul className={styles.messages}>
            {pausedSockets.map((socket) => (
              <li key={socket.endpoint}>
                <code>{socket.endpoint}</code> takes {formatShare(socket.shareOfCore)} of a core while open: paused for{' '}
                {formatSpanMs(socket.pauseMs)} after {formatSpanMs(socket.openMs)}
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
      <div className={cx('wrap', styles.limits)}>
        {(['attended', 'background'] as const).map((of) => (
          <NumberField
            key={of}
            label={of === 'attended' ? 'Limit for the panel in use' : 'Limit for everything else'}
            unit="% of a core"
            min={0.05}
            max={20}
            value={percentOf(limits[of])}
            onChange={(percent) => {
              if (percent !== null) set({ [of]: percent / 100 })
            }}
          />
        ))}
        {limits.attended === DEFAULT_LIMITS.attended && limits.background === DEFAULT_LIMITS.background ? null : (
          <Button onClick={() => set(DEFAULT_LIMITS)}>
            Back to {formatShare(DEFAULT_LIMITS.attended)} and {formatShare(DEFAULT_LIMITS.background)}
          </Button>
        )}
        {pausedSockets.length === 0 ? null : <ResumeButton />}
        {watch === null ? null : (
          <Toggle
            label="Go on collecting when no page shows it"
            checked={watch.recording}
            onChange={(on) => void attempt('Could not change it', () => capture.request('server.record', { on }))}
          />
        )}
        <AttemptFailure of={failure} />
      </div>
      <SideScrollBox label="Requests by endpoint" className={cx('raised', styles.tableBox, styles.cost)}>
        <RowTable
          className={cx('figures', styles.table)}
          label="Requests by endpoint, most expensive first"
          columns={COLUMNS}
          rows={meter.endpoints.toSorted((a, b) => b.serverMs - a.serverMs || b.bytes - a.bytes)}
          keyOf={({ endpoint }) => endpoint}
        />
        {meter.endpoints.length === 0 ? (
          <p className={styles.nothing}>
            No requests yet{others === 0 ? '' : ': another page of this browser sends them'}.
          </p>
        ) : null}
      </SideScrollBox>
      {watch === null ? null : <LackingNote lacking={watch.lacking} />}
    </div>
  )
}
