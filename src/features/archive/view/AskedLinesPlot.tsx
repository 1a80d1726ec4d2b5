import { useState, type ReactNode } from 'react'
import { formatCount, formatDateTime, formatPlural } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { HoverBox } from '../../../charts/canvas/HoverBox.tsx'
import type { Point } from '../../../charts/canvas/gestures.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { buildTimeScale, NO_FOLDS, panBy, zoomAbout } from '../../../charts/scale.ts'
import { SeriesSwatch } from '../../../charts/series/SeriesSwatch.tsx'
import { LanePlot } from '../../../charts/timeline/lanes/LanePlot.tsx'
import { formatValue, type AskedLines } from './asked-chart.ts'
import { drawAsked, drawRing, nearestPoint, paddedRange, type AskedHit, type AskedPicture } from './asked-draw.ts'
import styles from './asked-chart.module.css'

interface AskedLinesPlotProps {
  readonly lines: AskedLines
  /** Name of the shown column. */
  readonly what: string
  /** Called with the index of a row. */
  readonly onShow?: (row: number) => void
}

const ZOOM_STEP = 1.5
const PAN_SHARE = 0.2

/** Lines over time, which are zoomed and moved as a timeline is. Arrow keys go from point to point. */
export function AskedLinesPlot({ lines, what, onShow }: AskedLinesPlotProps): ReactNode {
  const tokens = useCanvasTokens()
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 })
  const [moved, setMoved] = useState<TimeRange | null>(null)
  const [pointed, setPointed] = useState<{ readonly hit: AskedHit; readonly at: Point } | null>(null)
  const [focused, setFocused] = useState<AskedHit | null>(null)
  if (lines.range === null)
    return <p className="note">No row has both a time and a value: {formatPlural(lines.unknown, 'row')} without.</p>
  const whole = paddedRange(lines.range)
  const scale = buildTimeScale({ range: moved ?? whole, widthPx: size.widthPx })
  const picture: AskedPicture = { lines, scale, heightPx: size.heightPx, tokens }
  const inOrder = lines.series
    .flatMap(({ points }, series) => points.map((point) => ({ series, point })))
    .toSorted((a, b) => a.point.ticks - b.point.ticks || a.series - b.series)
  const describe = ({ series, point }: AskedHit): string =>
    [lines.series[series]?.name, formatDateTime(point.ticks, 'utc', 0), `${what} ${formatValue(point.value)}`]
      .filter((part) => part !== '')
      .join(', ')
  const zoom = (factor: number, anchorPx: number): void => setMoved(zoomAbout(scale, NO_FOLDS, anchorPx, factor, whole))
  const pan = (byPx: number): void => setMoved(panBy(scale, NO_FOLDS, byPx, whole))
  const focusOn = (index: number): void => {
    const hit = inOrder[Math.max(0, Math.min(inOrder.length - 1, index))] ?? null
    setFocused(hit)
    if (hit === null || (hit.point.ticks >= scale.range.startTicks && hit.point.ticks <= scale.range.endTicks)) return
    pan(scale.toPx(hit.point.ticks) - size.widthPx / 2)
  }
  const focusedAt = inOrder.findIndex(({ point }) => point === focused?.point)
  const middlePx = focused === null ? size.widthPx / 2 : scale.toPx(focused.point.ticks)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => focusOn(focusedAt + 1),
    ArrowLeft: () => focusOn(focusedAt === -1 ? inOrder.length - 1 : focusedAt - 1),
    Home: () => focusOn(0),
    End: () => focusOn(inOrder.length - 1),
    '+': () => zoom(1 / ZOOM_STEP, middlePx),
    '-': () => zoom(ZOOM_STEP, middlePx),
    '0': () => setMoved(null),
    PageUp: () => pan(-size.widthPx * PAN_SHARE),
    PageDown: () => pan(size.widthPx * PAN_SHARE),
    ...(focused === null || onShow === undefined ? {} : { Enter: () => onShow(focused.point.row) }),
  }
  return (
    <>
      <div className={styles.plot}>
        <LanePlot<AskedHit>
          label={`${what} over time`}
          describedBy="asked-chart-keys"
          contentPx={0}
          gutter={null}
          draw={(context) => drawAsked(context, picture)}
          drawOverlay={(context, _frame, hover) => {
            if (focused !== null) drawRing(context, picture, focused, tokens.focus)
            if (hover !== null && hover.hit !== null) drawRing(context, picture, hover.hit, tokens.fg)
          }}
          hitTest={(at) => nearestPoint(picture, at)}
          onSight={({ widthPx, heightPx }) => setSize({ widthPx, heightPx })}
          onPoint={setPointed}
          onClick={({ hit }) => {
            setPointed(null)
            if (hit !== null) onShow?.(hit.point.row)
          }}
          onPan={pan}
          onZoom={zoom}
          keys={() => keys}
        >
          {pointed === null ? null : <HoverBox at={pointed.at}>{describe(pointed.hit)}</HoverBox>}
        </LanePlot>
      </div>
      <Legend lines={lines} />
      <p className="spoken" id="asked-chart-keys">
        Left and right arrow go from point to point
        {onShow === undefined ? '' : ', Enter shows its time on the timeline'}; plus, minus and 0 zoom, Page Up and Page
        Down move. The table has the same rows.
      </p>
      <p className="spoken" aria-live="polite">
        {focused === null ? '' : describe(focused)}
      </p>
    </>
  )
}

function Legend({ lines: { series, all, unknown } }: Pick<AskedLinesPlotProps, 'lines'>): ReactNode {
  const notes = [
    ...(all > series.length ? [`The ${formatCount(series.length)} highest of ${formatPlural(all, 'line')}.`] : []),
    ...(unknown > 0 ? [`${formatPlural(unknown, 'row')} without a value.`] : []),
  ]
  return (
    <div className="row">
      {series.length === 1 && series[0]?.name === ''
        ? null
        : series.map(({ name }, position) => (
            <span key={name} className={styles.key} title={name}>
              <SeriesSwatch position={position} /> <bdi className="cut">{name === '' ? '(no name)' : name}</bdi>
            </span>
          ))}
      {notes.length === 0 ? null : <span className="note">{notes.join(' ')}</span>}
    </div>
  )
}
