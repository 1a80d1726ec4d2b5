import { useRef, type ReactNode } from 'react'
import { formatCount, formatDuration, formatShare } from '../../../../base/text/format.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { LateError } from '../../../../capture/frame/notices/LateError.tsx'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useElementSize } from '../../../../ui/hooks/useElementSize.ts'
import { Spinner } from '../../../../ui/Progress.tsx'
import type { IoDistributionResponse } from '../../../../feeds/io/contract/density.ts'
import type { IoSummaryResponse } from '../../../../feeds/io/contract/summary.ts'
import { compareKinds, kindLook } from '../timeline/kinds.ts'
import { cumulativeOf, curveLine, decadesOf, densityOf, stepArea, ticksOf, type CurveScale } from './curves.ts'
import styles from './distribution.module.css'
import { Sizes, type EventsInView } from './Sizes.tsx'
import { DASHES, strokeOf } from './strokes.ts'
import { Throughput } from './Throughput.tsx'
import { cx } from '../../../../ui/theme/cx.ts'

/** Minimum time between two counts, ms. */
const EVERY_MS = 1000
const HEIGHT_PX = 150
const LEFT_PX = 44
/** Half the width of the widest label of the last decade. */
const RIGHT_PX = 26
const TOP_PX = 10
const FOOT_PX = 22

interface DistributionProps extends EventsInView {
  readonly gaps: readonly Gap[]
  /** Summary whose percentiles are marked; null: not known yet. */
  readonly summary: IoSummaryResponse | null
}

/** Durations of the events in view, by kind: share at each duration and below it, with percentiles. */
export default function Distribution({ gaps, summary, ...events }: DistributionProps): ReactNode {
  const { scope, range, filter, version } = events
  const { response, error } = useRequest(
    'io.distribution',
    { ...range, rows: scope, filter },
    { version, everyMs: EVERY_MS },
  )
  const boxRef = useRef<HTMLDivElement>(null)
  const size = useElementSize(boxRef)
  const widthPx = Math.floor(size?.widthPx ?? 0)
  const kinds = response?.kinds.toSorted((a, b) => compareKinds(a.kind, b.kind)) ?? []
  return (
    <section aria-label="Distribution of durations" className={cx('raised', 'stack', styles.distribution)}>
      <LateError error={error} />
      <div className={cx('wrap', styles.keys)}>
        {kinds.map(({ kind, counts }, i) => (
          <span key={kind} className={cx('inline', styles.key)}>
            <svg width="26" height="8" aria-hidden="true">
              <line x1="0" y1="4" x2="26" y2="4" className={styles.line} {...strokeOf(kind, i)} />
            </svg>
            {kindLook(kind).title} {formatCount(counts.reduce((sum, count) => sum + count, 0))}
          </span>
        ))}
      </div>
      <div ref={boxRef} className={cx('stack', styles.charts)}>
        {response === null ? (
          <Spinner>Counting …</Spinner>
        ) : widthPx < 2 * (LEFT_PX + RIGHT_PX) ? null : (
          <Charts response={{ ...response, kinds }} summary={summary} widthPx={widthPx} />
        )}
      </div>
      <Sizes {...events} />
      <Throughput {...events} gaps={gaps} />
    </section>
  )
}

interface ChartsProps {
  readonly response: IoDistributionResponse
  readonly summary: IoSummaryResponse | null
  readonly widthPx: number
}

