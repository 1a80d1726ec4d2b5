import { formatBeat } from '../../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import { formatCount, formatDateTime, formatTime, type Clock } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { useMoving, type Viewport } from '../../../../capture/frame/range/useViewport.ts'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { useLanes } from '../../../../charts/timeline/lanes/useLanes.ts'
import { LaneName } from '../../../../ui/lanes/LaneName.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { shortLabel } from './charts.ts'
import { SERIES_LANES, type SeriesHit, type ServerPicture } from './draw.ts'
import type { PlotRow } from './layout.ts'
import { SeriesSwatch } from '../../../../charts/series/SeriesSwatch.tsx'
import { rowNear, summariseSeries } from './series.ts'
import { formatUnit } from '../../../../base/text/format-unit.ts'
import styles from './plot.module.css'

export interface SeriesPlotProps {
  readonly picture: Omit<ServerPicture, 'scale' | 'scrollPx'>
  readonly viewport: Viewport
  readonly clock: Clock
  readonly describedBy: string
  readonly onToggle: (groupId: string) => void
  readonly onWidth: (widthPx: number) => void
}

/**
 * All charts below each other on the shared time axis. A card shows the values at the pointer, for every series of the
 * row under it.
 */
export function SeriesPlot(props: SeriesPlotProps): ReactNode {
  const { clock, describedBy, onToggle, onWidth } = props
  const viewport = useMoving(props.viewport)
  const lanes = useLanes()
  const full: ServerPicture = { ...props.picture, scale: viewport.scale, scrollPx: lanes.sight.scrollPx }
  const renderCard = (hit: SeriesHit): ReactNode =>
    hit.row.chart === null ? null : <PointCard hit={hit} picture={full} clock={clock} />
  return (
    <LaneTimeline
      label="Figures of the server over time"
      describedBy={describedBy}
      lanes={lanes}
      contract={SERIES_LANES}
      picture={full}
      viewport={viewport}
      renderName={(row) => <RowName row={row} picture={full} onToggle={onToggle} />}
      renderCard={renderCard}
      describe={() => ''}
      onSelect={() => undefined}
      onWidth={onWidth}
    />
  )
}

interface RowNameProps {
  readonly row: PlotRow
  readonly picture: ServerPicture
  readonly onToggle: (groupId: string) => void
}

function RowName({ row, picture, onToggle }: RowNameProps): ReactNode {
  const { chart, group } = row
  if (chart === null)
    return (
      <LaneName level="source" title={group.title} expanded={row.expanded} onToggle={() => onToggle(group.id)}>
        {group.title}
      </LaneName>
    )
  return (
    <div className={styles.chart} title={chart.explains}>
      {chart.series.length === 1 && chart.series[0]?.label === chart.title ? null : (
        <p className={styles.title}>{chart.title}</p>
      )}
      <ul className={styles.series}>
        {chart.series.map((info, position) => {
          const rows = picture.series.get(info.key)
          const newest = rows === undefined ? Number.NaN : summariseSeries(rows, picture.scale.range).newest
          return (
            <li key={info.key} className={cx('line', styles.line)}>
              <SeriesSwatch position={position} />
              <span className={cx('cut', styles.words)} title={info.label}>
                {shortLabel(info)}
              </span>
              <span className={cx(styles.figure, Number.isNaN(newest) && styles.faint)}>
                {formatUnit(newest, info.unit)}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface PointCardProps {
  readonly hit: SeriesHit
  readonly picture: ServerPicture
  readonly clock: Clock
}

/** Mean, minimum and maximum of each series at the pointer, with the number of samples and the length of the bucket. */
function PointCard({ hit, picture, clock }: PointCardProps): ReactNode {
  const { chart } = hit.row
  if (chart === null) return null
  const gap = picture.gaps.find(
    ({ gap: each, topPx, heightPx }) =>
      hit.atTicks >= each.startTicks &&
      hit.atTicks < each.endTicks &&
      hit.row.topPx >= topPx &&
      hit.row.topPx < topPx + heightPx,
  )?.gap
  const found = chart.series.map((info, position) => {
    const rows = picture.series.get(info.key)
    return { info, position, rows, at: rows === undefined ? -1 : rowNear(rows, hit.atTicks) }
  })
  const first = found.find(({ at }) => at >= 0)
  const start = first?.rows?.startTicks[first.at]
  return (
    <div className={styles.card}>
      <p className={styles.title}>
        {chart.title} · {formatDateTime((start ?? hit.atTicks) as Ticks, clock, 0)}
        {first?.rows === undefined || first.rows.bucketTicks <= TICKS_PER_SECOND
          ? ''
          : ` – ${formatTime(((start ?? 0) + first.rows.bucketTicks) as Ticks, clock, 0)}`}
      </p>
      {first === undefined ? (
        <p>{gap === undefined ? 'No data at this moment.' : `No data: ${gap.detail}`}</p>
      ) : (
        <table className={cx('figures', styles.cardTable)}>
          <thead>
            <tr>
              <th scope="col">
                <span className="spoken">Series</span>
              </th>
              <th scope="col">Mean</th>
              <th scope="col">Least</th>
              <th scope="col">Largest</th>
              <th scope="col">Samples</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ info, position, rows, at }) => (
              <tr key={info.key}>
                <th scope="row">
                  <SeriesSwatch position={position} /> {info.label}
                </th>
                <td>{formatUnit(rows?.mean[at] ?? Number.NaN, info.unit)}</td>
                <td>{formatUnit(rows?.min[at] ?? Number.NaN, info.unit)}</td>
                <td>{formatUnit(rows?.max[at] ?? Number.NaN, info.unit)}</td>
                <td>{formatCount(rows?.count[at] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.note}>{chart.explains}</p>
      {first?.rows === undefined ? null : (
        <p className={styles.note}>
          Each point is {formatBeat(first.rows.bucketTicks)}, from what was kept every{' '}
          {formatBeat(first.rows.tierSeconds * TICKS_PER_SECOND)}.
        </p>
      )}
    </div>
  )
}
