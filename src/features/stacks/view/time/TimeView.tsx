import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Ticks } from '../../../../base/brand.ts'
import {
  describeClock,
  formatCount,
  formatDateTime,
  formatPlural,
  formatShare,
  type Clock,
} from '../../../../base/text/format.ts'
import type { Viewport } from '../../../../capture/frame/useViewport.ts'
import { AXIS_PX, drawCursor } from '../../../../charts/timeline/axis-picture.ts'
import type { Hover } from '../../../../charts/canvas/CanvasHost.tsx'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { HoverBox } from '../../../../charts/canvas/HoverBox.tsx'
import { LanePlot, type LanePlotHandle, type LaneSight } from '../../../../charts/timeline/lanes/LanePlot.tsx'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { VirtualTable, type TableColumn } from '../../../../ui/table/VirtualTable.tsx'
import type { CaptureInfo } from '../../contract/snapshots.ts'
import type { CaptureId, JobKey } from '../../contract/ids.ts'
import type { LanesAnswer, StackLane } from '../../contract/lanes.ts'
import { cellOf, columnAt, LANE_PX, layoutColumns, sumLane, type Cell } from './time-cells.ts'
import { drawTime, outlineCell, type TimePicture } from './time-draw.ts'
import hidden from '../../../../ui/hidden.module.css'
import styles from './time.module.css'
import { useStacksAsk } from '../useStacks.ts'
import { WaitStrip } from '../threads/WaitSummary.tsx'
import { WAIT_LOOKS, waitLook } from '../threads/wait-styles.ts'
import { WaitSwatch } from '../threads/WaitSwatch.tsx'
import { formatPercent, jobName } from '../words.ts'

export interface TimeViewProps {
  /** All that could be looked at, ascending. */
  readonly captures: readonly CaptureInfo[]
  readonly chosen: readonly CaptureInfo[]
  readonly against: readonly CaptureInfo[]
  readonly viewport: Viewport
  readonly clock: Clock
  readonly version: number
  readonly isTable: boolean
  readonly onTable: (isTable: boolean) => void
  readonly onFit: () => void
  /** `compare`: as the other side. */
  readonly onCapture: (capture: CaptureId, compare: boolean) => void
  readonly onJob: (key: JobKey) => void
}

interface Hit {
  readonly lane: number
  readonly cell: Cell
}

/** One lane a job, one cell a capture: what it waited for, over time. */
export function TimeView(props: TimeViewProps): ReactNode {
  const { captures, clock, version } = props
  const ids = captures.map(({ id }) => id)
  const { answer, error } = useStacksAsk('stacks.lanes', { captures: ids }, ids.join(' '), version, 200)
  return (
    <div className={styles.time}>
      <div className={styles.bar}>
        <span role="status">
          {answer === null
            ? ''
            : `${formatPlural(answer.lanes.length, 'job')} in ${formatPlural(answer.captures.length, 'capture')}`}
        </span>
        <span className={styles.faint}>Click: select that capture. Shift + click: compare with it.</span>
        <Button small onClick={props.onFit} title="All captures in the time range">
          Fit captures
        </Button>
        <Button small aria-pressed={props.isTable} onClick={() => props.onTable(!props.isTable)}>
          Table
        </Button>
      </div>
      {error === null ? null : <p role="alert">{error.message}</p>}
      {answer === null ? (
        <Spinner>Laying out captures …</Spinner>
      ) : props.isTable ? (
        <LanesTable answer={answer} onJob={props.onJob} />
      ) : (
        <Lanes {...props} answer={answer} />
      )}
      <ul className={styles.legend} aria-label="What the colours mean">
        {WAIT_LOOKS.map(({ kind, title, meaning }) => (
          <li key={kind} title={meaning}>
            <WaitSwatch kind={kind} /> {title}
          </li>
        ))}
        <li className={styles.faint}>Height: how many of the job’s threads do that. {describeClock(clock)}.</li>
      </ul>
    </div>
  )
}

