import { Suspense, type ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { formatBytes, formatDuration } from '../../../base/text/format.ts'
import { CompareMenu } from '../../../capture/frame/CompareMenu.tsx'
import { EmptyView } from '../../../capture/frame/EmptyView.tsx'
import { ExportButton } from '../../../capture/exporting/ExportButton.tsx'
import { FirstMinute } from '../../../capture/frame/notices/SourceNotices.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { RangeControls } from '../../../capture/frame/range/RangeControls.tsx'
import { useWatched } from '../../../capture/frame/useWatched.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { splitIndexKey } from '../../../feeds/indexing/contract/batch-ref.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import type { IndexingWantResponse } from '../../../feeds/indexing/contract/want.ts'
import { BatchesView } from './BatchesView.tsx'
import { BudgetsView } from './BudgetsView.tsx'
import { CompareView } from './CompareView.tsx'
import { batchExport } from './subject.ts'
import { ErrorsView } from './ErrorsView.tsx'
import { Filters } from './Filters.tsx'
import { NoIndexes } from './NoIndexes.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './panel.module.css'
import type { IndexingView } from '../contract.ts'
import { TroubleList } from './details/TroubleList.tsx'
import { useIndexingView, type IndexingState } from './useIndexingView.ts'
import { describeFurther } from './words.ts'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import { RunningText } from '../../../ui/RunningText.tsx'

const VIEWS: readonly { readonly value: IndexingView; readonly text: string; readonly title: string }[] = [
  { value: 'batches', text: 'Batches', title: 'What each index did, and why each batch stopped' },
  { value: 'indexes', text: 'Indexes', title: 'Every index as it is now, and what can be done to it' },
  { value: 'budgets', text: 'Budgets', title: 'Who holds the memory' },
  { value: 'compare', text: 'Side by side', title: 'Two indexes, or one index in two ranges' },
]

const { Component: IndexesView } = lazyPanel(() => import('./indexes/IndexesView.tsx'))

/** Indexing of all watched sources: a sentence, then batches, budgets, or two indexes side by side. */
export default function IndexingPanel({ panel }: PanelProps): ReactNode {
  const view = useIndexingView()
  const { requested, all, settings, shownView, set } = view
  const watched = useWatched()
  const furtherWords = describeFurther(requested.response?.further ?? 0)
  const onlyFiles = watched.length > 0 && watched.every((source) => source.ref.kind === 'file')
  const reportsMemory = onlyFiles && requested.response?.reportsMemory === true
  return (
    <PanelFrame
      panel={panel}
      notices={
        <>
          <PanelNotices what="indexing" />
          {furtherWords === '' ? null : <Notice tone="info" title={furtherWords} />}
        </>
      }
    >
      {requested.response === null || (all.length === 0 && !reportsMemory) ? (
        <NoIndexes view={view} />
      ) : shownView === 'batches' && view.isEmpty ? (
        <NoBatches view={view} />
      ) : (
        <>
          <Top view={view} isStale={shownView !== 'indexes' && view.isStale} />
          {shownView === 'indexes' ? (
            <Suspense fallback={<Spinner>Loading</Spinner>}>
              <IndexesView
                sources={view.sources}
                focus={settings.focus}
                clock={view.clock}
                onFocus={(focus) => set({ focus })}
              />
            </Suspense>
          ) : (
            <OverTime view={view} />
          )}
        </>
      )}
    </PanelFrame>
  )
}

const Views = ({ view }: { readonly view: IndexingState }): ReactNode => (
  <Segmented label="View" options={VIEWS} value={view.shownView} onChange={(next) => view.set({ view: next })} />
)

/** The sentence, and the selection of a view. */
const Top = ({ view, isStale }: { readonly view: IndexingState; readonly isStale: boolean }): ReactNode => (
  <div className={cx('wrap', styles.top)}>
    <PanelSentence lines={[2, 5]} isBeside isBusy={isStale}>
      <RunningText text={view.sentence} />
    </PanelSentence>
    <Views view={view} />
  </div>
)

/** Shown instead of the lanes while no batch is in view. */
function NoBatches({ view }: { readonly view: IndexingState }): ReactNode {
  const { nowTicks } = useCaptureState()
  const { liveSpan } = useView().view
  const { all, clock, range } = view
  return (
    <>
      <EmptyView
        sentence={view.sentence}
        what="batch"
        lastTicks={lastEnd(all)}
        nowTicks={range.viewport.ended ? null : nowTicks}
        spanTicks={liveSpan}
        clock={clock}
        onGo={range.viewport.setRange}
      />
      <div>
        <Views view={view} />
      </div>
      <TroubleList indexes={all} manySources={view.manySources} />
      <Ways want={view.want} />
    </>
  )
}

/** A view with a time range. */
function OverTime({ view }: { readonly view: IndexingState }): ReactNode {
  const { all, shown, keys, settings, gaps, version, palette, clock, manySources, summary, shownView, set } = view
  const { viewport, known, onWidth } = view.range
  const shared = { all, shown, settings, viewport, gaps, version, palette, clock, known, manySources, onSet: set }
  return (
    <>
      <FirstMinute remembers="at most 25 batches of each index, about two fifths of them empty." />
      {settings.focus === null || all.some(({ key }) => key === settings.focus) ? null : (
        <p className="note" role="status">
          The index <bdi>{splitIndexKey(settings.focus).name}</bdi> is not there: it was deleted, or its database is not
          watched here.{' '}
          <Button small onClick={() => set({ focus: null })}>
            Show all indexes
          </Button>
        </p>
      )}
      <ErrorsView
        indexes={all}
        focus={settings.focus}
        isOpen={settings.errors}
        onOpen={(errors) => set({ errors })}
        clock={clock}
      />
      {summary.error === null ? null : <ErrorNotice error={summary.error} tone="warn" />}
      <Controls view={view} />
      {shownView === 'budgets' ? (
        <BudgetsView {...shared} findings={view.findings} onWidth={onWidth} />
      ) : shownView === 'compare' ? (
        <CompareView {...shared} />
      ) : (
        <BatchesView {...shared} keys={keys} summary={summary} operations={view.operations} onWidth={onWidth} />
      )}
      <Ways want={view.want} />
    </>
  )
}

/** Range, filters, overview strip, and actions on the batches in view. */
function Controls({ view }: { readonly view: IndexingState }): ReactNode {
  const { all, shown, keys, settings, sources, set } = view
  const { viewport, known } = view.range
  const { settled } = viewport
  return (
    <RangeControls
      range={view.range}
      fold={{
        title: 'Shrink stretches of more than two seconds in which no index worked',
        checked: settings.fold,
        onChange: (fold) => set({ fold }),
      }}
      filters={{
        active: view.activeFilters,
        isOpenAtFirst: false,
        fields: <Filters settings={settings} shown={shown.length} total={all.length} onChange={set} />,
      }}
      drawOverview={view.drawStrip}
      onOverviewWidth={view.onOverviewWidth}
    >
      {view.shownView === 'batches' ? (
        <Button
          aria-pressed={settings.table}
          onClick={() => set({ table: !settings.table })}
          title="The same batches as a table"
        >
          Table
        </Button>
      ) : null}
      <CompareMenu range={settled} of="indexing" sources={sources} />
      <ExportButton subject={batchExport({ sources, indexes: keys, range: settled, filter: settings.filter, known })} />
    </RangeControls>
  )
}

/** Overhead of this panel, and the reasons for the way in which batches are read. */
function Ways({ want }: { readonly want: IndexingWantResponse | null }): ReactNode {
  const ways = (want?.ways ?? []).filter(({ way }) => way !== 'off')
  if (ways.length === 0) return null
  return (
    <p className="note">
      {ways
        .map(({ source, way, why, bytesPerMinute, everyTicks, problem }) =>
          [
            `${source.replace(/^(db|file):/, '')}: ${way === 'poll' ? 'polled' : 'by socket'}${everyTicks === null ? '' : ` every ${formatDuration(everyTicks)}`}`,
            bytesPerMinute === null ? '' : `, ${formatBytes(bytesPerMinute)} a minute`,
            `. ${why}`,
            problem === null ? '' : ` ${problem}`,
          ].join(''),
        )
        .join(' ')}
    </p>
  )
}

/** End of the newest batch; NaN: no batch. */
function lastEnd(indexes: readonly IndexInfo[]): number {
  const last = Math.max(...indexes.flatMap(({ endTicks }) => (Number.isNaN(endTicks) ? [] : [endTicks])))
  return Number.isFinite(last) ? last : Number.NaN
}
