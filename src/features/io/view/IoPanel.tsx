import { Suspense, useId, useRef, useState, type ReactNode } from 'react'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import type { LaneId, LaneSubject } from '../../../capture/frame/lanes/lane.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { CompareMenu } from '../../../capture/frame/CompareMenu.tsx'
import { EmptyView } from '../../../capture/frame/EmptyView.tsx'
import { GapList, gapsIn } from '../../../capture/frame/notices/GapList.tsx'
import { toggled } from '../../../capture/client/param-text.ts'
import { ExportButton } from '../../../capture/exporting/ExportButton.tsx'
import { FirstMinute } from '../../../capture/frame/notices/SourceNotices.tsx'
import { NothingYet } from '../../../capture/frame/notices/NothingYet.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { RangeControls } from '../../../capture/frame/range/RangeControls.tsx'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import { isFileSource } from '../../../capture/client/state.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useFoldRule } from '../../../capture/frame/range/useFoldRule.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import type { Frame } from '../../../charts/canvas/stage.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { useScrollToOpened } from '../../../ui/hooks/useScrollToOpened.ts'
import { useShortcuts } from '../../../ui/hooks/useShortcuts.ts'
import { activeFilters, Filters } from './Filters.tsx'
import { kindsOf } from './timeline/kinds.ts'
import { describeDoubled } from './doubled.ts'
import { formatEventRef, parseEventRef, sameEvent } from '../../../feeds/io/contract/event-ref.ts'
import { ioExport } from './subject.ts'
import { chooseThinPitch, SUMMARY_PX, type LayoutRow } from './timeline/layout.ts'
import { LanePages } from './LanePages.tsx'
import { Legend } from './timeline/Legend.tsx'
import { drawOverview } from './timeline/overview-picture.ts'
import lanePanel from '../../../ui/lane-panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './panel.module.css'
import { formatSettings, kindKey, type IoSettings } from './params.ts'
import { PinnedCard } from './details/PinnedCard.tsx'
import { NO_FILTER, type IoCard, type IoEventRef, type IoEventRow } from '../../../feeds/io/contract/rows.ts'
import { type IoLane } from '../../../feeds/io/contract/lanes.ts'
import { RowsTable } from './details/RowsTable.tsx'
import { SlowestList } from './details/SlowestList.tsx'
import { SummaryTable } from './details/SummaryTable.tsx'
import { Timeline, type TimelineProps } from './timeline/Timeline.tsx'
import { useHeight } from './useHeight.ts'
import { useCard, useLanes, useOverview, useSummary } from './useIoData.ts'
import { StallKey } from './stalls/StallKey.tsx'
import { useStallMarks } from './stalls/useStallMarks.ts'
import { useGapsOf, useHeatLayout, useLayout, usePalette, useScope, useSettings, useSizes } from './usePanelParts.ts'
import { describeFolded, describeView, firstNamed, isEmptySummary } from './words.ts'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import type {} from '../../../feeds/server/contract.ts'

/** Below this the filters begin closed. */
const WIDE_PX = 992

const { Component: Distribution } = lazyPanel(() => import('./distribution/Distribution.tsx'))

const { Component: Journals } = lazyPanel(() => import('./journals/Journals.tsx'))
const { Component: LanesBelow } = lazyPanel(() => import('../../../capture/frame/lanes/LanesBelow.tsx'))
const { Component: HeatTimeline } = lazyPanel(() => import('./heat/HeatTimeline.tsx'))