function Lanes(props: TimeViewProps & { readonly answer: LanesAnswer }): ReactNode {
  const { answer, viewport, clock } = props
  const tokens = useCanvasTokens()
  const plotRef = useRef<LanePlotHandle>(null)
  const [sight, setSight] = useState<LaneSight>({ scrollPx: 0, heightPx: 0, widthPx: 0 })
  const [pointed, setPointed] = useState<{ readonly hit: Hit; readonly at: Point } | null>(null)
  const [focus, setFocus] = useState<{ readonly lane: number; readonly column: number } | null>(null)
  const heightPx = sight.heightPx + AXIS_PX
  // The same range as above, on another width.
  const scale = buildTimeScale({ range: viewport.range, widthPx: sight.widthPx })
  const wider = viewport.scale.widthPx / Math.max(1, sight.widthPx)
  const picture: TimePicture = {
    answer,
    columns: layoutColumns(answer.atTicks, scale),
    scale,
    tokens,
    clock,
    scrollPx: sight.scrollPx,
    chosen: new Set(props.chosen.map(({ id }) => id)),
    against: new Set(props.against.map(({ id }) => id)),
  }
  const hitTest = (at: Point): Hit | null => {
    const lane = Math.floor((at.yPx - AXIS_PX + sight.scrollPx) / LANE_PX)
    const held = answer.lanes[lane]
    const column = columnAt(picture.columns, at.xPx)
    return at.yPx < AXIS_PX || held === undefined || column < 0 ? null : { lane, cell: cellOf(answer, held, column) }
  }
  const step = (lanes: number, columns: number): void => {
    const last = answer.captures.length - 1
    const next = {
      lane: Math.max(0, Math.min(answer.lanes.length - 1, (focus?.lane ?? 0) + lanes)),
      column: Math.max(0, Math.min(last, focus === null ? last : focus.column + columns)),
    }
    setFocus(next)
    plotRef.current?.show(next.lane * LANE_PX, LANE_PX)
    const at = answer.atTicks[next.column] ?? Number.NaN
    if (!Number.isNaN(at)) viewport.reveal(at, 1)
  }
  const focused = focus === null ? null : (answer.lanes[focus.lane] ?? null)
  const keys = (event: KeyboardEvent<HTMLElement>): Readonly<Record<string, () => void>> => ({
    ArrowLeft: () => step(0, -1),
    ArrowRight: () => step(0, 1),
    ArrowUp: () => step(-1, 0),
    ArrowDown: () => step(1, 0),
    Enter: () => {
      if (focus !== null) props.onCapture(answer.captures[focus.column] ?? -1, event.shiftKey)
    },
    Escape: () => setFocus(null),
    a: () => viewport.pan(-viewport.scale.widthPx * 0.15),
    d: () => viewport.pan(viewport.scale.widthPx * 0.15),
    w: () => viewport.zoom(0.7),
    s: () => viewport.zoom(1 / 0.7),
    '+': () => viewport.zoom(0.7),
    '-': () => viewport.zoom(1 / 0.7),
    '0': props.onFit,
    End: viewport.goLive,
  })
  const first = Math.max(0, Math.floor(sight.scrollPx / LANE_PX))
  const end = Math.min(answer.lanes.length, Math.ceil((sight.scrollPx + sight.heightPx) / LANE_PX) + 1)
  const shiftRef = useRef(false)
  return (
    <div
      className={styles.lanes}
      style={{ ['--content' as string]: `${answer.lanes.length * LANE_PX + AXIS_PX + 3}px` }}
      onPointerDownCapture={(event) => {
        shiftRef.current = event.shiftKey
      }}
    >
      <LanePlot<Hit>
        handle={plotRef}
        label="What each job waited for over time"
        contentPx={answer.lanes.length * LANE_PX}
        onSight={setSight}
        gutter={answer.lanes.slice(first, end).map((lane, i) => (
          <button
            key={lane.job.key}
            type="button"
            className={styles.name}
            style={{ top: (first + i) * LANE_PX - sight.scrollPx, height: LANE_PX }}
            title={`${jobName(lane.job)}: show its threads`}
            onClick={() => props.onJob(lane.job.key)}
          >
            <bdi>{jobName(lane.job)}</bdi>
          </button>
        ))}
        draw={(context) => drawTime(context, heightPx, picture)}
        drawOverlay={(context, _frame, hover: Hover<Hit> | null) => {
          if (focus !== null) outlineCell(context, picture, focus.lane, focus.column, tokens.focus, 2.5)
          if (hover === null) return
          if (hover.hit !== null) outlineCell(context, picture, hover.hit.lane, hover.hit.cell.column, tokens.fg, 1.5)
          if (!picture.columns.isOrdered) drawCursor(context, picture, heightPx, hover.at.xPx, clock)
        }}
        hitTest={hitTest}
        onPoint={setPointed}
        onClick={({ hit }) => {
          if (hit !== null) props.onCapture(hit.cell.capture, shiftRef.current)
        }}
        onPan={(dxPx) => viewport.pan(dxPx * wider)}
        onZoom={(factor, anchorPx) => viewport.zoom(factor, anchorPx * wider)}
        keys={keys}
      >
        {pointed === null ? null : (
          <HoverBox at={pointed.at}>
            <CellCard answer={answer} cell={pointed.hit.cell} clock={clock} />
          </HoverBox>
        )}
        <p className={hidden.visuallyHidden} aria-live="polite">
          {focus === null || focused === null
            ? ''
            : `${describeCell(answer, cellOf(answer, focused, focus.column), clock)} Enter selects that capture.`}
        </p>
      </LanePlot>
    </div>
  )
}

