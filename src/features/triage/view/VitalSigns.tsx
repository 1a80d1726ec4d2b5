import { formatMoment, formatPercent, formatPerSecond, formatSpanMs } from '../../../base/text/figures.ts'
import { ownCores } from '../../../base/text/cpu-shares.ts'
import { ABOUT_RATES } from './words.ts'
import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPlural,
  formatRate,
  formatShare,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { oursAmong } from '../../../base/text/request-rate.ts'
import { spanFromMs, type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { sparkRange } from '../../../charts/spark/spark-range.ts'
import { Sparkline } from '../../../charts/spark/Sparkline.tsx'
import styles from './parts.module.css'
import { seriesWindow } from '../../../capture/client/requests/series-window.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { cx } from '../../../ui/theme/cx.ts'
import type { SeriesKey, SeriesRows, ServerNow } from '../../../feeds/server/contract.ts'

const SPAN_TICKS = 15 * 60 * TICKS_PER_SECOND
/** Step to which the range is rounded, so that it is not requested again every second. */
const SNAP_TICKS = 15 * TICKS_PER_SECOND
const WIDTH_PX = 180
const KEYS: readonly SeriesKey[] = ['cpu.machine', 'memory.available', 'traffic.requests', 'traffic.averageMs']

interface Sign {
  readonly title: string
  readonly value: string
  readonly more: string
  readonly explains?: string
  /** Drawn as a line. Left out: none is. */
  readonly series?: SeriesKey
  /** Upper end of the scale. Null: the largest value. */
  readonly top?: number | null
}

const NO_TRAFFIC: Omit<NonNullable<ServerNow['traffic']>, 'atTicks'> = {
  requestsPerSecond: null,
  oursPerSecond: null,
  countedOverMs: null,
  writesPerSecond: null,
  averageMs: null,
}

interface VitalSignsProps {
  readonly now: ServerNow
  /** Age of the figures as text. Null: they are fresh. */
  readonly age: string | null
  readonly clock: Clock
}

/**
 * The most important figures, with the last 15 minutes as a line. Without colours for levels, because a high figure
 * alone is not a fault.
 */
export function VitalSigns({ now, age, clock }: VitalSignsProps): ReactNode {
  const endTicks = (Math.ceil((now.nowTicks ?? 0) / SNAP_TICKS) * SNAP_TICKS) as Ticks
  const range = { startTicks: (endTicks - SPAN_TICKS) as Ticks, endTicks }
  const version = Math.floor(endTicks / SNAP_TICKS)
  const params = { ...seriesWindow(range, WIDTH_PX), keys: KEYS }
  const { response } = useRequest('server.series', params, { version, everyMs: 400 })
  const { range: shown, sinceTicks } = sparkRange(response?.series ?? [], range)
  const rows = (key: SeriesKey): SeriesRows | undefined => response?.series.find((each) => each.key === key)
  return (
    <section className="stack" aria-label="Vital signs">
      <div className={cx('wrap', styles.vitalHead)}>
        <h2>Vital signs</h2>
        <span className="note">
          {age === null ? '' : `as of ${age} ago; `}
          {sinceTicks === null
            ? `the last ${formatDuration(SPAN_TICKS)}`
            : `since ${formatMoment(sinceTicks, now.nowTicks, clock)}`}
          : mean, and from least to largest
        </span>
        <span className={cx('wrap', styles.ways)}>
          <PanelLink panel="databases">All databases</PanelLink>
          <PanelLink panel="server">Open Vitals</PanelLink>
        </span>
      </div>
      <dl className={cx('raised', styles.signs)}>
        {signsOf(now).map((sign) => (
          <div key={sign.title} className={cx('column', styles.sign)} title={sign.explains}>
            <dt>{sign.title}</dt>
            <dd className={cx(styles.value, age !== null && 'faint')}>{sign.value}</dd>
            <dd className="note">{sign.more}</dd>
            {sign.series === undefined ? null : (
              <dd className={styles.spark}>
                <Spark rows={rows(sign.series)} range={shown} topValue={sign.top ?? null} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}

interface SparkProps {
  readonly rows: SeriesRows | undefined
  readonly range: TimeRange
  readonly topValue: number | null
}

/** Draws nothing while no series has arrived. */
const Spark = ({ rows, ...props }: SparkProps): ReactNode =>
  rows === undefined ? null : <Sparkline rows={rows} {...props} />

/** In a fixed order, and each from the beginning, so that none moves when the figures of another arrive. */
function signsOf(now: ServerNow): Sign[] {
  const { cpu, memory, traffic, volumes, databases, server } = now
  const fullest = volumes.toSorted((a, b) => a.freeBytes / a.totalBytes - b.freeBytes / b.totalBytes)[0]
  return [
    {
      title: 'CPU of the machine',
      value: cpu === null ? UNKNOWN : formatPercent(cpu.machinePercent),
      more: cpu === null ? '' : `This server: ${formatPercent(cpu.processPercent)} of ${ownCores(cpu)}`,
      series: 'cpu.machine',
      top: 100,
    },
    {
      title: 'Memory available',
      value: memory === null ? UNKNOWN : formatBytes(memory.availableBytes),
      more: memory === null ? '' : `of ${formatBytes(memory.physicalBytes)}; ${formatBytes(memory.freeBytes)} free`,
      series: 'memory.available',
      top: memory?.physicalBytes ?? null,
    },
    ...trafficSigns(traffic),
    {
      title: 'Fullest volume',
      value: fullest === undefined ? UNKNOWN : `${formatShare(fullest.freeBytes / fullest.totalBytes)} free`,
      more: fullest === undefined ? '' : `${formatBytes(fullest.freeBytes)} on ${fullest.mount}`,
    },
    {
      title: 'Databases loaded',
      value: databases === null ? UNKNOWN : `${formatCount(databases.online)} of ${formatCount(databases.total)}`,
      more: databases === null ? '' : formatPlural(databases.indexes, 'index', 'indexes'),
    },
    {
      title: 'Up',
      value: server.upTimeMs === null ? UNKNOWN : formatSpanMs(server.upTimeMs),
      more: server.version === null ? '' : `RavenDB ${server.version}`,
    },
  ]
}

const oursWords = (ours: 'all' | 'some' | 'unknown', oursPerSecond: number | null): string =>
  ours === 'all' ? 'all ours' : ours === 'unknown' ? 'ours included' : `${formatRate(oursPerSecond ?? 0)} ours`

function trafficSigns(traffic: ServerNow['traffic']): Sign[] {
  const { requestsPerSecond, oursPerSecond, countedOverMs, writesPerSecond, averageMs } = traffic ?? NO_TRAFFIC
  const ours = requestsPerSecond === null ? null : oursAmong(requestsPerSecond, oursPerSecond)
  const about = countedOverMs === null ? '≈ ' : ''
  return [
    {
      title: 'Requests',
      value: requestsPerSecond === null ? UNKNOWN : `${about}${formatRate(requestsPerSecond)}`,
      more: [
        ...(ours === null ? [] : [oursWords(ours, oursPerSecond)]),
        ...(writesPerSecond === null ? [] : [`≈ ${formatPerSecond(writesPerSecond)} writes/s`]),
      ].join('; '),
      explains:
        countedOverMs === null
          ? `As the server’s widget reports them, corrected: ${ABOUT_RATES}`
          : `Counted over ${formatSpanMs(countedOverMs)}, requests of this browser’s pages (ours) included. Writes: ${ABOUT_RATES}`,
      series: 'traffic.requests',
    },
    {
      title: 'Recent mean duration',
      value: averageMs === null ? UNKNOWN : formatDuration(spanFromMs(averageMs)),
      more: averageMs === null ? '' : 'of the last seconds that had requests',
      explains:
        'The server’s own mean of requests, over seconds that had some and weighted by age (about 10 s). It keeps its last value while there are none, and short requests of this page pull it down.',
      series: 'traffic.averageMs',
    },
  ]
}
