import type { ReactNode } from 'react'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatRate,
  formatShare,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { Viewport } from '../../../capture/frame/range/useViewport.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import styles from './details/compare.module.css'
import { CompareVerdict } from './CompareVerdict.tsx'
import { FamilySwatch } from './FamilySwatch.tsx'
import { activeFilters } from './Filters.tsx'
import type { IndexingPalette } from './palette.ts'
import type { CompareSide, IndexingSettings } from './params.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import type { IndexingCompareResponse, IndexSummary } from '../../../feeds/indexing/contract/summary.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { indexName } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'

type Side = 'a' | 'b'

export interface CompareViewProps {
  readonly shown: readonly IndexInfo[]
  readonly all: readonly IndexInfo[]
  readonly settings: IndexingSettings
  readonly viewport: Viewport
  readonly version: number
  readonly palette: IndexingPalette
  readonly clock: Clock
  readonly manySources: boolean
  readonly onSet: (parts: Partial<IndexingSettings>) => void
}

/** Two indexes, or one index in two ranges, side by side. A side follows the view until the user fixes its range. */
export function CompareView(props: CompareViewProps): ReactNode {
  const { all, settings, viewport, version, palette, clock, manySources, onSet } = props
  const ranked = all.filter((index) => index.counts.batches > 0).toSorted((a, b) => b.busyTicks - a.busyTicks)
  const options = all.map((index) => ({
    value: index.key,
    text: indexName({ source: index.source, indexName: index.name }, manySources),
  }))
  const resolve = (side: CompareSide, otherwise: IndexInfo | undefined): string | null =>
    all.find((index) => index.key === side.index)?.key ?? otherwise?.key ?? null
  const keys = { a: resolve(settings.a, ranked[0]), b: resolve(settings.b, ranked[1] ?? ranked[0]) }
  const rangeOf = (side: Side): TimeRange => settings[side].range ?? viewport.settled
  const [a, b] = [
    { index: keys.a ?? '', ...rangeOf('a') },
    { index: keys.b ?? '', ...rangeOf('b') },
  ]
  const params = keys.a === null || keys.b === null ? undefined : { a, b, filter: settings.filter }
  const { response, error } = useRequest('indexing.compare', params, { version, everyMs: 400 })

  const chooser = (side: Side): ReactNode => {
    const held = settings[side].range
    const range = rangeOf(side)
    return (
      <fieldset className={cx('raised row', styles.side)}>
        <legend>{side.toUpperCase()}</legend>
        <Select
          label={`Index ${side.toUpperCase()}`}
          hideLabel
          options={options}
          value={keys[side] ?? ''}
          onChange={(index) => onSet({ [side]: { ...settings[side], index } })}
        />
        <span className={cx('note', styles.range)}>
          {formatDateTime(range.startTicks, clock, 1)} – {formatDateTime(range.endTicks, clock, 1)}
        </span>
        {held === null ? (
          <Button
            small
            title="This side stays at the range in view while the other moves on"
            onClick={() =>
              onSet({
                [side]: {
                  index: keys[side],
                  range: {
                    startTicks: Math.round(range.startTicks) as typeof range.startTicks,
                    endTicks: Math.round(range.endTicks) as typeof range.endTicks,
                  },
                },
              })
            }
          >
            Pin range
          </Button>
        ) : (
          <>
            <Button small onClick={() => onSet({ [side]: { ...settings[side], range: null } })}>
              Follow the view
            </Button>
            <Button small onClick={() => viewport.setRange(held)}>
              Show it
            </Button>
          </>
        )}
      </fieldset>
    )
  }
  return (
    <div className={styles.compare}>
      <div className={cx('stack', styles.sides)}>
        {chooser('a')}
        {chooser('b')}
      </div>
      {error === null ? null : <p>{error.message}</p>}
      {params === undefined ? null : isNarrowed(settings) ? (
        <p>Without a verdict: it would be of all batches, and a filter is set.</p>
      ) : (
        <CompareVerdict a={params.a} b={params.b} version={version} />
      )}
      {response === null ? null : (
        <div className={cx('stack', styles.tables)} role="group" aria-label="Side by side" tabIndex={0}>
          <Figures response={response} seconds={{ a: secondsOf(a), b: secondsOf(b) }} />
          <Operations response={response} palette={palette} />
        </div>
      )}
    </div>
  )
}

/** Whether a filter hides batches. Empty batches do not count: durations exclude them anyway. */
const isNarrowed = (settings: IndexingSettings): boolean =>
  activeFilters({ ...settings, find: '', filter: { ...settings.filter, hideEmpty: false } }) > 0

const secondsOf = (range: TimeRange): number => (range.endTicks - range.startTicks) / TICKS_PER_SECOND

