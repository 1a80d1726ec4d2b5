import type { ReactNode } from 'react'
import type { Comparison, Estimate } from '../../../base/statistics/estimate.ts'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  UNKNOWN,
} from '../../../base/text/format.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import hidden from '../../../ui/hidden.module.css'
import { SHARES, type LineFigures } from '../contract.ts'
import type { ComparedLine } from '../data/compare-sides.ts'
import report from '../../../ui/report.module.css'
import styles from './compare.module.css'
import { formatDifference, formatInterval, kindTitle, shareName, VERDICT_WORDS } from './words.ts'

/** Each line of both sides: what changed, by how much, and how sure that is. */
export function LineTable({ lines }: { readonly lines: readonly ComparedLine[] }): ReactNode {
  return (
    <SideScrollBox label="Lines" className={report.box}>
      <table className={styles.table}>
        <caption className={hidden.visuallyHidden}>Before against after, line by line</caption>
        <thead>
          <tr>
            <th scope="col">Lane</th>
            <th scope="col">Kind</th>
            <th scope="col">Verdict</th>
            {SHARES.map((share) => (
              <th key={share} scope="col" className={report.figure}>
                {shareName(share)}
              </th>
            ))}
            <th scope="col" className={report.figure}>
              Longest
            </th>
            <th scope="col" className={report.figure}>
              Events
            </th>
            <th scope="col" className={report.figure}>
              Rate
            </th>
            <th scope="col" className={report.figure}>
              Bytes
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={line.key} line={line} />
          ))}
        </tbody>
      </table>
    </SideScrollBox>
  )
}

function LineRow({ line }: { readonly line: ComparedLine }): ReactNode {
  const { before, after, quantiles, rate, verdict } = line
  const pair = (valueOf: (side: LineFigures) => string): string =>
    `${before === null ? UNKNOWN : valueOf(before)} → ${after === null ? UNKNOWN : valueOf(after)}`
  return (
    <tr data-verdict={verdict}>
      <th scope="row" title={line.path}>
        <bdi>{line.name}</bdi>
      </th>
      <td className={report.verdict}>{kindTitle(line.kind)}</td>
      <td className={report.verdict}>
        <strong>{VERDICT_WORDS[verdict]}</strong>
        {line.loadDiffers ? <div className={report.faint}>load differs</div> : null}
      </td>
      {SHARES.map((share, i) => (
        <td key={share} className={report.figure} data-change={quantiles[i]?.change}>
          {pair((side) => formatDuration(side.quantiles?.[i]?.value ?? Number.NaN))}
          <Change
            comparison={quantiles[i]}
            sides={[before?.quantiles?.[i], after?.quantiles?.[i]]}
            format={formatDuration}
          />
        </td>
      ))}
      <td className={report.figure}>{pair(({ maxTicks }) => formatDuration(maxTicks))}</td>
      <td className={report.figure}>{pair(({ count }) => formatCount(count))}</td>
      <td className={report.figure}>
        {pair((side) => formatRate(side.rate?.value ?? Number.NaN))}
        <Change comparison={rate ?? undefined} sides={[before?.rate, after?.rate]} format={formatRate} />
      </td>
      <td className={report.figure}>
        {pair(({ bytes }) => formatBytes(bytes))}
        <div className={report.faint}>
          {pair(({ bytes, knownTicks }) =>
            formatByteRate(knownTicks > 0 ? (bytes * TICKS_PER_SECOND) / knownTicks : Number.NaN),
          )}
        </div>
      </td>
    </tr>
  )
}

const sideInterval = (side: Estimate | null | undefined, format: (value: number) => string): string =>
  side == null
    ? UNKNOWN
    : `${format(side.value)} (${format(side.low)} to ${side.high === null ? 'unknown' : format(side.high)})`

/** The difference with its interval; each side's own interval as its title. */
function Change({
  comparison,
  sides: [before, after],
  format,
}: {
  readonly comparison: Comparison | undefined
  readonly sides: readonly [Estimate | null | undefined, Estimate | null | undefined]
  readonly format: (value: number) => string
}): ReactNode {
  if (comparison === undefined || Number.isNaN(comparison.ratio)) return null
  const { change, ratio, showable } = comparison
  const title = `95 % intervals: before ${sideInterval(before, format)}, after ${sideInterval(after, format)}.${showable === null ? '' : ` A change of ${formatDifference(showable)} would most likely have been shown.`}`
  return (
    <div className={change === 'higher' || change === 'lower' ? styles.changed : report.faint} title={title}>
      {formatDifference(ratio)} <span className={styles.interval}>({formatInterval(comparison)})</span>
    </div>
  )
}
