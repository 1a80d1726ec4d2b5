import { Suspense, useState, type ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { formatBytes, formatDuration } from '../../../base/text/format.ts'
import { CompareMenu } from '../../../capture/frame/CompareMenu.tsx'
import { EmptyView } from '../../../capture/frame/EmptyView.tsx'
import { gapsIn } from '../../../capture/frame/notices/GapList.tsx'
import { ExportButton } from '../../../capture/exporting/ExportButton.tsx'
import { FirstMinute } from '../../../capture/frame/notices/SourceNotices.tsx'
import { NothingYet } from '../../../capture/frame/notices/NothingYet.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { RangeControls } from '../../../capture/frame/range/RangeControls.tsx'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import { useWatched } from '../../../capture/frame/useWatched.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useFoldRule } from '../../../capture/frame/range/useFoldRule.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { splitIndexKey } from '../../../feeds/indexing/contract/batch-ref.ts'
import { BatchesView } from './BatchesView.tsx'
import { BudgetsView } from './BudgetsView.tsx'
import { CompareView } from './CompareView.tsx'
import { batchExport } from './subject.ts'
import { ErrorsView } from './ErrorsView.tsx'
import { activeFilters, Filters } from './Filters.tsx'
import { NoIndex } from './NoIndex.tsx'
import lanePanel from '../../../ui/lane-panel.module.css'
import styles from './panel.module.css'
import { formatSettings, type IndexingSettings } from './params.ts'
import type { IndexingView } from '../contract.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import type { OperationTotal } from '../../../feeds/indexing/contract/operations.ts'
import type { IndexingWantResponse } from '../../../feeds/indexing/contract/want.ts'
import { TroubleList } from './details/TroubleList.tsx'
import {
  useFindings,
  useIndexes,
  useOperations,
  useOverview,
  useSummary,
  useWant,
  type OfRange,
} from './useIndexingData.ts'
import { useGapsOf, usePalette, useSettings, useShown, useStrip } from './usePanelParts.ts'
import { describeFurther, describeView } from './words.ts'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'

const VIEWS: readonly { readonly value: IndexingView; readonly text: string; readonly title: string }[] = [
  { value: 'batches', text: 'Batches', title: 'What each index did, and why each batch stopped' },
  { value: 'indexes', text: 'Indexes', title: 'Every index as it is now, and what can be done to it' },
  { value: 'budgets', text: 'Budgets', title: 'Who holds the memory' },
  { value: 'compare', text: 'Side by side', title: 'Two indexes, or one index in two ranges' },
]

const { Component: IndexesView } = lazyPanel(() => import('./indexes/IndexesView.tsx'))

