import { useState, type ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { Asked } from './asked.ts'
import { type AskedShape, barsOf, firstValueOf, formatValue, linesOf, shapeOf } from './asked-chart.ts'
import { AskedLinesPlot } from './AskedLinesPlot.tsx'
import styles from './asked-chart.module.css'

interface AskedChartProps {
  readonly asked: Asked
  /** Called with the index of a row; left out: rows have no time. */
  readonly onShow?: (row: number) => void
}

/** Result as a chart: lines over time, or bars; nothing without numbers. The table beside it has the same rows. */
export function AskedChart({ asked, onShow }: AskedChartProps): ReactNode {
  const shape = asked.rows.length === 0 ? null : shapeOf(asked)
  const [chosen, setChosen] = useState<number | null>(null)
  if (shape === null) return null
  const value = chosen ?? firstValueOf(asked, shape)
  const nameAt = (at: number): string => asked.columns[at]?.name ?? ''
  const isOver = shape.time !== null
  return (
    <figure className={cx('column', styles.figure)} aria-label={`Chart of ${nameAt(value)}`}>
      <figcaption className="row">
        {shape.values.length === 1 ? (
          <span>{nameAt(value)}</span>
        ) : (
          <Select
            label="Column of the chart"
            hideLabel
            value={String(value)}
            options={shape.values.map((at) => ({ value: String(at), text: nameAt(at) }))}
            onChange={(next) => setChosen(Number(next))}
          />
        )}
        <span className="faint">{isOver ? `by ${nameAt(shape.time)}, UTC` : null}</span>
      </figcaption>
      {isOver ? (
        <AskedLinesPlot
          key={value}
          lines={linesOf(asked, shape, value)}
          what={nameAt(value)}
          {...(onShow === undefined ? {} : { onShow })}
        />
      ) : (
        <Bars asked={asked} shape={shape} value={value} {...(onShow === undefined ? {} : { onShow })} />
      )}
    </figure>
  )
}

interface BarsProps extends AskedChartProps {
  readonly shape: AskedShape
  readonly value: number
}

/** Bars from zero, one a row, with their values as text. */
function Bars({ asked, shape, value, onShow }: BarsProps): ReactNode {
  const { bars, all, unknown } = barsOf(asked, shape, value)
  const most = bars.reduce((top, bar) => Math.max(top, Math.abs(bar.value)), 0)
  const notes = [
    ...(all > bars.length ? [`The first ${formatCount(bars.length)} of ${formatPlural(all, 'row')}.`] : []),
    ...(unknown > 0 ? [`${formatPlural(unknown, 'row')} without a value.`] : []),
  ]
  return (
    <>
      <ul className={styles.bars}>
        {bars.map((bar) => {
          const share = most === 0 ? 0 : (Math.abs(bar.value) / most) * 100
          const content = (
            <>
              <span className="cut" title={bar.name}>
                {bar.name === '' ? '(no name)' : bar.name}
              </span>
              <span>
                <span
                  className={styles.bar}
                  data-negative={bar.value < 0 ? '' : undefined}
                  style={{ inlineSize: `${share.toFixed(2)}%` }}
                />
              </span>
              <span className={styles.value}>{formatValue(bar.value)}</span>
            </>
          )
          return (
            <li key={bar.row}>
              {onShow === undefined ? (
                <span className={styles.line}>{content}</span>
              ) : (
                <button type="button" className={styles.line} onClick={() => onShow(bar.row)}>
                  {content}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {notes.length === 0 ? null : <p className="note">{notes.join(' ')}</p>}
    </>
  )
}
