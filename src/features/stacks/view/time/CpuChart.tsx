import type { ReactNode } from 'react'
import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import { formatDateTime, type Clock } from '../../../../base/text/format.ts'
import { useMoving, type Viewport } from '../../../../capture/frame/range/useViewport.ts'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { useLanes } from '../../../../charts/timeline/lanes/useLanes.ts'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import type { JobKey } from '../../contract/ids.ts'
import type { HistoryResponse } from '../../contract/live.ts'
import { cpuBands, receivedSpans, layoutCpu, RESTS, sumUp, type CpuBand } from './cpu-areas.ts'
import { bandColour, CPU_LANES, type SnapshotMark, type CpuHit, type CpuPicture } from './cpu-draw.ts'
import styles from './cpu.module.css'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { formatPercent } from '../words.ts'

export interface CpuChartProps {
  readonly viewport: Viewport
  readonly clock: Clock
  readonly version: number
  readonly snapshots: readonly SnapshotMark[]
  readonly chosenJobs: readonly JobKey[]
  readonly onWidth: (widthPx: number) => void
  readonly onSnapshot: (mark: SnapshotMark) => void
  readonly onJob: (key: JobKey) => void
  /** Lanes below, on the axis of the chart. */
  readonly children?: ReactNode
}

const EMPTY_HISTORY: HistoryResponse = {
  bucketTicks: 1 as TickSpan,
  startTicks: new Float64Array(0),
  jobs: [],
  others: new Float32Array(0),
  restOfProcess: new Float32Array(0),
  restOfMachine: new Float32Array(0),
  idle: new Float32Array(0),
}

/** Jobs drawn on their own. */
const JOBS = 5
/** A bucket is at least so wide: a list comes each second. */
const BUCKET_PX = 2

/** CPU of the whole machine over time: which job, the rest of the process, the rest of the machine. With its snapshots. */
export function CpuChart(props: CpuChartProps): ReactNode {
  const { clock, snapshots } = props
  const viewport = useMoving(props.viewport)
  const { scale, range } = viewport
  const tokens = useCanvasTokens()
  const lanes = useLanes()
  const { sight } = lanes
  const widthPx = Math.max(1, Math.round(sight.widthPx / BUCKET_PX)) as CssPx
  const { response } = useRequest(
    'threads.history',
    sight.widthPx > 0 ? { startTicks: range.startTicks, endTicks: range.endTicks, widthPx, limit: JOBS } : undefined,
    { version: props.version, everyMs: 250 },
  )
  const history = response ?? EMPTY_HISTORY
  const bands = cpuBands(history)
  const lane = [{ key: 'cpu', topPx: 0, heightPx: sight.heightPx }]
  const picture: CpuPicture = {
    layout: { rows: lane, tracks: lane, heightPx: sight.heightPx },
    scale,
    tokens,
    clock,
    scrollPx: 0,
    gaps: [],
    known: null,
    history,
    cpuBands: bands,
    bands: layoutCpu(history, bands, scale, sight.heightPx),
    received: receivedSpans(history),
    snapshots,
  }
  return (
    <div className={styles.time}>
      <div className={styles.cpu}>
        <CpuLegend bands={bands} history={history} chosen={props.chosenJobs} onJob={props.onJob} />
        <div className={styles.plot}>
          <LaneTimeline
            label="CPU of the machine by job over time"
            lanes={lanes}
            contract={CPU_LANES}
            picture={picture}
            viewport={viewport}
            renderCard={(hit) =>
              hit.type === 'snapshot' ? (
                <>
                  <p>Snapshot of {formatDateTime(hit.mark.atTicks as Ticks, clock, 3)}</p>
                  <p className="faint">Click selects it.</p>
                </>
              ) : (
                <BucketCard history={history} bands={bands} hit={hit} clock={clock} />
              )
            }
            describe={() => ''}
            onSelect={(hit) => {
              if (hit === null || !('type' in hit)) return
              if (hit.type === 'snapshot') props.onSnapshot(hit.mark)
              else if (hit.band !== null && hit.band.job !== null) props.onJob(hit.band.key)
            }}
            onWidth={props.onWidth}
          />
        </div>
      </div>
      {props.children}
    </div>
  )
}

function BucketCard({
  history,
  bands,
  hit,
  clock,
}: {
  readonly history: HistoryResponse
  readonly bands: readonly CpuBand[]
  readonly hit: CpuHit & { readonly type: 'bucket' }
  readonly clock: Clock
}): ReactNode {
  const tokens = useCanvasTokens()
  const at = (history.startTicks[hit.bucket] ?? Number.NaN) as Ticks
  return (
    <>
      <p className="faint">{formatDateTime(at, clock, 0)}</p>
      <table className={cx('figures', styles.figures)}>
        <tbody>
          {bands.toReversed().map((band) => {
            const percent = band.percent[hit.bucket] ?? Number.NaN
            return percent > 0 ? (
              <tr key={band.key} className={band === hit.band ? styles.here : undefined}>
                <th scope="row">
                  <span
                    className={styles.swatch}
                    data-pattern={band.pattern}
                    style={{ backgroundColor: bandColour(tokens, band) }}
                  />{' '}
                  {band.title}
                </th>
                <td>{formatPercent(percent)}</td>
              </tr>
            ) : null
          })}
          <tr className={hit.band === null ? styles.here : undefined}>
            <th scope="row">Idle</th>
            <td>{formatPercent(history.idle[hit.bucket] ?? Number.NaN)}</td>
          </tr>
        </tbody>
      </table>
    </>
  )
}

const NOT_REPORTED = 'The CPU of the whole machine comes from the server’s dashboard, which sent no data in this range.'

/** Names of the bands with their mean in the range: the legend and the table twin at once. */
function CpuLegend({
  bands,
  history,
  chosen,
  onJob,
}: {
  readonly bands: readonly CpuBand[]
  readonly history: HistoryResponse
  readonly chosen: readonly JobKey[]
  readonly onJob: (key: JobKey) => void
}): ReactNode {
  const tokens = useCanvasTokens()
  const rows = [...bands, null]
  const hasData = !Number.isNaN(sumUp(history.others).mean)
  return (
    <div className={styles.legend}>
      <table className={cx('figures', styles.figures, styles.fixed)} aria-label="CPU of the machine in this range">
        <thead>
          <tr>
            <th scope="col">CPU of the machine</th>
            <th scope="col">mean</th>
            <th scope="col">most</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((band) => {
            const { mean, most } = sumUp(band === null ? history.idle : band.percent)
            const isRest = band === null || RESTS.has(band.key)
            if (!(mean > 0) && !(isRest && hasData)) return null
            return (
              <tr key={band?.key ?? 'idle'} title={Number.isNaN(mean) ? NOT_REPORTED : undefined}>
                <th scope="row">
                  <span className={cx('line', styles.label)}>
                    <span
                      className={styles.swatch}
                      data-pattern={band?.pattern ?? 'none'}
                      style={{ backgroundColor: band === null ? 'transparent' : bandColour(tokens, band) }}
                    />
                    {band === null || band.job === null ? (
                      <span className={styles.title}>{band?.title ?? 'Idle'}</span>
                    ) : (
                      <button
                        type="button"
                        className={cx('cut bare', styles.job)}
                        aria-pressed={chosen.includes(band.key)}
                        title={`${band.title}: show only its threads`}
                        onClick={() => onJob(band.key)}
                      >
                        {band.title}
                      </button>
                    )}
                  </span>
                </th>
                <td>{formatPercent(mean)}</td>
                <td>{formatPercent(most)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
