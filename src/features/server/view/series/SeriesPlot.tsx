import { useState, type ReactNode } from 'react'
import type { Ticks } from '../../../../base/brand.ts'
import { formatCount, formatDateTime, formatTime, type Clock } from '../../../../base/text/format.ts'
import { TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { Viewport } from '../../../../capture/frame/useViewport.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import type { Hover } from '../../../../charts/canvas/CanvasHost.tsx'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { HoverBox } from '../../../../charts/canvas/HoverBox.tsx'
import { LanePlot, type LaneSight } from '../../../../charts/timeline/lanes/LanePlot.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { drawOverlay, drawPlot, type ServerPicture } from './draw.ts'
import { rowAt, type PlotRow } from './layout.ts'
import { SeriesSwatch } from './SeriesSwatch.tsx'
import { rowNear, summariseSeries } from './series.ts'
import { formatBeat, formatUnit } from '../units.ts'
import hidden from '../../../../ui/hidden.module.css'
import styles from './plot.module.css'

export interface SeriesPlotProps {
  readonly picture: Omit<ServerPicture, 'scrollPx'>
  readonly viewport: Viewport
  readonly clock: Clock
  readonly describedBy: string
  readonly onToggle: (groupId: string) => void
  readonly onWidth: (widthPx: number) => void
}

interface Hit {
  readonly row: PlotRow
  readonly atTicks: Ticks
}

const STEP = 0.15

/** All series under each other on the common axis. What the pointer is over is told by a card, for every series of that row. */
export function SeriesPlot({ picture, viewport, clock, describedBy, onToggle, onWidth }: SeriesPlotProps): ReactNode {
  const { layout, scale } = picture
  const [sight, setSight] = useState<LaneSight>({ scrollPx: 0, heightPx: 0, widthPx: 0 })
  const [pointed, setPointed] = useState<{ readonly hit: Hit; readonly at: Point } | null>(null)
  const full: ServerPicture = { ...picture, scrollPx: sight.scrollPx }
  const heightPx = sight.heightPx + AXIS_PX
  const hitTest = (at: Point): Hit | null => {
    if (at.yPx < AXIS_PX) return null
    const row = rowAt(layout, at.yPx - AXIS_PX + sight.scrollPx)
    return row === null ? null : { row, atTicks: scale.toTicks(at.xPx) }
  }
  const pan = (by: number) => () => viewport.pan(by * scale.widthPx * STEP)
  const zoom = (factor: number) => () => viewport.zoom(factor)
  return (
    <LanePlot<Hit>
      label="Figures of the server over time"
      describedBy={describedBy}
      contentPx={layout.heightPx}
      gutter={layout.rows
        .filter((row) => row.topPx + row.heightPx > sight.scrollPx && row.topPx < sight.scrollPx + sight.heightPx + 1)
        .map((row) => (
          <div key={row.key} className={styles.row} style={{ top: row.topPx - sight.scrollPx, height: row.heightPx }}>
            <RowName row={row} picture={full} onToggle={onToggle} />
          </div>
        ))}
      draw={(context) => drawPlot(context, heightPx, full)}
      drawOverlay={(context, _frame, hover: Hover<Hit> | null) =>
        drawOverlay(context, heightPx, full, hover?.at.xPx ?? null)
      }
      hitTest={hitTest}
      keys={() => ({
        ArrowLeft: pan(-1),
        ArrowRight: pan(1),
        a: pan(-1),
        d: pan(1),
        w: zoom(0.7),
        s: zoom(1 / 0.7),
        '+': zoom(0.7),
        '=': zoom(0.7),
        '-': zoom(1 / 0.7),
        '0': viewport.fit,
        Home: () => viewport.pan(-1e9),
        End: viewport.goLive,
      })}
      onPoint={setPointed}
      onClick={() => undefined}
      onPan={viewport.pan}
      onZoom={viewport.zoom}
      onSight={(next) => {
        setSight(next)
        onWidth(next.widthPx)
      }}
    >
      {pointed === null || pointed.hit.row.chart === null ? null : (
        <HoverBox at={pointed.at}>
          <PointCard hit={pointed.hit} picture={full} clock={clock} />
        </HoverBox>
      )}
    </LanePlot>
  )
}

function RowName({
  row,
  picture,
  onToggle,
}: {
  readonly row: PlotRow
  readonly picture: ServerPicture
  readonly onToggle: (groupId: string) => void
}): ReactNode {
  const { chart, group } = row
  if (chart === null)
    return (
      <button
        type="button"
        className={styles.group}
        aria-expanded={row.expanded}
        title={group.title}
        onClick={() => onToggle(group.id)}
      >
        <span className={styles.chevron}>
          <Icon name="chevron" sizePx={12} />
        </span>
        <bdi className={styles.words}>{group.title}</bdi>
      </button>
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
            <li key={info.key} className={styles.line}>
              <SeriesSwatch position={position} />
              <span className={styles.words} title={info.label}>
                {info.label}
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

/** Mean, least and largest of each series there, of how many samples, and how coarse that is. */
function PointCard({
  hit,
  picture,
  clock,
}: {
  readonly hit: Hit
  readonly picture: ServerPicture
  readonly clock: Clock
}): ReactNode {
  const { chart } = hit.row
  if (chart === null) return null
  const isDetail = chart.series.every(({ isVital }) => !isVital)
  const gap = picture.gaps.find(
    (each) => hit.atTicks >= each.startTicks && hit.atTicks < each.endTicks && (each.lane === null || isDetail),
  )
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
        <table className={styles.cardTable}>
          <thead>
            <tr>
              <th scope="col">
                <span className={hidden.visuallyHidden}>Series</span>
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
