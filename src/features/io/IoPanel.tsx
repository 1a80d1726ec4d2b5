import { useEffect, useId, useState, type ReactNode } from 'react'
import { formatDateTime } from '../../base/format.ts'
import { GapList } from '../../capture/GapList.tsx'
import { toggled } from '../../capture/param-text.ts'
import { ExportButton } from '../../capture/exporting/ExportButton.tsx'
import { RangeToolbar } from '../../capture/RangeToolbar.tsx'
import { MissingFiles } from '../../capture/MissingFiles.tsx'
import { isAllMissing } from '../../capture/missing-files.ts'
import { FirstMinute, SourceNotices } from '../../capture/SourceNotices.tsx'
import { sourceLabel } from '../../capture/state.ts'
import { useCaptureState } from '../../capture/useCaptureState.ts'
import { useFoldRule } from '../../capture/useFoldRule.ts'
import { useViewport } from '../../capture/useViewport.ts'
import { isOnlyFiles, useView } from '../../capture/view.ts'
import { Overview } from '../../charts/Overview.tsx'
import type { Frame } from '../../charts/stage.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { Toggle } from '../../ui/Toggle.tsx'
import { activeFilters, Filters } from './Filters.tsx'
import { kindsOf } from './kinds.ts'
import { describeDoubled } from './doubled.ts'
import { formatEventRef, parseEventRef, sameEvent } from './eventref.ts'
import { ioExport } from './exports/subject.ts'
import { chooseThinPitch, type LayoutRow } from './layout.ts'
import { Legend } from './Legend.tsx'
import { drawOverview } from './overview-picture.ts'
import styles from './panel.module.css'
import { formatSettings, kindKey, type IoSettings } from './params.ts'
import { PinnedCard } from './PinnedCard.tsx'
import type { IoEventRef, IoEventRow, IoLane } from './queries.ts'
import { RowsTable } from './RowsTable.tsx'
import { SlowestList } from './SlowestList.tsx'
import { SummaryTable } from './SummaryTable.tsx'
import { Timeline } from './Timeline.tsx'
import { useCard, useLanes, useOverview, useSummary } from './useIoData.ts'
import { useGapsOf, useLayout, usePalette, useSettings, useSizes } from './usePanelParts.ts'
import { describeView } from './words.ts'

/** Below this the filters begin closed. */
const WIDE_PX = 992
const ASSUMED_WIDTH_PX = 900