function describeCell(answer: LanesAnswer, cell: Cell, clock: Clock): string {
  const at = answer.atTicks[cell.column] ?? Number.NaN
  const when = Number.isNaN(at) ? `capture ${cell.column + 1}` : formatDateTime(at as Ticks, clock, 1)
  if (cell.wait === null) return `${jobName(cell.job)}, ${when}: no thread of it.`
  const look = waitLook(cell.wait)
  const of =
    cell.threads === 1 ? 'its thread' : `${formatCount(cell.dominant)} of ${formatPlural(cell.threads, 'thread')}`
  const cpu = Number.isNaN(cell.cpuPercent) ? '' : `, ${formatPercent(cell.cpuPercent)} of the machine`
  return `${jobName(cell.job)}, ${when}: ${of} ${cell.dominant === 1 ? look.one : look.many}${cpu}.`
}

function CellCard({
  answer,
  cell,
  clock,
}: {
  readonly answer: LanesAnswer
  readonly cell: Cell
  readonly clock: Clock
}): ReactNode {
  return (
    <>
      {cell.wait === null ? null : (
        <p className={styles.title}>
          <WaitSwatch kind={cell.wait} /> {waitLook(cell.wait).title}
        </p>
      )}
      <p>{describeCell(answer, cell, clock)}</p>
    </>
  )
}

const COLUMNS: readonly TableColumn[] = [
  { id: 'job', title: 'Job', width: 260, grow: 2, pinned: true },
  { id: 'seen', title: 'Captures', width: 92, align: 'end' },
  { id: 'strip', title: 'Mostly', width: 160, grow: 1 },
  ...WAIT_LOOKS.map(({ kind, title }): TableColumn => ({ id: kind, title, width: 84, align: 'end' })),
]

/** The twin of the lanes: in how many captures each job did mostly what. */
function LanesTable({
  answer,
  onJob,
}: {
  readonly answer: LanesAnswer
  readonly onJob: (key: JobKey) => void
}): ReactNode {
  return (
    <div className={styles.table}>
      <VirtualTable<StackLane>
        label="What each job waited for"
        columns={COLUMNS}
        total={answer.lanes.length}
        rowHeightPx={26}
        version={answer.version}
        fetchRows={(offset, limit) => Promise.resolve(answer.lanes.slice(offset, offset + limit))}
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
