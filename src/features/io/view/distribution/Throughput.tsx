import { line } from 'd3'
import { useRef, type ReactNode } from 'react'
import { stepShare } from '../../../../base/columns/duration-steps.ts'
import {
  formatByteRate,
  formatCount,
  formatDateTime,
  formatDuration,
  formatRate,
  type Clock,
} from '../../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../../base/ticks.ts'
import { useRequest } from '../../../../capture/client/useRequest.ts'
import { useElementSize } from '../../../../ui/hooks/useElementSize.ts'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import type { IoFilter, IoKindThroughput, IoScope, IoThroughputResponse } from '../../contract.ts'
import { hasRate } from '../../data/speed.ts'
import { compareKinds, kindLook } from '../timeline/kinds.ts'
import styles from './distribution.module.css'
import { strokeOf } from './strokes.ts'

const EVERY_MS = 1000
const COLUMN_PX = 4
const HEIGHT_PX = 74
const LEFT_PX = 76
const RIGHT_PX = 12
const PAD_PX = 6

/** One figure of each kind over the range in view. */
interface Multiple {
  readonly title: string
  readonly isShown: (kind: string) => boolean
  /** NaN: not known. */
  readonly valueOf: (kind: IoKindThroughput, column: number, columnTicks: number) => number
  readonly format: (value: number) => string
  /** 0 to 1, from the foot to the top. */
  readonly heightOf: (value: number, most: number) => number
}

const ofMost = (value: number, most: number): number => (most === 0 ? 0 : value / most)
const seconds = (ticks: number): number => ticks / TICKS_PER_SECOND

/** Throughput, and beside it what it costs in time: one is never read without the other. */
const MULTIPLES: readonly Multiple[] = [
  {
    title: 'Events per second',
    isShown: () => true,
    valueOf: ({ count }, column, columnTicks) => (count[column] ?? 0) / seconds(columnTicks),
    format: formatRate,
    heightOf: ofMost,
  },
  {
    title: 'Bytes per second, without data syncs',
    isShown: hasRate,
    valueOf: ({ bytes }, column, columnTicks) => (bytes[column] ?? 0) / seconds(columnTicks),
    format: formatByteRate,
    heightOf: ofMost,
  },
  {
    title: 'In flight, mean',
    isShown: () => true,
    valueOf: ({ busyTicks }, column, columnTicks) => (busyTicks[column] ?? 0) / columnTicks,
    format: (value) => value.toPrecision(2),
    heightOf: ofMost,
  },
  {
    title: 'In flight, most at once',
    isShown: () => true,
    valueOf: ({ deepest, summedUp }, column) => (summedUp[column] === 1 ? Number.NaN : (deepest[column] ?? 0)),
    format: formatCount,
    heightOf: ofMost,
  },
  {
    title: 'Slowest, 10 µs to 10 s',
    isShown: () => true,
    valueOf: ({ slowestTicks }, column) => slowestTicks[column] ?? 0,
    format: formatDuration,
    heightOf: stepShare,
  },
]

/** Events and bytes per second, how many ran at once, and the slowest, over the range in view, by kind. */
export function Throughput({
  scope,
  range,
  filter,
  version,
  clock,
}: {
  readonly scope: IoScope
  readonly range: TimeRange
  readonly filter: IoFilter
  readonly version: number
  readonly clock: Clock
}): ReactNode {
  const boxRef = useRef<HTMLDivElement>(null)
  const size = useElementSize(boxRef)
  const widthPx = Math.floor(size?.widthPx ?? 0)
  const columns = Math.floor((widthPx - LEFT_PX - RIGHT_PX) / COLUMN_PX)
  const { response, error } = useRequest(
    'io.throughput',
    columns < 2 ? undefined : { ...range, rows: scope, filter, columns },
    { version, everyMs: EVERY_MS },
  )
  const kinds = response?.kinds.toSorted((a, b) => compareKinds(a.kind, b.kind)) ?? []
  return (
    <div ref={boxRef} className={styles.charts}>
      {error === null ? null : <ErrorNotice error={error} tone="warn" />}
      {response === null
        ? null
        : MULTIPLES.map((multiple) => (
            <Chart key={multiple.title} multiple={multiple} response={{ ...response, kinds }} widthPx={widthPx} />
          ))}
      <span className={styles.title}>
        {formatDateTime(range.startTicks, clock, 3)} to {formatDateTime(range.endTicks, clock, 3)}.{' '}
        {kinds.some(({ summedUp }) => summedUp.includes(1))
          ? 'Shaded: also events that are known only from roll-ups, which are not counted; how many ran at once is not known there.'
          : 'No event is known only from a roll-up: all are counted.'}
      </span>
    </div>
  )
}

function Chart({
  multiple: { title, isShown, valueOf, format, heightOf },
  response: { kinds, columnTicks },
  widthPx,
}: {
  readonly multiple: Multiple
  readonly response: IoThroughputResponse
  readonly widthPx: number
}): ReactNode {
  const rows = kinds.flatMap((kind, i) =>
    isShown(kind.kind)
      ? [{ kind: kind.kind, i, values: Array.from(kind.count, (_, column) => valueOf(kind, column, columnTicks)) }]
      : [],
  )
  const known = (values: readonly number[]): readonly number[] => values.filter((value) => !Number.isNaN(value))
  const most = Math.max(0, ...rows.flatMap(({ values }) => known(values)))
  const yOf = (value: number): number => HEIGHT_PX - PAD_PX - heightOf(value, most) * (HEIGHT_PX - 2 * PAD_PX)
  const [firstX, lastX] = [LEFT_PX, widthPx - RIGHT_PX]
  const words = rows.map(
    ({ kind, values }) => `${kindLook(kind).title}: at most ${format(Math.max(0, ...known(values)))}`,
  )
  return (
    <>
      <span className={styles.title}>{title}</span>
      <svg width={widthPx} height={HEIGHT_PX} role="img" aria-label={`${title}. ${words.join('. ')}.`}>
        <Summed kinds={kinds} firstX={firstX} lastX={lastX} />
        <g className={styles.axis}>
          {(most === 0 ? [0] : [0, most]).map((value) => (
            <g key={value}>
              <line x1={firstX} x2={lastX} y1={yOf(value)} y2={yOf(value)} />
              <text x={firstX - 6} y={yOf(value) + 4} textAnchor="end">
                {format(value)}
              </text>
            </g>
          ))}
        </g>
        {rows.map(({ kind, i, values }) => (
          <path
            key={kind}
            className={styles.line}
            {...strokeOf(kind, i)}
            d={
              line<number>()
                .defined((value) => !Number.isNaN(value))
                .x((_, column) => firstX + ((column + 0.5) / values.length) * (lastX - firstX))
                .y(yOf)(values) ?? ''
            }
          />
        ))}
      </svg>
    </>
  )
}

/** Shades what is known only from roll-ups, of any kind. */
function Summed({
  kinds,
  firstX,
  lastX,
}: {
  readonly kinds: readonly IoKindThroughput[]
  readonly firstX: number
  readonly lastX: number
}): ReactNode {
  const columns = kinds[0]?.count.length ?? 0
  const columnPx = (lastX - firstX) / columns
  return Array.from({ length: columns }, (_, column) =>
    kinds.some(({ summedUp }) => summedUp[column] === 1) ? (
      <rect
        key={column}
        className={styles.summed}
        x={firstX + column * columnPx}
        width={columnPx}
        y="0"
        height={HEIGHT_PX}
      />
    ) : null,
  )
}
