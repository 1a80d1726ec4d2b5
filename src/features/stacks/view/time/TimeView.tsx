import type { ReactNode } from 'react'
import type { Ticks } from '../../../../base/ticks.ts'
import {
  describeClock,
  formatCount,
  formatDateTime,
  formatPlural,
  formatShare,
  type Clock,
} from '../../../../base/text/format.ts'
import { useMoving, type Viewport } from '../../../../capture/frame/range/useViewport.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { useLanes } from '../../../../charts/timeline/lanes/useLanes.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { VirtualTable, type TableColumn } from '../../../../ui/table/VirtualTable.tsx'
import card from '../../../../ui/card.module.css'
import type { SnapshotInfo } from '../../../../feeds/stacks/contract/snapshots.ts'
import type { SnapshotId, JobKey } from '../../../../feeds/stacks/contract/ids.ts'
import type { LanesResponse, StackLane } from '../../../../feeds/stacks/contract/lanes.ts'
import { layoutColumns, sumLane, type Cell } from './time-cells.ts'
import { layoutStackLanes, STACK_LANES, type TimePicture } from './time-draw.ts'
import styles from './time.module.css'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { WaitStrip } from '../threads/WaitSummary.tsx'
import { WAIT_LOOKS, waitLook } from '../threads/wait-styles.ts'
import { WaitSwatch } from '../threads/WaitSwatch.tsx'
import { formatPercent, jobName } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export interface TimeViewProps {
  /** Snapshots to choose from, ascending. */
  readonly snapshots: readonly SnapshotInfo[]
  readonly chosen: readonly SnapshotInfo[]
  readonly against: readonly SnapshotInfo[]
  readonly viewport: Viewport
  readonly clock: Clock
  readonly version: number
  readonly isTable: boolean
  readonly onTable: (isTable: boolean) => void
  readonly onFit: () => void
  /** `compare`: as the other side. */
  readonly onSnapshot: (snapshot: SnapshotId, compare: boolean) => void
  readonly onJob: (key: JobKey) => void
}

/** Lanes of jobs with a cell for each snapshot: waits of each job over time. */
export function TimeView(props: TimeViewProps): ReactNode {
  const { snapshots, clock, version } = props
  const ids = snapshots.map(({ id }) => id)
  const { response, error } = useRequest('stacks.lanes', { snapshots: ids }, { version, everyMs: 200 })
  return (
    <div className={cx('column', styles.time)}>
      <div className={cx('row', styles.bar)}>
        <span role="status">
          {response === null
            ? ''
            : `${formatPlural(response.lanes.length, 'job')} in ${formatPlural(response.snapshots.length, 'snapshot')}`}
        </span>
        <span className="faint">Click: select that snapshot. Shift + click: compare with it.</span>
        <Button small onClick={props.onFit} title="All snapshots in the time range">
          Fit snapshots
        </Button>
        <Button small aria-pressed={props.isTable} onClick={() => props.onTable(!props.isTable)}>
          Table
        </Button>
      </div>
      {error === null ? null : <p role="alert">{error.message}</p>}
      {response === null ? (
        <Spinner>Laying out snapshots …</Spinner>
      ) : props.isTable ? (
        <LanesTable response={response} onJob={props.onJob} />
      ) : (
        <Lanes {...props} response={response} />
      )}
      <ul className={cx('wrap', styles.legend)} aria-label="What the colours mean">
        {WAIT_LOOKS.map(({ kind, title, meaning }) => (
          <li key={kind} title={meaning}>
            <WaitSwatch kind={kind} /> {title}
          </li>
        ))}
        <li className="faint">Height: how many of the job’s threads do that. {describeClock(clock)}.</li>
      </ul>
    </div>
  )
}

