import { useState } from 'react'
import { hasChosenLanes } from '../../../capture/client/panels.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { gapsIn } from '../../../capture/frame/notices/GapList.tsx'
import { useFoldRule } from '../../../capture/frame/range/useFoldRule.ts'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import type { OperationTotal } from '../../../feeds/indexing/contract/operations.ts'
import { activeFilters } from './Filters.tsx'
import { formatSettings, type IndexingSettings } from './params.ts'
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
import { describeView } from './words.ts'

/** State of the panel, for all its views. */
export type IndexingState = ReturnType<typeof useIndexingView>

/** Requests the data that all views of the panel need. */
export function useIndexingView() {
  const state = useCaptureState()
  const { view, change } = useView()
  const { sources, clock } = view
  const settings = useSettings()
  const [overviewPx, setOverviewPx] = useState(0)
  const { version } = state

  const want = useWant(sources, settings.view === 'budgets')
  const requested = useIndexes(sources, version)
  const all = requested.response?.indexes ?? NO_INDEXES
  const gaps = useGapsOf(state.gaps, all)
  const manySources = new Set(all.map((index) => index.source)).size > 1
  const { shown, keys } = useShown(all, sources, settings)

  const rule = useFoldRule('indexing.idle', { sources, fold: settings.fold, version, gaps })
  const range = usePanelRange(state, rule)
  const { viewport, known, moved } = range
  const { settled, live, moving } = viewport
  const palette = usePalette()
  const wanted = requested.response === null ? null : keys
  const summary = useSummary(wanted, settled, settings.filter, version)
  const operations = useOperations(wanted, settled, settings.filter, version, live)
  const overview = useOverview(keys, known, overviewPx, version)
  const drawStrip = useStrip(overview.response, known, gaps, palette)
  const findings = useFindings(sources, version).response

  const active = activeFilters(settings)
  const sentence =
    summary.response === null
      ? 'Adding up …'
      : describeView({
          indexes: all,
          summary: summary.response,
          operations: live || isOfSame(operations, summary) ? (operations.response?.operations ?? []) : NO_OPERATIONS,
          findings: findings?.findings ?? [],
          range: summary.range ?? settled,
          known,
          gaps,
          clock,
          manySources,
        })
  const total = summary.response?.total
  const isNothing = total !== undefined && total.counts.batches + total.counts.training === 0 && total.running === 0
  // A user who pans, sets filters, focuses an index or chooses lanes keeps the controls, and a gap that a link leads to
  // is drawn.
  const hasGaps = view.range !== null && gapsIn(gaps, settled).length > 0
  // A link to several indexes expands their lanes, or opens their errors; one with lanes shows them.
  const isLinked = settings.open.size > 0 || settings.errors || hasChosenLanes('indexing', view.params)
  const isChosen = moved || hasGaps || active > 0 || settings.focus !== null || isLinked || view.selection !== null
  return {
    sources,
    clock,
    settings,
    set: (parts: Partial<IndexingSettings>): void => change({ params: formatSettings(parts) }),
    version,
    want,
    requested,
    all,
    shown,
    keys,
    gaps,
    manySources,
    range,
    palette,
    summary,
    operations,
    findings,
    drawStrip,
    onOverviewWidth: setOverviewPx,
    /** View that is shown; without indexes there is only memory to show. */
    shownView: all.length === 0 ? 'budgets' : settings.view,
    sentence,
    /** Whether the sentence belongs to another range or other filters; while live it is always slightly old. */
    isStale: moving || (!live && summary.isOld),
    activeFilters: active,
    /** Whether no batch is in view, and the user chose nothing that requires the controls. */
    isEmpty: isNothing && !isChosen,
  }
}

/** Constant, so that nothing is redrawn for a new array. */
const NO_INDEXES: readonly IndexInfo[] = []
const NO_OPERATIONS: readonly OperationTotal[] = []

/** Whether both responses cover the same batches. */
const isOfSame = (a: OfRange<'indexing.operations'>, b: OfRange<'indexing.summary'>): boolean =>
  a.params !== null &&
  b.params !== null &&
  a.params.startTicks === b.params.startTicks &&
  a.params.endTicks === b.params.endTicks &&
  a.params.indexes === b.params.indexes &&
  a.params.filter === b.params.filter