/** The I/O of everything that is watched: a sentence, the timeline, the summary, the slowest, and the rows as a table. */
export default function IoPanel(): ReactNode {
  const state = useCaptureState()
  const { view, change } = useView()
  const { sources, clock } = view
  const settings = useSettings()
  const [widthPx, setWidthPx] = useState(0)
  const [overviewPx, setOverviewPx] = useState(0)
  const [reveal, setReveal] = useState(0)
  const [filtersOpen, setFiltersOpen] = useState(() => window.innerWidth >= WIDE_PX)
  const keysId = useId()

  const lanesAsked = useLanes(sources, state.version)
  const lanes = lanesAsked.answer?.lanes ?? NO_LANES
  const gaps = useGapsOf(state.gaps, sources)
  const [bodyRef, bodyPx] = useHeight()
  // The server's own storage has names that no database has.
  const manySources = new Set(lanes.map((lane) => lane.source).filter((id) => id !== 'server')).size > 1
  const layout = useLayout(lanes, sources, settings, chooseThinPitch(lanes.length, bodyPx - SUMMARY_PX))
  const rule = useFoldRule('io.idle', settings.fold, state.version, gaps)
  const viewport = useViewport(state, widthPx > 0 ? widthPx : ASSUMED_WIDTH_PX, rule, isOnlyFiles(view))
  const { range } = viewport
  const known =
    state.extent === null
      ? null
      : { startTicks: state.extent.startTicks, endTicks: state.nowTicks ?? state.extent.endTicks }

  const palette = usePalette()
  const sizes = useSizes(settings.sizeScale)
  const summary = useSummary(lanesAsked.answer === null ? null : layout, range, settings.filter, state.version)
  const overview = useOverview(layout, known, overviewPx, state.version)

  const selected = parseEventRef(view.selection)
  const { card, known: cardKnown, error: cardError } = useCard(selected, sources, state.version)
  const slowest = summary.answer?.slowest ?? []
  const { card: slowestCard } = useCard(slowest[0] ?? null, sources, state.version)

  const set = (parts: Partial<IoSettings>): void => change({ params: formatSettings(parts) })
  const select = (ref: IoEventRef | null): void => change({ selection: ref === null ? null : formatEventRef(ref) })
  const show = (ref: IoEventRef | null): void => {
    select(ref)
    if (ref === null) return
    viewport.reveal(ref.startTicks, ref.durationTicks)
    setReveal(reveal + 1)
  }
  const toggle = (row: LayoutRow): void => {
    if (row.lane === null) return
    if (row.type === 'kind' && row.kind !== null)
      set({ openKinds: toggled(settings.openKinds, kindKey(row.lane.id, row.kind)) })
    else set({ openLanes: toggled(settings.openLanes, row.lane.id) })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || slowest.length === 0) return
    if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null) return
    if (event.key !== 'n' && event.key !== 'p') return
    event.preventDefault()
    const at = slowest.findIndex((each) => sameEvent(each, selected))
    const next =
      event.key === 'n' ? Math.min(slowest.length - 1, at + 1) : at < 0 ? slowest.length - 1 : Math.max(0, at - 1)
    show(slowest[next] ?? null)
  }
  // On the page, so that N and P walk wherever the focus is.
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
  const drawStrip = (context: CanvasRenderingContext2D, frame: Frame): void => {
    if (overview.answer !== null && known !== null)
      drawOverview(context, frame, { answer: overview.answer, extent: known, gaps }, palette)
  }

  const active = activeFilters(settings)
  const exported = ioExport({ sources, rows: layout.refs, range, filter: settings.filter, known, gaps })
  const watched = state.sources.filter((source) => sources.includes(source.id))
  const notices = (
    <>
      <MissingFiles />
      <SourceNotices sources={watched} what="I/O" clock={clock} />
    </>
  )
  if (sources.length === 0)
    return (
      <section className={styles.panel} aria-label="I/O">
        <EmptyState title="Nothing is chosen to look at">
          Choose one or several databases, or the server’s own storage, above or on the page Databases. Looking loads no
          database.
        </EmptyState>
      </section>
    )
  if (lanesAsked.answer === null || lanes.length === 0)
    return (
      <section className={styles.panel} aria-label="I/O">
        {notices}
        {lanesAsked.error === null ? null : <ErrorNotice error={lanesAsked.error} />}
        {isAllMissing(state, sources) ? null : (
          <NothingYet
            phases={watched.map((source) => source.phase)}
            names={watched.map((source) => sourceLabel(source.ref))}
            loading={lanesAsked.answer === null}
          />
        )}
      </section>
    )
  const shown = new Set(layout.refs.map(({ lane }) => lane))
  const doubled = describeDoubled(
    lanes.filter(({ id }) => shown.has(id)),
    range,
  )
  return (
    <section className={styles.panel} aria-label="I/O">
      {notices}
      <p className={styles.sentence} role="status">
        {summary.answer === null
          ? 'Looking at what was seen …'
          : describeView({ summary: summary.answer, range, known, gaps, slowestCard, clock, manySources })}
      </p>
      {doubled === '' ? null : (
        <Notice tone="warn" title={doubled}>
          <p>
            Their paths are equal: unless they are of different servers, sums and shares of the wall time count the same
            events more than once. Choose one of them for figures.
          </p>
        </Notice>
      )}
      <FirstMinute
        sources={watched}
        remembers="at most 256 single events of a kind and file; still older ones are summed up in bands."
        clock={clock}
      />
      {summary.error === null ? null : <ErrorNotice error={summary.error} tone="warn" />}
      <RangeToolbar
        viewport={viewport}
        clock={clock}
        liveSpan={view.liveSpan}
        onLiveSpan={(liveSpan) => change({ liveSpan, range: null })}
      >
        <Toggle
          label="Fold idle"
          title="Shrink stretches of more than two seconds in which nothing happened"
          checked={settings.fold}
          onChange={(fold) => set({ fold })}
        />
        <Button aria-expanded={filtersOpen} onClick={() => setFiltersOpen(!filtersOpen)}>
          {active === 0 ? 'Filters' : `Filters: ${active}`}
        </Button>
        <Button
          aria-pressed={settings.table}
          onClick={() => set({ table: !settings.table })}
          title="The same events as a table"
        >
          Table
        </Button>
        <ExportButton subject={exported} />
      </RangeToolbar>
      {filtersOpen ? (
        <Filters
          lanes={lanes}
          shownLanes={layout.rows.filter((row) => row.type === 'lane').length}
          settings={settings}
          onChange={set}
        />
      ) : null}
      <div className={styles.overview}>
        {known === null ? null : (
          <Overview
            label="Overview of everything seen"
            extent={known}
            range={range}
            draw={drawStrip}
            onRange={viewport.setRange}
            onWidth={setOverviewPx}
            describe={(at) => formatDateTime(at, clock, 3)}
          />
        )}
      </div>
      <div ref={bodyRef} className={styles.body}>
        <div className={styles.chart} style={{ ['--content' as string]: `${layout.heightPx + 38}px` }}>
          <Timeline
            layout={layout}
            viewport={viewport}
            gaps={gaps}
            filter={settings.filter}
            version={state.version}
            palette={palette}
            sizes={sizes}
            clock={clock}
            known={known}
            sources={sources}
            selected={selected}
            overlaps={card?.overlaps ?? NO_EVENTS}
            reveal={reveal}
            describedBy={keysId}
            onSelect={select}
            onToggle={toggle}
            onWidth={setWidthPx}
          />
        </div>
        <div className={styles.summary}>
          {summary.answer === null ? (
            <Spinner>Summing up …</Spinner>
          ) : (
            <SummaryTable
              summary={summary.answer}
              kinds={kindsOf(lanes).filter((kind) => !settings.hiddenKinds.has(kind))}
              range={range}
              stale={summary.error !== null}
            />
          )}
        </div>
        <aside className={styles.side} aria-label="What stands out">
          {selected === null ? null : (
            <PinnedCard
              selected={selected}
              card={card}
              known={cardKnown}
              error={cardError}
              clock={clock}
              manySources={manySources}
              onSelect={show}
            />
          )}
          <GapList gaps={gaps} range={range} clock={clock} />
          <SlowestList events={slowest} selected={selected} clock={clock} manySources={manySources} onSelect={show} />
        </aside>
      </div>
      {settings.table ? (
        <div className={styles.table}>
          <RowsTable
            layout={layout}
            range={range}
            filter={settings.filter}
            version={state.version}
            clock={clock}
            manySources={manySources}
            sort={settings.sort}
            descending={settings.descending}
            selected={selected}
            onSort={(sort, descending) => set({ sort, descending })}
            onSelect={show}
            exporting={<ExportButton small subject={exported} label="Export events in view" />}
          />
        </div>
      ) : null}
      <Legend lanes={lanes} palette={palette} sizes={sizes} keysId={keysId} />
    </section>
  )
}