/** The indexing of everything that is watched: a sentence, then batches, budgets, or two indexes side by side. */
export default function IndexingPanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view, change } = useView()
  const { sources, clock } = view
  const settings = useSettings()
  const [overviewPx, setOverviewPx] = useState(0)
  const { version } = state

  const want = useWant(sources, settings.view === 'budgets')
  const asked = useIndexes(sources, version)
  const all = asked.response?.indexes ?? NO_INDEXES
  const gaps = useGapsOf(state.gaps, all)
  const manySources = new Set(all.map((index) => index.source)).size > 1
  const { shown, keys } = useShown(all, sources, settings)

  const rule = useFoldRule('indexing.idle', settings.fold, version, gaps)
  const panelRange = usePanelRange(state, rule)
  const { viewport, known, moved } = panelRange
  const { settled, live, moving } = viewport
  const palette = usePalette()
  const asking = asked.response === null ? null : keys
  const summary = useSummary(asking, settled, settings.filter, version)
  const operations = useOperations(asking, settled, settings.filter, version, live)
  const overview = useOverview(keys, known, overviewPx, version)
  const drawStrip = useStrip(overview.response, known, gaps, palette)
  const findings = useFindings(sources, version)

  const set = (parts: Partial<IndexingSettings>): void => change({ params: formatSettings(parts) })

  const watched = useWatched()
  const furtherWords = describeFurther(asked.response?.further ?? 0)
  const notices = (
    <>
      <PanelNotices what="indexing" />
      {furtherWords === '' ? null : <Notice tone="info" title={furtherWords} />}
    </>
  )
  const onlyFiles = watched.length > 0 && watched.every((source) => source.ref.kind === 'file')
  const reportsMemory = onlyFiles && asked.response?.reportsMemory === true
  if (asked.response === null || (all.length === 0 && !reportsMemory))
    return (
      <PanelFrame panel={panel} notices={notices}>
        {sources.every((source) => source === 'server') ? (
          <EmptyState title="The server’s own storage has no indexes">
            Choose a database above: indexes belong to databases.
          </EmptyState>
        ) : (
          <NothingYet
            title="No index yet"
            request={asked}
            inFiles={
              <EmptyState title="No index data in this file">
                Indexing reads indexes/performance, indexes/stats, indexes/progress, memory/stats and
                memory/low-mem-log, alone or in a debug package. Other data of the file may be in another panel.
              </EmptyState>
            }
            renderConnected={(names) => (
              <NoIndex names={names} ways={want?.ways ?? []} awaited={asked.response?.awaited ?? []} />
            )}
          />
        )}
      </PanelFrame>
    )
  const active = activeFilters(settings)
  // Without an index there is only memory to see.
  const shownView = all.length === 0 ? 'budgets' : settings.view
  const shared = { all, shown, settings, viewport, gaps, version, palette, clock, known, manySources, onSet: set }
  // Live ones are always a moment old.
  const stale = moving || (!live && summary.isOld)
  const sentence =
    summary.response === null
      ? 'Adding up …'
      : describeView({
          indexes: all,
          summary: summary.response,
          operations: live || isOfSame(operations, summary) ? (operations.response?.operations ?? []) : NO_OPERATIONS,
          findings: findings.response?.findings ?? [],
          range: summary.range ?? settled,
          known,
          gaps,
          clock,
          manySources,
        })
  const total = summary.response?.total
  const isEmpty = total !== undefined && total.counts.batches + total.counts.training === 0 && total.running === 0
  const views = <Segmented label="View" options={VIEWS} value={shownView} onChange={(next) => set({ view: next })} />
  // A user who pans, sets filters or focuses one index keeps the controls, and a gap that one went to
  // is drawn.
  const hasGaps = view.range !== null && gapsIn(gaps, settled).length > 0
  // A link to several indexes opens their lanes, or their errors.
  const isLinked = settings.open.size > 0 || settings.errors
  const isChosen = moved || hasGaps || active > 0 || settings.focus !== null || isLinked || view.selection !== null
  if (shownView === 'batches' && isEmpty && !isChosen)
    return (
      <PanelFrame panel={panel} notices={notices}>
        <EmptyView
          sentence={sentence}
          what="batch"
          lastTicks={lastEnd(all)}
          nowTicks={viewport.ended ? null : state.nowTicks}
          spanTicks={view.liveSpan}
          clock={clock}
          onGo={viewport.setRange}
        />
        <div>{views}</div>
        <TroubleList indexes={all} manySources={manySources} />
        <Ways want={want} />
      </PanelFrame>
    )
  if (shownView === 'indexes')
    return (
      <PanelFrame panel={panel} notices={notices}>
        <div className={cx('wrap', styles.top)}>
          <p className={cx(lanePanel.sentence, styles.sentence)} role="status">
            {sentence}
          </p>
          {views}
        </div>
        <Suspense fallback={<Spinner>Loading</Spinner>}>
          <IndexesView sources={sources} focus={settings.focus} clock={clock} onFocus={(focus) => set({ focus })} />
        </Suspense>
      </PanelFrame>
    )
  return (
    <PanelFrame panel={panel} notices={notices}>
      <div className={cx('wrap', styles.top)}>
        <p className={cx(lanePanel.sentence, styles.sentence, stale && 'stale')} role="status" aria-busy={stale}>
          {sentence}
        </p>
        {views}
      </div>
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
      <RangeControls
        range={panelRange}
        fold={{
          title: 'Shrink stretches of more than two seconds in which no index worked',
          checked: settings.fold,
          onChange: (fold) => set({ fold }),
        }}
        filters={{
          active,
          isOpenAtFirst: false,
          fields: <Filters settings={settings} shown={shown.length} total={all.length} onChange={set} />,
        }}
        drawOverview={drawStrip}
        onOverviewWidth={setOverviewPx}
      >
        {shownView === 'batches' ? (
          <Button
            aria-pressed={settings.table}
            onClick={() => set({ table: !settings.table })}
            title="The same batches as a table"
          >
            Table
          </Button>
        ) : null}
        <CompareMenu range={settled} of="indexing" sources={sources} />
        <ExportButton
          subject={batchExport({ sources, indexes: keys, range: settled, filter: settings.filter, known })}
        />
      </RangeControls>
      {shownView === 'budgets' ? (
        <BudgetsView {...shared} findings={findings.response} onWidth={panelRange.onWidth} />
      ) : shownView === 'compare' ? (
        <CompareView {...shared} />
      ) : (
        <BatchesView {...shared} keys={keys} summary={summary} operations={operations} onWidth={panelRange.onWidth} />
      )}
      <Ways want={want} />
    </PanelFrame>
  )
}

/** Keeps the same empty list each time, so that nothing is redrawn for it. */
const NO_INDEXES: readonly IndexInfo[] = []
const NO_OPERATIONS: readonly OperationTotal[] = []

/** The overhead here, and why batches come this way. */
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

/** End of the newest batch; NaN without one. */
function lastEnd(indexes: readonly IndexInfo[]): number {
  const last = Math.max(...indexes.flatMap(({ endTicks }) => (Number.isNaN(endTicks) ? [] : [endTicks])))
  return Number.isFinite(last) ? last : Number.NaN
}

/** Whether both responses cover the same batches. */
const isOfSame = (a: OfRange<'indexing.operations'>, b: OfRange<'indexing.summary'>): boolean =>
  a.params !== null &&
  b.params !== null &&
  a.params.startTicks === b.params.startTicks &&
  a.params.endTicks === b.params.endTicks &&
  a.params.indexes === b.params.indexes &&
  a.params.filter === b.params.filter