function Lanes(props: TimeViewProps & { readonly response: LanesResponse }): ReactNode {
  const { response, clock, chosen, against } = props
  const viewport = useMoving(props.viewport)
  const tokens = useCanvasTokens()
  const lanes = useLanes()
  // The range of the chart above, at another width.
  const scale = buildTimeScale({ range: viewport.range, widthPx: lanes.sight.widthPx })
  const wider = viewport.scale.widthPx / Math.max(1, lanes.sight.widthPx)
  const columns = layoutColumns(response.atTicks, scale)
  const layout = layoutStackLanes(response.lanes)
  const picture: TimePicture = {
    layout,
    response,
    columns,
    scale,
    tokens,
    clock,
    scrollPx: lanes.sight.scrollPx,
    gaps: [],
    known: null,
    untimed: columns.isOrdered ? 'In order of arrival: these documents have no time.' : undefined,
    chosen: new Set(chosen.map(({ id }) => id)),
    against: new Set(against.map(({ id }) => id)),
  }
  return (
    <div className={styles.lanes} style={{ ['--content' as string]: `${layout.heightPx + AXIS_PX + 3}px` }}>
      <LaneTimeline
        label="What each job waited for over time"
        lanes={lanes}
        contract={STACK_LANES}
        picture={picture}
        viewport={{
          scale,
          pan: (byPx) => viewport.pan(byPx * wider),
          zoom: (factor, anchorPx) => viewport.zoom(factor, anchorPx === undefined ? undefined : anchorPx * wider),
          fit: props.onFit,
          goLive: viewport.goLive,
          reveal: viewport.reveal,
        }}
        renderName={({ lane }) => (
          <button
            type="button"
            className={cx('cut bare', styles.name)}
            title={`${jobName(lane.job)}: show its threads`}
            onClick={() => props.onJob(lane.job.key)}
          >
            <bdi>{jobName(lane.job)}</bdi>
          </button>
        )}
        renderCard={({ cell }) => <CellCard response={response} cell={cell} clock={clock} />}
        describe={(focus) =>
          focus === null ? '' : `${describeCell(response, focus.cell, clock)} Enter selects that snapshot.`
        }
        onSelect={(hit, shift) => {
          if (hit !== null) props.onSnapshot(hit.cell.snapshot, shift)
        }}
      />
    </div>
  )
}

function describeCell(response: LanesResponse, cell: Cell, clock: Clock): string {
  const at = response.atTicks[cell.column] ?? Number.NaN
  const when = Number.isNaN(at) ? `snapshot ${cell.column + 1}` : formatDateTime(at as Ticks, clock, 1)
  if (cell.wait === null) return `${jobName(cell.job)}, ${when}: no thread of it.`
  const look = waitLook(cell.wait)
  const of =
    cell.threads === 1 ? 'its thread' : `${formatCount(cell.dominant)} of ${formatPlural(cell.threads, 'thread')}`
  const cpu = Number.isNaN(cell.cpuPercent) ? '' : `, ${formatPercent(cell.cpuPercent)} of the machine`
  return `${jobName(cell.job)}, ${when}: ${of} ${cell.dominant === 1 ? look.one : look.many}${cpu}.`
}

interface CellCardProps {
  readonly response: LanesResponse
  readonly cell: Cell
  readonly clock: Clock
}

function CellCard({ response, cell, clock }: CellCardProps): ReactNode {
  return (
    <>
      {cell.wait === null ? null : (
        <p className={cx('line', card.title)}>
          <WaitSwatch kind={cell.wait} /> {waitLook(cell.wait).title}
        </p>
      )}
      <p>{describeCell(response, cell, clock)}</p>
    </>
  )
}

const COLUMNS: readonly TableColumn[] = [
  { id: 'job', title: 'Job', width: 260, grow: 2, pinned: true },
  { id: 'seen', title: 'Snapshots', width: 92, align: 'end' },
  { id: 'strip', title: 'Mostly', width: 160, grow: 1 },
  ...WAIT_LOOKS.map(({ kind, title }): TableColumn => ({ id: kind, title, width: 84, align: 'end' })),
]

interface LanesTableProps {
  readonly response: LanesResponse
  readonly onJob: (key: JobKey) => void
}

/** The lanes as a table: number of snapshots by the most frequent wait of each job. */
function LanesTable({ response, onJob }: LanesTableProps): ReactNode {
  return (
    <div className={styles.table}>
      <VirtualTable<StackLane>
        label="What each job waited for"
        columns={COLUMNS}
        total={response.lanes.length}
        rowHeightPx={26}
        version={response.version}
        fetchRows={(offset, limit) => Promise.resolve(response.lanes.slice(offset, offset + limit))}
        renderCell={(lane, id) => {
          const { waits, seen } = sumLane(lane)
          if (id === 'job') return <bdi className={styles.cut}>{jobName(lane.job)}</bdi>
          if (id === 'seen') return formatCount(seen)
          if (id === 'strip') return <WaitStrip counts={waits} />
          const count = waits[WAIT_LOOKS.findIndex(({ kind }) => kind === id)] ?? 0
          return count === 0 ? '' : formatShare(count / seen)
        }}
        rowKey={(lane) => lane.job.key}
        sort={null}
        onSort={() => undefined}
        onRowClick={(lane) => onJob(lane.job.key)}
      />
    </div>
  )
}
