import { useTimes } from '../../../../capture/client/times.ts'
import { LateError } from '../../../../capture/frame/notices/LateError.tsx'
import { useRef, type ReactNode } from 'react'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatPlural,
  type Clock,
} from '../../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../../base/ticks.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useElementSize } from '../../../../ui/hooks/useElementSize.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import type { IoKindSizes } from '../../../../feeds/io/contract/details.ts'
import type { IoEventRef, IoEventRow, IoFilter, IoScope } from '../../../../feeds/io/contract/rows.ts'
import { eventKeys, sameEvent } from '../../../../feeds/io/contract/event-ref.ts'
import { LATENCY_BELOW_BYTES } from '../../../../feeds/io/contract/speed.ts'
import { compareKinds, kindLook } from '../timeline/kinds.ts'
import styles from './distribution.module.css'
import {
  bytesOf,
  cellOpacity,
  describeDuration,
  describeSize,
  durationTicks,
  gridOf,
  sizeTicks,
  speedLines,
  ticksOf,
  type SizeGrid,
} from './size-grid.ts'

const EVERY_MS = 1000
const SLOWEST_LIMIT = 5
const LEAST_WIDTH_PX = 250
const HEIGHT_PX = 210
const LEFT_PX = 50
const RIGHT_PX = 14
const TOP_PX = 8
const FOOT_PX = 22
const GAP_PX = 12

/** Scope of the events in view, for everything below the timeline. */
export interface EventsInView {
  readonly scope: IoScope
  readonly range: TimeRange
  readonly filter: IoFilter
  readonly version: number
  readonly clock: Clock
  readonly selected: IoEventRef | null
  readonly onSelect: (ref: IoEventRef) => void
}

/**
 * Size against duration of the events in view, in a chart for each kind with the same axes. Shows whether events take
 * long because they are large.
 */