const FIGURES: readonly {
  readonly title: string
  readonly value: (summary: IndexSummary, seconds: number) => number
  readonly format: (value: number) => string
}[] = [
  { title: 'Batches', value: ({ counts }) => counts.batches, format: formatCount },
  { title: 'of them empty', value: ({ counts }) => counts.empty, format: formatCount },
  { title: 'Busy time', value: ({ busyTicks }) => busyTicks, format: formatDuration },
  { title: 'Busy time, % of range', value: ({ busyShare }) => busyShare, format: formatShare },
  { title: 'Documents in', value: ({ documentsIn }) => documentsIn, format: formatCount },
  { title: 'Documents out', value: ({ documentsOut }) => documentsOut, format: formatCount },
  { title: 'Documents failed', value: ({ documentsFailed }) => documentsFailed, format: formatCount },
  {
    title: 'Documents/s while busy',
    value: ({ documentsPerBusySecond }) => documentsPerBusySecond,
    format: formatRate,
  },
  { title: 'Documents/s of range', value: ({ documentsPerSecond }) => documentsPerSecond, format: formatRate },
  { title: 'Bytes', value: ({ bytes }) => bytes, format: formatBytes },
  { title: 'Bytes/s of range', value: ({ bytes }, seconds) => bytes / seconds, format: formatByteRate },
  { title: 'Batch, p50', value: ({ p50Ticks }) => p50Ticks, format: formatDuration },
  { title: 'Batch, p99', value: ({ p99Ticks }) => p99Ticks, format: formatDuration },
  { title: 'Batch, longest', value: ({ maxTicks }) => maxTicks, format: formatDuration },
  { title: 'Waited to run', value: ({ waitTicks }) => waitTicks, format: formatDuration },
]

/** Ratio of two figures; empty if one of them is unknown or 0. */
const formatTimes = (a: number, b: number): string => {
  const times = b / a
  return Number.isFinite(times) && times > 0 ? `× ${times >= 9.95 ? formatCount(times) : times.toFixed(2)}` : UNKNOWN
}

interface FiguresProps {
  readonly response: IndexingCompareResponse
  readonly seconds: Record<Side, number>
}

/** The figures of both sides, with the ratio of B to A. */
function Figures({ response, seconds }: FiguresProps): ReactNode {
  const rows = FIGURES.map(({ title, value, format }) => ({
    title,
    a: value(response.a, seconds.a),
    b: value(response.b, seconds.b),
    format,
  }))
  return (
    <RowTable
      className={cx('figures raised', styles.table)}
      label="Figures side by side"
      rows={rows}
      keyOf={({ title }) => title}
      columns={[
        { title: 'Figure', cell: ({ title }) => title },
        { title: 'A', cell: ({ a, format }) => format(a) },
        { title: 'B', cell: ({ b, format }) => format(b) },
        { title: 'B to A', cell: ({ a, b }) => formatTimes(a, b) },
      ]}
    >
      <tr>
        <th scope="row">Stopped for</th>
        {[response.a, response.b].map((side, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- A and B
          <td key={i} className={styles.reasons}>
            {side.reasons.map((reason) => (
              <div key={reason.code}>
                {reason.code.replaceAll('-', ' ')} {formatCount(reason.count)}
              </div>
            ))}
          </td>
        ))}
        <td>{UNKNOWN}</td>
      </tr>
    </RowTable>
  )
}

interface OperationsProps {
  readonly response: IndexingCompareResponse
  readonly palette: IndexingPalette
}

function Operations({ response, palette }: OperationsProps): ReactNode {
  const most = Math.max(
    Number.MIN_VALUE,
    ...response.operations.flatMap(({ aPerDocument, bPerDocument }) =>
      [aPerDocument, bPerDocument].filter((value) => Number.isFinite(value)),
    ),
  )
  return (
    <table className={cx('figures raised', styles.table)} aria-label="Operations side by side">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col" title="Time for each document in">
            A, a document
          </th>
          <th scope="col">B, a document</th>
          <th scope="col">both as bars</th>
          <th scope="col">B to A</th>
        </tr>
      </thead>
      <tbody>
        {response.operations.map((each) => (
          <tr key={each.path}>
            <th scope="row" title={each.path} style={{ paddingInlineStart: `${0.5 + each.depth * 0.85}rem` }}>
              <FamilySwatch family={each.family} palette={palette} /> <bdi>{each.path.split(' › ').at(-1)}</bdi>
            </th>
            <td>{formatDuration(each.aTicks)}</td>
            <td>{formatDuration(each.bTicks)}</td>
            <td>{formatDuration(each.aPerDocument)}</td>
            <td>{formatDuration(each.bPerDocument)}</td>
            <td className={styles.barCell} aria-hidden="true">
              {[each.aPerDocument, each.bPerDocument].map((value, i) => (
                <span
                  // oxlint-disable-next-line react/no-array-index-key -- A and B
                  key={i}
                  className={i === 0 ? styles.barA : styles.barB}
                  style={{ width: `${Number.isFinite(value) ? (100 * value) / most : 0}%` }}
                />
              ))}
            </td>
            <td>{formatTimes(each.aPerDocument, each.bPerDocument)}</td>
          </tr>
        ))}
        {response.unlisted === 0 ? null : (
          <tr>
            <th scope="row">{formatPlural(response.unlisted, 'smaller operation')}, not listed</th>
          </tr>
        )}
      </tbody>
    </table>
  )
}
