import type { ReactNode } from 'react'
import {
  changeOfAll,
  compareEstimates,
  type Change,
  type Comparison,
  type Estimate,
} from '../../../base/statistics/estimate.ts'
import { formatDifference, formatInterval } from '../../../base/text/format-ratio.ts'
import { formatDuration, formatRate } from '../../../base/text/format.ts'
import { unknownSpans } from '../../../capture/client/compare-sides.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { BY_CLICK_MS, useRequest } from '../../../capture/client/requests/useRequest.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import type { CompareSideParams, LineFigures, SideFigures } from '../../compare/contract.ts'
import type { IndexingCompareSide } from '../../../feeds/indexing/contract/summary.ts'
import { splitIndexKey } from '../../../feeds/indexing/contract/batch-ref.ts'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './details/compare.module.css'

/** Minimum time between two measurements while data arrives, ms. */
const EVERY_MS = 5000
/** Quantiles that `compare.side` estimates. */
const QUANTILES = ['p50', 'p90', 'p99']

const VERDICTS: Readonly<Record<Change | 'mixed', string>> = {
  higher: 'B is slower',
  lower: 'B is faster',
  mixed: 'B is slower and faster',
  same: 'No difference that this much data could show',
  unclear: 'Too few batches to compare',
}
const DRIFTS = 'Too variable to tell. Choose longer ranges'

interface CompareVerdictProps {
  readonly a: IndexingCompareSide
  readonly b: IndexingCompareSide
  readonly version: number
}

/** Verdict whether B is slower than A, for batches and for their documents, with 95 % intervals over blocks of time. */
export function CompareVerdict({ a, b, version }: CompareVerdictProps): ReactNode {
  const { gaps } = useCaptureState()
  const paramsOf = ({ index, startTicks, endTicks }: IndexingCompareSide): CompareSideParams => {
    const sources = [splitIndexKey(index).source]
    const range = { startTicks, endTicks }
    return { feed: 'indexing', sources, lane: index, ...range, unknown: unknownSpans(gaps, sources, range) }
  }
  const renewal = { version, everyMs: EVERY_MS, changedEveryMs: BY_CLICK_MS }
  const left = useRequest('compare.side', paramsOf(a), renewal)
  const right = useRequest('compare.side', paramsOf(b), renewal)
  const error = left.error ?? right.error
  return (
    <section aria-label="Verdict">
      {error === null ? null : <ErrorNotice error={error} />}
      {/* A response for another index or range would give a wrong verdict. */}
      {left.response !== null && left.isCurrent && right.response !== null && right.isCurrent ? (
        <Verdict left={left.response} right={right.response} />
      ) : error === null ? (
        <Spinner>Comparing …</Spinner>
      ) : null}
    </section>
  )
}

function Verdict({ left, right }: { readonly left: SideFigures; readonly right: SideFigures }): ReactNode {
  const batch = compareKind(left, right, 'batch')
  const document = compareKind(left, right, 'time per document')
  const load = document.rate?.comparison
  return (
    <>
      <p role="status">
        {verdictOf([...batch.quantiles, ...document.quantiles])}.
        {load === undefined || load.change === 'same' || load.change === 'unclear'
          ? ''
          : ` B indexes ${formatDifference(load.ratio)} documents a second, which may be why.`}
      </p>
      <SideScrollBox label="Verdict as a table">
        <RowTable
          className={cx('figures raised', styles.table)}
          label="With 95 % intervals"
          columns={COLUMNS}
          keyOf={({ title }) => title}
          rows={[
            ...titled(batch.quantiles, 'Batch', formatDuration),
            ...titled(document.quantiles, 'Time per document of a batch', formatDuration),
            ...titled(document.rate === null ? [] : [document.rate], 'Documents/s of known time', formatRate),
          ]}
        />
      </SideScrollBox>
    </>
  )
}

interface TitledFigure {
  readonly title: string
  readonly figure: Figure
  readonly format: (value: number) => string
}

const COLUMNS: readonly RowColumn<TitledFigure>[] = [
  { title: 'Figure', cell: ({ title }) => title },
  {
    title: 'A',
    cell: ({ figure, format }) => format(figure.a.value),
    cellHint: ({ figure, format }) => ownInterval(figure.a, format),
  },
  {
    title: 'B',
    cell: ({ figure, format }) => format(figure.b.value),
    cellHint: ({ figure, format }) => ownInterval(figure.b, format),
  },
  {
    title: 'B to A, 95 % interval',
    hint: 'From how much durations differ between blocks of time',
    cell: ({ figure: { comparison } }) => `${formatDifference(comparison.ratio)} (${formatInterval(comparison)})`,
  },
  {
    title: 'Could show',
    hint: 'A difference of this size would most likely have been shown',
    cell: ({ figure: { comparison } }) => formatDifference(comparison.showable ?? Number.NaN),
  },
]

interface Figure {
  readonly a: Estimate
  readonly b: Estimate
  readonly comparison: Comparison
}

function verdictOf(figures: readonly Figure[]): string {
  const change = changeOfAll(figures.map(({ comparison }) => comparison))
  const drifts = figures.some(({ a, b }) => a.drifts === true || b.drifts === true)
  return change === 'unclear' && drifts ? DRIFTS : VERDICTS[change]
}

const figureOf = (a: Estimate | null | undefined, b: Estimate | null | undefined): Figure | null =>
  a == null || b == null ? null : { a, b, comparison: compareEstimates(a, b) }

function compareKind(
  a: SideFigures,
  b: SideFigures,
  kind: string,
): { readonly quantiles: readonly Figure[]; readonly rate: Figure | null } {
  const of = ({ lines }: SideFigures): LineFigures | undefined => lines.find((line) => line.kind === kind)
  const [left, right] = [of(a), of(b)]
  const quantiles = QUANTILES.map((_, i) => figureOf(left?.quantiles?.[i], right?.quantiles?.[i]))
  return { quantiles: quantiles.filter((each) => each !== null), rate: figureOf(left?.rate, right?.rate) }
}

const titled = (figures: readonly Figure[], title: string, format: TitledFigure['format']): TitledFigure[] =>
  figures.map((figure, i) => ({
    title: figures.length === 1 ? title : `${title}, ${QUANTILES[i] ?? ''}`,
    figure,
    format,
  }))

const ownInterval = ({ low, high }: Estimate, format: (value: number) => string): string =>
  `95 % interval: ${format(low)} to ${high === null ? 'unknown' : format(high)}`