function Charts({ response: { first, kinds }, summary, widthPx }: ChartsProps): ReactNode {
  const steps = kinds[0]?.counts.length ?? 0
  if (steps === 0) return null
  const [from, to] = [Math.log10(ticksOf(first, 0)), Math.log10(ticksOf(first, steps))]
  const xOf = (ticks: number): number =>
    LEFT_PX + ((Math.log10(Math.max(1, ticks)) - from) / (to - from)) * (widthPx - LEFT_PX - RIGHT_PX)
  const densities = kinds.map(({ counts }) => densityOf(counts, first))
  const most = Math.max(...densities.flatMap((points) => points.map(({ share }) => share)))
  const scaleTo = (top: number): CurveScale => ({
    xOf,
    yOf: (share) => TOP_PX + (1 - share / top) * (HEIGHT_PX - TOP_PX - FOOT_PX),
  })
  const [density, cumulative] = [scaleTo(most), scaleTo(1)]
  const decades = decadesOf(first, steps)
  const percentiles = kinds.map(({ kind }) => percentilesOf(summary, kind))
  const words = kinds
    .map(({ kind }, i) => {
      const at = (share: number): number => percentiles[i]?.find((each) => each.share === share)?.ticks ?? Number.NaN
      return `${kindLook(kind).title}: p50 ${formatDuration(at(0.5))}, p99 ${formatDuration(at(0.99))}`
    })
    .join('. ')
  return (
    <>
      <span className="faint">Share of events by duration</span>
      <svg width={widthPx} height={HEIGHT_PX} role="img" aria-label={`Share of events by duration. ${words}.`}>
        <Axis decades={decades} scale={density} shares={[0, most / 2, most]} widthPx={widthPx} />
        {densities.map((points, i) => {
          const { kind } = kinds[i] as { readonly kind: string }
          return (
            <path
              key={kind}
              d={stepArea(points, density)}
              className={styles.area}
              style={{ fill: `var(${kindLook(kind).token})`, stroke: `var(${kindLook(kind).token})` }}
              strokeDasharray={DASHES[i % DASHES.length]}
            />
          )
        })}
      </svg>
      <span className="faint">Share of events that take less; dots: p50, p90, p99, p99.9</span>
      <svg width={widthPx} height={HEIGHT_PX} role="img" aria-label={`Share of events that take less. ${words}.`}>
        <Axis decades={decades} scale={cumulative} shares={[0, 0.5, 0.9, 1]} widthPx={widthPx} />
        {kinds.map(({ kind, counts }, i) => (
          <g key={kind}>
            <path
              d={curveLine(cumulativeOf(counts, first), cumulative)}
              className={styles.line}
              {...strokeOf(kind, i)}
            />
            {(percentiles[i] ?? []).map(({ share, ticks }) =>
              Number.isNaN(ticks) ? null : (
                <circle
                  key={share}
                  cx={xOf(ticks)}
                  cy={cumulative.yOf(share)}
                  r="3"
                  style={{ fill: `var(${kindLook(kind).token})` }}
                >
                  <title>{`${kindLook(kind).title}: ${formatShare(share)} take at most ${formatDuration(ticks)}`}</title>
                </circle>
              ),
            )}
          </g>
        ))}
      </svg>
    </>
  )
}

/** Percentiles from the summary; empty if it is not known. */
function percentilesOf(
  summary: IoSummaryResponse | null,
  kind: string,
): readonly { readonly share: number; readonly ticks: number }[] {
  const found = summary?.kinds.find((each) => each.kind === kind)
  if (found === undefined) return []
  return [
    { share: 0.5, ticks: found.p50Ticks },
    { share: 0.9, ticks: found.p90Ticks },
    { share: 0.99, ticks: found.p99Ticks },
    { share: 0.999, ticks: found.p999Ticks },
  ]
}

interface AxisProps {
  readonly decades: readonly number[]
  readonly scale: CurveScale
  readonly shares: readonly number[]
  readonly widthPx: number
}

function Axis({ decades, scale: { xOf, yOf }, shares, widthPx }: AxisProps): ReactNode {
  return (
    <g className={styles.axis}>
      {shares.map((share) => (
        <g key={share}>
          <line x1={LEFT_PX} x2={widthPx - RIGHT_PX} y1={yOf(share)} y2={yOf(share)} />
          <text x={LEFT_PX - 6} y={yOf(share) + 4} textAnchor="end">
            {formatShare(share)}
          </text>
        </g>
      ))}
      {decades.map((ticks) => (
        <g key={ticks}>
          <line x1={xOf(ticks)} x2={xOf(ticks)} y1={TOP_PX} y2={HEIGHT_PX - FOOT_PX} />
          <text x={xOf(ticks)} y={HEIGHT_PX - 6} textAnchor="middle">
            {formatDuration(ticks)}
          </text>
        </g>
      ))}
    </g>
  )
}