/** The I/O of everything that is watched: a sentence, the timeline, the summary, the slowest, and the rows as a table. */
export default function IoPanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view, change, open } = useView()
  const { sources, clock } = view
  const settings = useSettings()
  const capture = useCapture()
  const [last] = useState(() => capture.sizesOf('io'))
  const [overviewPx, setOverviewPx] = useState(last?.overviewPx ?? 0)
  const [reveal, setReveal] = useState(0)
  const [pinned, setPinned] = useState(0)
  const areaRef = useRef<HTMLDivElement>(null)
  const keysId = useId()

  const lanesAsked = useLanes(sources, settings, state.version)
  const lanes = lanesAsked.response?.lanes ?? NO_LANES
  const scope = useScope(sources, settings)
  const gaps = useGapsOf(state.gaps, sources)
  const [bodyRef, bodyPx] = useHeight(areaRef, last?.bodyPx ?? 0)
  // The server's own storage has names that no database has.
  const manySources = (lanesAsked.response?.sources ?? []).filter((id) => id !== 'server').length > 1
  const layout = useLayout(lanes, sources, settings, chooseThinPitch(lanes.length, bodyPx - SUMMARY_PX))
  const heat = useHeatLayout(lanes, sources, settings, bodyPx - SUMMARY_PX)
  const rule = useFoldRule('io.idle', settings.fold, state.version, gaps)
  const panelRange = usePanelRange(state, rule, last?.plotWidthPx)
  const { viewport, known, moved } = panelRange
  const { range } = viewport

  const palette = usePalette()
  const sizes = useSizes(settings.sizeScale)
  const summary = useSummary(lanesAsked.response === null ? null : scope, range, settings.filter, state.version)
  const overview = useOverview(scope, known, overviewPx, state.version)

  const isLive = !sources.every(isFileSource)
  const stalls = useStallMarks(settings.stalls, sources, view.params, state.version)
  const selected = parseEventRef(view.selection)
  const { card, known: cardKnown, error: cardError } = useCard(selected, sources, state.version)
  const slowest = summary.response?.slowest ?? []
  const { card: firstCard } = useCard(
    summary.response === null ? null : firstNamed(summary.response),
    sources,
    state.version,
  )

  const set = (parts: Partial<IoSettings>): void => change({ params: formatSettings(parts) })
  const select = (ref: IoEventRef | null): void => change({ selection: ref === null ? null : formatEventRef(ref) })
  const { attempt, failure } = useAttempt()
  /** Also on another page of lanes. */
  const goToEvent = async (ref: IoEventRef | null): Promise<void> => {
    select(ref)
    if (ref === null) return
    if (!lanes.some(({ id }) => id === ref.lane)) {
      const params = { sources, find: settings.find, lane: ref.lane }
      const page = await capture.request('io.pageOf', params)
      if (page !== null) change({ selection: formatEventRef(ref), params: formatSettings({ page }) })
    }
    viewport.reveal(ref.startTicks, ref.durationTicks)
    setReveal(reveal + 1)
  }
  const show = (ref: IoEventRef | null): void => void attempt('Could not go to the event', () => goToEvent(ref))
  const toggle = (row: LayoutRow): void => {
    if (row.lane === null) return
    if (row.type === 'kind' && row.kind !== null)
      set({ openKinds: toggled(settings.openKinds, kindKey(row.lane.id, row.kind)) })
    else set({ openLanes: toggled(settings.openLanes, row.lane.id) })
  }
  const walk = (by: 1 | -1): void => {
    if (slowest.length === 0) return
    const at = slowest.findIndex((each) => sameEvent(each, selected))
    const next = by === 1 ? Math.min(slowest.length - 1, at + 1) : at < 0 ? slowest.length - 1 : Math.max(0, at - 1)
    show(slowest[next] ?? null)
  }
  useShortcuts(areaRef, { n: () => walk(1), p: () => walk(-1) })
  const distributionRef = useScrollToOpened(settings.distribution)
  const tableRef = useScrollToOpened(settings.table)
  /** To the event that a figure of the table is, in the range that the table was made of. */
  const goToFigure = async (kind: string, durationTicks: number): Promise<void> => {
    if (summary.response === null) return
    const { startTicks, endTicks } = summary.response
    const params = { startTicks, endTicks, rows: scope, filter: settings.filter, kind, durationTicks }
    const found = await capture.request('io.ofDuration', params)
    if (found === null) return
    show(found)
    setPinned((count) => count + 1)
  }
  const drawStrip = (context: CanvasRenderingContext2D, frame: Frame): void => {
    if (overview.response !== null && known !== null)
      drawOverview(context, frame, { response: overview.response, extent: known, gaps }, palette)
  }

  const active = activeFilters(settings)
  const exported = ioExport({ sources, rows: scope, range, filter: settings.filter, known, gaps })
  if (lanesAsked.response === null || lanesAsked.response.all === 0)
    return (
      <PanelFrame panel={panel} extraClass={styles.panel} notices={<PanelNotices what="I/O" />}>
        <NothingYet
          title="No I/O yet"
          request={lanesAsked}
          inFiles={<EmptyState title="No I/O in this file">Other data of the file may be in another panel.</EmptyState>}
          renderConnected={(names) => (
            <EmptyState title="No I/O yet">
              Connected to <bdi>{names}</bdi>: waiting for the first journal write, flush or sync, which appears here
              within three seconds.
            </EmptyState>
          )}
        />
      </PanelFrame>
    )
  const sentence =
    summary.response === null
      ? 'Adding up …'
      : describeView({
          summary: summary.response,
          range,
          known,
          gaps,
          sources,
          firstCard,
          hidden: settings.hiddenKinds.has('JournalWrite') ? 'journal-writes' : active === 0 ? 'nothing' : 'some',
          clock,
          manySources,
        })
  const isEmpty = summary.response !== null && isEmptySummary(summary.response)
  const emptyView = (
    <EmptyView
      sentence={sentence}
      what="I/O"
      lastTicks={lanesAsked.response.lastTicks}
      nowTicks={viewport.ended ? null : state.nowTicks}
      spanTicks={view.liveSpan}
      clock={clock}
      onGo={viewport.setRange}
    >
      {active === 0 ? undefined : (
        <Button tone="primary" onClick={() => set({ filter: NO_FILTER, hiddenKinds: new Set(), find: '', page: 0 })}>
          Clear filters
        </Button>
      )}
    </EmptyView>
  )
  // A user who pans or sets filters keeps the controls, and a gap that one went to is drawn. Of an event
  // that a link means is described by the card, even that it is gone.
  const hasGaps = view.range !== null && gapsIn(gaps, range).length > 0
  if (isEmpty && active === 0 && !moved && !hasGaps && selected === null)
    return (
      <PanelFrame panel={panel} extraClass={styles.panel} notices={<PanelNotices what="I/O" />}>
        {emptyView}
      </PanelFrame>
    )
  const { kinds: metKinds, matching, all, folded } = lanesAsked.response
  const doubled = describeDoubled(lanesAsked.response.doubled, range)
  const foldedWords = describeFolded(folded)
  const timeline: Omit<TimelineProps, 'layout' | 'sizes'> = {
    viewport,
    gaps,
    filter: settings.filter,
    version: state.version,
    palette,
    clock,
    known,
    sources,
    selected,
    overlaps: card?.overlaps ?? NO_EVENTS,
    stalls: stalls.stalls,
    reveal,
    describedBy: keysId,
    onSelect: select,
    onStall: (selection) => open('stalls', { selection }),
    onToggle: toggle,
    onWidth: panelRange.onWidth,
    firstSight: last === null ? undefined : { scrollPx: 0, heightPx: last.plotHeightPx, widthPx: last.plotWidthPx },
    onSight: ({ widthPx, heightPx }) =>
      capture.laidOut('io', { plotWidthPx: widthPx, plotHeightPx: heightPx, bodyPx, overviewPx }),
  }
  const { filter } = settings
  const eventsInView = { scope, range, filter, version: state.version, clock, selected, onSelect: show }
  return (
    <PanelFrame panel={panel} extraClass={styles.panel} notices={<PanelNotices what="I/O" />}>
      {isEmpty ? (
        emptyView
      ) : (
        <p className={cx(lanePanel.sentence, styles.sentence)} role="status">
          {sentence}
        </p>
      )}
      {doubled === '' ? null : (
        <Notice tone="warn" title={doubled}>
          <p>
            Their paths are equal: unless they are of different servers, sums and shares of the wall time count the same
            events more than once. Choose one of them for figures.
          </p>
        </Notice>
      )}
      {foldedWords === '' ? null : <Notice tone="info" title={foldedWords} />}
      <FirstMinute remembers="at most 256 single events of a kind and file, and roll-ups of older ones." />
      {summary.error === null ? null : <ErrorNotice error={summary.error} tone="warn" />}
      <RangeControls
        range={panelRange}
        fold={{
          title: 'Shrink stretches of more than two seconds in which nothing happened',
          checked: settings.fold,
          onChange: (fold) => set({ fold }),
        }}
        filters={{
          active,
          isOpenAtFirst: window.innerWidth >= WIDE_PX,
          fields: (
            <Filters kinds={metKinds} matchingLanes={matching} allLanes={all} settings={settings} onChange={set} />
          ),
        }}
        drawOverview={drawStrip}
        onOverviewWidth={setOverviewPx}
      >
        <Button
          aria-pressed={settings.table}
          onClick={() => set({ table: !settings.table })}
          title="The same events as a table"
        >
          Table
        </Button>
        <Button
          aria-pressed={settings.distribution}
          onClick={() => set({ distribution: !settings.distribution })}
          title="How durations of the events in view are distributed, and their throughput"
        >
          Distribution
        </Button>
        <Segmented
          label="Lanes show"
          options={[
            { value: 'durations', text: 'Durations', title: 'Each event, as wide as it took' },
            { value: 'heat', text: 'Heat map', title: 'Latency heat map: how many events took how long' },
          ]}
          value={settings.lanes}
          onChange={(shown) => set({ lanes: shown })}
        />
        <Button
          aria-pressed={settings.stalls}
          onClick={() => set({ stalls: !settings.stalls })}
          title="Mark journal writes that stalled, by cause"
        >
          Mark stalls
        </Button>
        <CompareMenu range={range} of="io" sources={view.sources} />
        <ExportButton subject={exported} />
      </RangeControls>
      {settings.stalls ? <StallKey marks={stalls} /> : null}
      <LanePages page={lanesAsked.response.page} matching={matching} onPage={(page) => set({ page })} />
      <div ref={bodyRef} className={cx('stack', lanePanel.body, styles.body)} tabIndex={-1}>
        <div
          className={cx(lanePanel.chart, styles.chart)}
          style={{ ['--content' as string]: `${(heat ?? layout).heightPx + 38}px` }}
        >
          {heat === null ? (
            <Timeline layout={layout} sizes={sizes} {...timeline} />
          ) : (
            <Suspense fallback={<Spinner>Counting …</Spinner>}>
              <HeatTimeline layout={heat} {...timeline} />
            </Suspense>
          )}
        </div>
        <div className={styles.summary}>
          <Suspense fallback={null}>
            <LanesBelow
              panel="io"
              preset={isLive ? LANES_OF_SERVER : NO_LANES_BELOW}
              viewport={viewport}
              state={state}
              outside={selected === null ? null : subjectOf(selected, card)}
            />
          </Suspense>
          {summary.response === null ? (
            <Spinner>Adding up …</Spinner>
          ) : isEmpty ? null : (
            <SummaryTable
              summary={summary.response}
              kinds={kindsOf(metKinds).filter((kind) => !settings.hiddenKinds.has(kind))}
              range={summary.response}
              stale={summary.error !== null}
              onEvent={(kind, durationTicks) =>
                void attempt('Could not find the event', () => goToFigure(kind, durationTicks))
              }
            />
          )}
        </div>
        <aside className={cx('column', lanePanel.side, styles.side)} aria-label="What stands out">
          <AttemptFailure of={failure} />
          {selected === null ? null : (
            <PinnedCard
              selected={selected}
              card={card}
              known={cardKnown}
              error={cardError}
              pinned={pinned}
              range={range}
              clock={clock}
              manySources={manySources}
              onSelect={show}
            />
          )}
          <GapList gaps={gaps} range={range} clock={clock} />
          {isEmpty ? null : (
            <SlowestList events={slowest} selected={selected} manySources={manySources} onSelect={show} />
          )}
        </aside>
      </div>
      {lanes.filter(showsJournals(settings)).map((lane) => (
        <Suspense key={lane.id}>
          <Journals lane={lane} gaps={gaps} version={state.version} clock={clock} />
        </Suspense>
      ))}
      {settings.distribution && !isEmpty ? (
        <div ref={distributionRef} className={styles.distribution}>
          <Suspense fallback={<Spinner>Counting …</Spinner>}>
            <Distribution {...eventsInView} gaps={gaps} summary={summary.response} />
          </Suspense>
        </div>
      ) : null}
      {settings.table ? (
        <div ref={tableRef} className={lanePanel.table}>
          <RowsTable
            {...eventsInView}
            manySources={manySources}
            sort={settings.sort}
            onSort={(sort) => set({ sort })}
            exporting={<ExportButton small subject={exported} label="Export events in view" />}
          />
        </div>
      ) : null}
      <Legend kinds={metKinds} palette={palette} sizes={heat === null ? sizes : null} keysId={keysId} />
    </PanelFrame>
  )
}

/** An event for lanes of other features; of an index where its card says so. */
const subjectOf = ({ lane, startTicks, durationTicks }: IoEventRef, card: IoCard | null): LaneSubject => ({
  startTicks,
  durationTicks,
  of:
    card !== null && card.laneType === 'Index' && card.laneLabelIsReal
      ? { storage: lane, index: `${card.source}|${card.laneLabel}` }
      : { storage: lane },
})

/** The files of its journal writes are rows of the timeline. */
const showsJournals =
  ({ openLanes, openKinds }: IoSettings) =>
  ({ id }: IoLane): boolean =>
    openLanes.has(id) && openKinds.has(kindKey(id, 'JournalWrite'))

/** The same ones each time, so that nothing is redrawn for them. */
const NO_LANES: readonly IoLane[] = []
const NO_LANES_BELOW: readonly LaneId[] = []
/** Lanes of what limited the server, and of the operations that ran in it. */
const LANES_OF_SERVER: readonly LaneId[] = ['server.bottleneck', 'server.operations']
const NO_EVENTS: readonly IoEventRow[] = []
