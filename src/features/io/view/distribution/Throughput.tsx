import { line } from 'd3'
import { useRef, type ReactNode } from 'react'
import { formatDateTime } from '../../../../base/text/format.ts'
import { unknownSpans } from '../../../../capture/client/compare-sides.ts'
import { LateError } from '../../../../capture/frame/notices/LateError.tsx'
import type { Gap } from '../../../../capture/client/state.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useElementSize } from '../../../../ui/hooks/useElementSize.ts'
import type {
  IoKindThroughput,
  IoThroughputParams,
  IoThroughputResponse,
} from '../../../../feeds/io/contract/density.ts'
import { compareKinds, kindLook } from '../timeline/kinds.ts'
import styles from './distribution.module.css'
import {
  describeLeftOut,
  describeMost,
  mostOf,
  MULTIPLES,
  unknownColumns,
  valuesOf,
  type Multiple,
  type UnknownSpan,
} from './multiples.ts'
import type { EventsInView } from './Sizes.tsx'
import { strokeOf } from './strokes.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const EVERY_MS = 1000
const COLUMN_PX = 4
const HEIGHT_PX = 74
const LEFT_PX = 76
const RIGHT_PX = 12
const PAD_PX = 6

interface ThroughputProps extends EventsInView {
  readonly gaps: readonly Gap[]
}

/** Events and bytes per second, concurrent events, and the slowest event, over the range in view, by kind. */
export function Throughput({ scope, range, filter, gaps, version, clock }: ThroughputProps): ReactNode {
  const boxRef = useRef<HTMLDivElement>(null)
  const size = useElementSize(boxRef)
  const widthPx = Math.floor(size?.widthPx ?? 0)
  const columns = Math.floor((widthPx - LEFT_PX - RIGHT_PX) / COLUMN_PX)
  const { response, params, error } = useRequest(
    'io.throughput',
    columns < 2 ? undefined : { ...range, rows: scope, filter, columns },
    { version, everyMs: EVERY_MS },
  )
  const kinds = response?.kinds.toSorted((a, b) => compareKinds(a.kind, b.kind)) ?? []
  // The drawn response may belong to the previous range (while live, it always does), so that range is named.
  const isOfFilter = params !== null && JSON.stringify([params.rows, params.filter]) === JSON.stringify([scope, filter])
  const unknown = unknownSpans(gaps, scope.sources, params ?? range)
  return (
    <div ref={boxRef} className={cx('stack', styles.charts)}>
      <LateError error={error} />
      {response === null || params === null
        ? null
        : MULTIPLES.map((multiple) => (
            <Chart
              key={multiple.title}
              multiple={multiple}
              response={{ ...response, kinds }}
              params={params}
              unknown={unknown}
              widthPx={widthPx}
            />
          ))}
      <span className="faint">
        {formatDateTime((params ?? range).startTicks, clock, 3)} to{' '}
        {formatDateTime((params ?? range).endTicks, clock, 3)}.{' '}
        {describeLeftOut(response, unknown.length > 0, isOfFilter && error === null)}
      </span>
    </div>
  )
}

interface ChartProps {
  readonly multiple: Multiple
  readonly response: IoThroughputResponse
  /** Parameters that the response belongs to. */
  readonly params: IoThroughputParams
  readonly unknown: readonly UnknownSpan[]
  readonly widthPx: number
}

function Chart({ multiple, response: { kinds, columnTicks }, params, unknown, widthPx }: ChartProps): ReactNode {
  const { title, isShown, format, heightOf } = multiple
  const isUnknown = (kind: string | null): readonly boolean[] =>
    unknownColumns(unknown, params, columnTicks, params.columns, kind)
  const rows = kinds.flatMap((kind, i) =>
    isShown(kind.kind)
      ? [{ kind: kind.kind, i, values: valuesOf(multiple, kind, columnTicks, isUnknown(kind.kind)) }]
      : [],
  )
  const most = Math.max(0, ...rows.map(({ values }) => mostOf(values)).filter((each) => !Number.isNaN(each)))
  const yOf = (value: number): number => HEIGHT_PX - PAD_PX - heightOf(value, most) * (HEIGHT_PX - 2 * PAD_PX)
  const [firstX, lastX] = [LEFT_PX, widthPx - RIGHT_PX]
  const words = rows.map(({ kind, values }) => `${kindLook(kind).title}: ${describeMost(multiple, mostOf(values))}`)
  return (
    <>
      <span className="faint">{title}</span>
      <svg width={widthPx} height={HEIGHT_PX} role="img" aria-label={`${title}. ${words.join('. ')}.`}>
        <Shades kinds={kinds} isUnknown={isUnknown(null)} firstX={firstX} lastX={lastX} />
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

interface ShadesProps {
  readonly kinds: readonly IoKindThroughput[]
  /** Whether a column is unknown, by column. */
  readonly isUnknown: readonly boolean[]
  readonly firstX: number
  readonly lastX: number
}

/** Shades times that are known only from roll-ups, or not at all, for any kind. */
function Shades({ kinds, isUnknown, firstX, lastX }: ShadesProps): ReactNode {
  const columnPx = (lastX - firstX) / isUnknown.length
  return Array.from({ length: isUnknown.length }, (_, column) =>
    isUnknown[column] === true || kinds.some(({ summedUp }) => summedUp[column] === 1) ? (
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