export function Sizes({ scope, range, filter, version, selected, onSelect }: EventsInView): ReactNode {
  const boxRef = useRef<HTMLDivElement>(null)
  const widthPx = Math.floor(useElementSize(boxRef)?.widthPx ?? 0)
  const { response, error } = useRequest(
    'io.sizes',
    { ...range, rows: scope, filter, slowestLimit: SLOWEST_LIMIT },
    { version, everyMs: EVERY_MS },
  )
  const kinds = response?.kinds.toSorted((a, b) => compareKinds(a.kind, b.kind)) ?? []
  const perRow = Math.max(1, Math.min(kinds.length, Math.floor((widthPx + GAP_PX) / (LEAST_WIDTH_PX + GAP_PX))))
  const ownPx = Math.floor((widthPx - (perRow - 1) * GAP_PX) / perRow)
  const most = kinds.reduce((top, { count }) => count.reduce((above, each) => Math.max(above, each), top), 1)
  return (
    <div ref={boxRef} className={cx('stack', styles.charts)}>
      <span className="faint">
        Size against duration. A cell is stronger the more events it has, at most {formatCount(most)}; dots: the
        slowest.
      </span>
      <LateError error={error} />
      {kinds.length === 0 || ownPx < LEFT_PX + RIGHT_PX + 40 ? null : (
        <div className={styles.sizes} style={{ gap: GAP_PX }}>
          {kinds.map((kind) => (
            <KindChart
              key={kind.kind}
              kind={kind}
              grid={gridOf(kinds, { left: LEFT_PX, right: ownPx - RIGHT_PX, top: TOP_PX, foot: HEIGHT_PX - FOOT_PX })}
              most={most}
              widthPx={ownPx}
              selected={selected}
              onSelect={onSelect}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function KindChart({
  kind: { kind, size, duration, count, slowest },
  grid,
  most,
  widthPx,
  selected,
  onSelect,
}: {
  readonly kind: IoKindSizes
  readonly grid: SizeGrid
  readonly most: number
  readonly widthPx: number
  readonly selected: IoEventRef | null
  readonly onSelect: (ref: IoEventRef) => void
}): ReactNode {
  const look = kindLook(kind)
  const time = useTimes()
  const { x, y } = grid
  const keys = eventKeys(slowest)
  const sum = count.reduce((all, each) => all + each, 0)
  const sizeWord = kind === 'DataSync' ? 'bytes flushed since the sync before' : 'size'
  const words = slowest[0] === undefined ? '' : ` Slowest: ${describe(slowest[0])}.`
  return (
    <figure className={styles.kind}>
      <figcaption>
        {look.title} <span className="faint">by {sizeWord}</span>
      </figcaption>
      <svg
        width={widthPx}
        height={HEIGHT_PX}
        role="img"
        aria-label={`Size against duration of ${formatPlural(sum, look.one, look.many)}.${words}`}
      >
        <Axes grid={grid} />
        <g style={{ fill: `var(${look.token})` }}>
          {Array.from(count, (events, i) => {
            const [column, row] = [size[i] as number, duration[i] as number]
            const [left, top] = [x(bytesOf(column)), y(ticksOf(row + 1))]
            return (
              <rect
                key={`${column} ${row}`}
                x={left}
                y={top}
                width={x(bytesOf(column + 1)) - left}
                height={y(ticksOf(row)) - top}
                opacity={cellOpacity(events, most)}
              >
                <title>{`${formatPlural(events, look.one, look.many)} of ${describeSize(column)} took ${describeDuration(row)}`}</title>
              </rect>
            )
          })}
        </g>
        {look.speed === null ? null : (
          <Speeds grid={grid} leastBytes={kind === 'JournalWrite' ? LATENCY_BELOW_BYTES : 0} />
        )}
      </svg>
      {slowest.map((event, i) => (
        <button
          key={keys.get(event)}
          type="button"
          data-point=""
          className={cx(styles.dot, sameEvent(event, selected) && styles.chosen)}
          style={{
            left: x(Math.max(x.domain()[0] as number, event.sizeBytes)),
            top: y(Math.max(y.domain()[0] as number, event.durationTicks)),
            zIndex: slowest.length - i,
            ['--hue' as string]: `var(${look.token})`,
          }}
          aria-current={sameEvent(event, selected) ? 'true' : undefined}
          aria-label={`${look.title}: ${describe(event)}, ${time(event.startTicks, 3)}`}
          title={`${look.title} on ${event.laneLabel}: ${describe(event)}, ${time(event.startTicks, 3)}`}
          onClick={() => onSelect(event)}
        />
      ))}
    </figure>
  )
}

const describe = ({ durationTicks: took, sizeBytes }: IoEventRow): string =>
  `${formatBytes(sizeBytes)} in ${formatDuration(took)}`

function Axes({ grid }: { readonly grid: SizeGrid }): ReactNode {
  const { x, y } = grid
  const [[left, right], [foot, top]] = [x.range(), y.range()] as [[number, number], [number, number]]
  return (
    <g className={styles.axis}>
      {durationTicks(grid).map((ticks) => (
        <g key={ticks}>
          <line x1={left} x2={right} y1={y(ticks)} y2={y(ticks)} />
          <text x={left - 6} y={y(ticks) + 4} textAnchor="end">
            {formatDuration(ticks)}
          </text>
        </g>
      ))}
      {sizeTicks(grid).map((bytes) => (
        <g key={bytes}>
          <line x1={x(bytes)} x2={x(bytes)} y1={top} y2={foot} />
          <text x={Math.min(x(bytes), right - 10)} y={HEIGHT_PX - 6} textAnchor="middle">
            {formatBytes(bytes)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** Lines of equal speed. Events along a line are limited by bandwidth, events on a horizontal level by latency. */
function Speeds({ grid, leastBytes }: { readonly grid: SizeGrid; readonly leastBytes: number }): ReactNode {
  const { x, y } = grid
  return (
    <g className={styles.speeds}>
      {speedLines(grid, leastBytes).map(({ bytesPerSecond, fromBytes, toBytes }) => {
        const yOf = (bytes: number): number => y((bytes / bytesPerSecond) * TICKS_PER_SECOND)
        const middle = (x(fromBytes) + x(toBytes)) / 2
        return (
          <g key={bytesPerSecond}>
            <line x1={x(fromBytes)} y1={yOf(fromBytes)} x2={x(toBytes)} y2={yOf(toBytes)} />
            <text x={middle + 5} y={yOf(x.invert(middle)) + 10}>
              {formatByteRate(bytesPerSecond)}
            </text>
          </g>
        )
      })}
    </g>
  )
}
