import { useRef, useState } from 'react'
import { toggled } from '../../../capture/client/param-text.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { hasChosenLanes } from '../../../capture/client/panels.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { gapsIn } from '../../../capture/frame/notices/GapList.tsx'
import { useFoldRule } from '../../../capture/frame/range/useFoldRule.ts'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import { formatEventRef, parseEventRef } from '../../../feeds/io/contract/event-ref.ts'
import type { IoLane } from '../../../feeds/io/contract/lanes.ts'
import type { IoEventRef, IoEventRow } from '../../../feeds/io/contract/rows.ts'
import { activeFilters } from './Filters.tsx'
import { formatSettings, kindKey, type IoSettings } from './params.ts'
import { useStallMarks } from './stalls/useStallMarks.ts'
import { chooseThinPitch, SUMMARY_PX, type LayoutRow } from './timeline/layout.ts'
import { useHeight } from './useHeight.ts'
import { useCard, useLanes, useOverview, useSummary } from './useIoData.ts'
import { useGapsOf, useHeatLayout, useLayout, useScope, useSettings } from './usePanelParts.ts'
import { describeView, firstNamed, isEmptySummary } from './words.ts'

/** State of the panel, and the callbacks of its parts. */
export type IoView = ReturnType<typeof useIoView>

/** Requests the data that several parts of the panel need. */
export function useIoView() {
  const state = useCaptureState()
  const { view, change } = useView()
  const { sources, clock } = view
  const settings = useSettings()
  const capture = useCapture()
  const [last] = useState(() => capture.sizesOf('io'))
  const [overviewPx, setOverviewPx] = useState(last?.overviewPx ?? 0)
  const [reveal, setReveal] = useState(0)
  const [pinned, setPinned] = useState(0)
  const areaRef = useRef<HTMLElement>(null)
  const { version } = state

  const requested = useLanes(sources, settings, version)
  const lanes = requested.response?.lanes ?? NO_LANES
  const scope = useScope(sources, settings)
  const gaps = useGapsOf(state.gaps, sources)
  const [bodyRef, bodyPx] = useHeight(areaRef, last?.bodyPx ?? 0)
  // Environments of the server itself have names that no database uses.
  const manySources = (requested.response?.sources ?? []).filter((id) => id !== 'server').length > 1
  const layout = useLayout(lanes, sources, settings, chooseThinPitch(lanes.length, bodyPx - SUMMARY_PX))
  const heat = useHeatLayout(lanes, sources, settings, bodyPx - SUMMARY_PX)
  const rule = useFoldRule('io.idle', { sources, fold: settings.fold, version, gaps })
  const panelRange = usePanelRange(state, rule, last?.plotWidthPx)
  const { viewport, known, moved } = panelRange
  const { range } = viewport

  const summary = useSummary(requested.response === null ? null : scope, range, settings.filter, version)
  const overview = useOverview(scope, known, overviewPx, version)
  const stalls = useStallMarks(settings.stalls, sources, view.params, version)
  const selected = parseEventRef(view.selection)
  const { card, known: cardKnown, error: cardError } = useCard(selected, sources, version)
  const first = summary.response === null ? null : firstNamed(summary.response)
  const { card: firstCard } = useCard(first, sources, version)

  const select = (ref: IoEventRef | null): void => change({ selection: ref === null ? null : formatEventRef(ref) })
  const set = (parts: Partial<IoSettings>): void => change({ params: formatSettings(parts) })
  const { attempt, failure } = useAttempt()
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
  const goToFigure = async (kind: string, durationTicks: number): Promise<void> => {
    if (summary.response === null) return
    const { startTicks, endTicks } = summary.response
    const params = { startTicks, endTicks, rows: scope, filter: settings.filter, kind, durationTicks }
    const found = await capture.request('io.ofDuration', params)
    if (found === null) return
    show(found)
    setPinned((count) => count + 1)
  }
  const toggle = (row: LayoutRow): void => {
    if (row.lane === null) return
    if (row.type === 'kind' && row.kind !== null)
      set({ openKinds: toggled(settings.openKinds, kindKey(row.lane.id, row.kind)) })
    else set({ openLanes: toggled(settings.openLanes, row.lane.id) })
  }

  const active = activeFilters(settings)
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
  // A user who pans, sets filters or chooses lanes keeps the controls and lanes, and a gap that a link leads to is drawn.
  // The card describes the event of a link, even if that event is gone.
  const hasGaps = view.range !== null && gapsIn(gaps, range).length > 0
  return {
    state,
    sources,
    clock,
    settings,
    set,
    requested,
    lanes,
    scope,
    gaps,
    manySources,
    layout,
    /** Layout of the heat maps; null: the lanes show durations. */
    heat,
    areaRef,
    bodyRef,
    bodyPx,
    panelRange,
    range,
    overviewPx,
    overview: overview.response,
    onOverviewWidth: setOverviewPx,
    summary,
    slowest: summary.response?.slowest ?? NO_EVENTS,
    stalls,
    selected,
    card,
    /** Whether the card belongs to the selected event, which may be gone. */
    cardKnown,
    cardError,
    activeFilters: active,
    sentence,
    /** Whether no event is in view. */
    isEmpty: summary.response !== null && isEmptySummary(summary.response),
    /** Whether the user chose nothing that requires the controls. */
    isUnchosen: active === 0 && !moved && !hasGaps && selected === null && !hasChosenLanes('io', view.params),
    /** Counter that increases when the selected event should scroll into view. */
    reveal,
    /** Counter that increases when an event was found for a figure. */
    pinned,
    select,
    /** Selects an event and goes to it, even on another page of lanes. */
    show,
    toggle,
    /** Goes to the event of a figure in the table, within the range of the table. */
    showFigure: (kind: string, durationTicks: number): void =>
      void attempt('Could not find the event', () => goToFigure(kind, durationTicks)),
    failure,
  }
}

/** Constant, so that nothing is redrawn for a new array. */
const NO_LANES: readonly IoLane[] = []
export const NO_EVENTS: readonly IoEventRow[] = []