/** What summary table and headings take from the height of the lanes. */
const SUMMARY_PX = 220

/** Height of an element, whole CSS pixels; 0 before the first measure. */
function useHeight(): readonly [(element: HTMLElement | null) => void, number] {
  const [heightPx, setHeightPx] = useState(0)
  const [observe] = useState(() => {
    let observer: ResizeObserver | null = null
    return (element: HTMLElement | null): void => {
      observer?.disconnect()
      if (element === null) return
      observer = new ResizeObserver(() => setHeightPx(element.clientHeight))
      observer.observe(element)
    }
  })
  return [observe, heightPx]
}

/** The same ones each time, so that nothing is drawn anew for them. */
const NO_LANES: readonly IoLane[] = []
const NO_EVENTS: readonly IoEventRow[] = []

function NothingYet({
  phases,
  names,
  loading,
}: {
  readonly phases: readonly string[]
  readonly names: readonly string[]
  readonly loading: boolean
}): ReactNode {
  const busy = loading || phases.some((phase) => phase === 'checking' || phase === 'connecting' || phase === 'reading')
  if (busy)
    return (
      <EmptyState title="Looking for I/O">
        <Spinner>{names.length === 0 ? 'Starting to watch …' : `Asking for ${names.join(', ')} …`}</Spinner>
      </EmptyState>
    )
  if (phases.includes('live'))
    return (
      <EmptyState title="No I/O yet">
        The connection stands and the server reports no journal write, flush or sync since the database was loaded. The
        first one appears here within about three seconds.
      </EmptyState>
    )
  return (
    <EmptyState title="Nothing was seen yet">
      As soon as one of the sources above can be watched, its I/O appears here.
    </EmptyState>
  )
}
