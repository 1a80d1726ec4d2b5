import type { ReactNode } from 'react'
import type { Comparison, Estimate } from '../../../base/statistics/estimate.ts'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatRate,
  formatShare,
  UNKNOWN,
} from '../../../base/text/format.ts'
import { formatDifference, formatInterval } from '../../../base/text/format-ratio.ts'
import { formatUnit } from '../../../base/text/format-unit.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { SHARES, type LineFigures } from '../contract.ts'
import type { ComparedFigure, ComparedLine } from '../data/compare-sides.ts'
import report from '../../../ui/report.module.css'
import styles from './compare.module.css'
import { kindTitle, shareName, VERDICT_WORDS } from './words.ts'

interface Column {
  readonly title: string
  readonly cell: (line: ComparedLine) => ReactNode
}

/** `before → after` of any figure. */
function pair({ before, after }: ComparedLine, textOf: (side: LineFigures) => string): string {
  return `${before === null ? UNKNOWN : textOf(before)} → ${after === null ? UNKNOWN : textOf(after)}`
}

const figureColumn = (share: ComparedFigure['share']): Column => ({
  title: share === null ? 'Mean' : shareName(share),
  cell: (line) => {
    const at = share === null ? -1 : SHARES.indexOf(share)
    const format = (value: number): string => formatUnit(value, line.unit)
    const of = (side: LineFigures | null): Estimate | null | undefined =>
      share === null ? side?.mean : side?.quantiles?.[at]
    return (
      <>
        {pair(line, (side) => format(of(side)?.value ?? Number.NaN))}
        <Change
          comparison={line.figures.find((figure) => figure.share === share)?.comparison}
          sides={[of(line.before), of(line.after)]}
          format={format}
        />
      </>
    )
  },
})

const longest = (title: string): Column => ({
  title,
  cell: (line) => pair(line, ({ max }) => formatUnit(max, line.unit)),
})
const counted = (title: string): Column => ({ title, cell: (line) => pair(line, ({ count }) => formatCount(count)) })

const STALLS: Column = {
  title: 'Stalls',
  cell: ({ stalls }) =>
    stalls === null ? (
      UNKNOWN
    ) : (
      <span
        title={`Writes of ${formatUnit(stalls.leastTicks, 'ticks')} or more: four times the shorter median, and at least 50 ms, in ranges as they are`}
        className={stalls.change === 'unclear' ? undefined : styles.changed}
        data-change={stalls.change}
      >
        {formatCount(stalls.before.stalls)} → {formatCount(stalls.after.stalls)}
        <div className="faint">
          {formatShare(stalls.before.share)} → {formatShare(stalls.after.share)}
        </div>
      </span>
    ),
}

const EVENT_COLUMNS: readonly Column[] = [
  ...SHARES.map(figureColumn),
  longest('Longest'),
  counted('Events'),
  {
    title: 'Rate',
    cell: (line) => (
      <>
        {pair(line, (side) => formatRate(side.rate?.value ?? Number.NaN))}
        <Change comparison={line.rate ?? undefined} sides={[line.before?.rate, line.after?.rate]} format={formatRate} />
      </>
    ),
  },
  {
    title: 'Bytes',
    cell: (line) => (
      <>
        {pair(line, ({ bytes }) => formatBytes(bytes))}
        <div className="faint">
          {pair(line, ({ bytes, knownTicks }) =>
            formatByteRate(knownTicks > 0 ? (bytes * TICKS_PER_SECOND) / knownTicks : Number.NaN),
          )}
        </div>
      </>
    ),
  },
]
const SAMPLE_COLUMNS: readonly Column[] = [
  ...[null, ...SHARES].map(figureColumn),
  longest('Highest'),
  counted('Samples'),
]

interface LineTableProps {
  readonly lines: readonly ComparedLine[]
  readonly isOfServer: boolean
}

/** Table of the lines of both sides: each change, its size and its certainty. */
export function LineTable({ lines, isOfServer }: LineTableProps): ReactNode {
  const columns = isOfServer
    ? SAMPLE_COLUMNS
    : lines.some(({ stalls }) => stalls !== null)
      ? [STALLS, ...EVENT_COLUMNS]
      : EVENT_COLUMNS
  return (
    <SideScrollBox label="Lines" className="raised">
      <table className={styles.table}>
        <caption className="spoken">Before against after, line by line</caption>
        <thead>
          <tr>
            <th scope="col">{isOfServer ? 'Figure' : 'Lane'}</th>
            <th scope="col">{isOfServer ? 'Group' : 'Kind'}</th>
            <th scope="col">Verdict</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className={report.figure}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key} data-verdict={line.verdict}>
              <th scope="row" title={line.path}>
                <bdi>{line.name}</bdi>
              </th>
              <td className={report.verdict}>{kindTitle(line.kind)}</td>
              <td className={report.verdict}>
                <strong>{VERDICT_WORDS[line.verdict]}</strong>
                {line.figures.some(({ isAtLoad }) => isAtLoad) ? <div className="faint">at the same load</div> : null}
                {line.loadDiffers ? <div className="faint">load differs</div> : null}
              </td>
              {columns.map(({ title, cell }) => (
                <td key={title} className={report.figure} data-role={line.role}>
                  {cell(line)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScrollBox>
  )
}

const sideInterval = (side: Estimate | null | undefined, format: (value: number) => string): string =>
  side == null
    ? UNKNOWN
    : `${format(side.value)} (${format(side.low)} to ${side.high === null ? 'unknown' : format(side.high)})`

interface ChangeProps {
  readonly comparison: Comparison | undefined
  readonly sides: readonly [Estimate | null | undefined, Estimate | null | undefined]
  readonly format: (value: number) => string
}

/** The difference with its interval; each side's own interval in the tooltip. */
function Change({ comparison, sides: [before, after], format }: ChangeProps): ReactNode {
  if (comparison === undefined || Number.isNaN(comparison.ratio)) return null
  const { change, ratio, showable } = comparison
  const title = `95 % intervals: before ${sideInterval(before, format)}, after ${sideInterval(after, format)}.${showable === null ? '' : ` A change of ${formatDifference(showable)} would most likely have been shown.`}`
  return (
    <div
      className={change === 'higher' || change === 'lower' ? styles.changed : 'faint'}
      data-change={change}
      title={title}
    >
      {formatDifference(ratio)} <span className={styles.interval}>({formatInterval(comparison)})</span>
    </div>
  )
}
