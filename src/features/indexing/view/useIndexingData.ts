import { useEffect, useRef, useState } from 'react'
import type { CssPx } from '../../../base/brand.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { useRequest, useRequests, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { indexMarks } from '../../../charts/timeline/marks.ts'
import { marksWindow } from '../../../charts/timeline/marks-window.ts'
import type { FoldRule, TimeScale } from '../../../charts/scale.ts'
import type { BatchMarks } from './timeline/draw-batches.ts'
import { indexIcicle, type Icicle } from './timeline/icicle.ts'
import type { IndexingRequests } from '../../../feeds/indexing/contract.ts'
import type { BatchFilter, BatchRef, IndexKey } from '../../../feeds/indexing/contract/batches.ts'
import type { AxisPiece } from '../../../feeds/indexing/contract/lanes.ts'
import type { IndexingWantResponse } from '../../../feeds/indexing/contract/want.ts'

const LARGEST_LIMIT = 50
/** Width below which batches show no operations. */
const ICICLE_PX = 10 as CssPx

const filterKey = (filter: BatchFilter): string =>
  `${filter.minTicks} ${filter.maxTicks} ${filter.minDocuments} ${filter.reason} ${filter.hideEmpty}`

/** Repeatedly reports these to the worker as on screen, which else requests no data about them. */
export function useWant(sources: readonly SourceId[], budgets: boolean): IndexingWantResponse | null {
  return useWanted('indexing.want', sources.length === 0 ? undefined : { sources, budgets })
}

export const useIndexes = (sources: readonly SourceId[], version: number): Requested<'indexing.indexes'> =>
  useRequest('indexing.indexes', { sources }, { version, everyMs: 250 })

interface Held<Value> {
  readonly filterKey: string
  readonly byIndex: ReadonlyMap<IndexKey, Value>
}

/** Maximum number of lanes kept after they were scrolled out of view. */
const MAX_LANES_HELD = 1000

/** Batches of the lanes in and near the view. Old ones stay, at the new scale, until new ones arrive. */
export function useMarks(
  indexes: readonly IndexKey[],
  scale: TimeScale,
  rule: FoldRule,
  filter: BatchFilter,
  version: number,
): { readonly marks: ReadonlyMap<IndexKey, BatchMarks>; readonly error: ErrorInfo | null } {
  const window = marksWindow(scale, rule)
  const params = indexes.length === 0 ? undefined : { indexes, pieces: window.pieces, filter }
  const { response, params: responseTo, error } = useRequest('indexing.marks', params, { version, everyMs: 100 })
  const [held, setHeld] = useState<Held<BatchMarks>>({ filterKey: '', byIndex: new Map() })
  const taken = useRef<typeof response>(null)
  useEffect(() => {
    if (response === null || responseTo === null || taken.current === response) return
    taken.current = response
    const key = filterKey(responseTo.filter)
    setHeld((before) => {
      const keep = before.filterKey === key && before.byIndex.size < MAX_LANES_HELD
      const byIndex = new Map(keep ? before.byIndex : [])
      responseTo.indexes.forEach((lane, i) => {
        const row = response.rows[i]
        if (row !== undefined) byIndex.set(lane, indexMarks(row))
      })
      return { filterKey: key, byIndex }
    })
  }, [response, responseTo])
  return { marks: held.byIndex, error }
}

/** Operations in the batches of expanded lanes. */
export function useIcicles(
  indexes: readonly IndexKey[],
  scale: TimeScale,
  rule: FoldRule,
  filter: BatchFilter,
  version: number,
): ReadonlyMap<IndexKey, Icicle> {
  const window = marksWindow(scale, rule)
  // A pixel of the window may be half a pixel on the screen.
  const minPx = Math.round((ICICLE_PX * scale.ticksPerPx) / window.resolutionTicks) as CssPx
  const params =
    indexes.length === 0 ? undefined : indexes.map((index) => ({ index, pieces: window.pieces, minPx, filter }))
  const { response, params: responseTo } = useRequests('indexing.icicle', params, { version, everyMs: 200 })
  const [held, setHeld] = useState<{ of: typeof response; icicles: ReadonlyMap<IndexKey, Icicle> }>({
    of: null,
    icicles: new Map(),
  })
  if (response !== null && responseTo !== null && held.of !== response) {
    const icicles = new Map<IndexKey, Icicle>()
    responseTo.forEach(({ index }, i) => {
      const one = response[i]
      if (one !== undefined) icicles.set(index, indexIcicle(one))
    })
    setHeld({ of: response, icicles })
  }
  return held.icicles
}

export function useOverview(
  indexes: readonly IndexKey[],
  extent: TimeRange | null,
  widthPx: number,
  version: number,
): Requested<'indexing.overview'> {
  const width = Math.round(widthPx) as CssPx
  const params = extent === null || widthPx < 1 ? undefined : { ...extent, indexes, widthPx: width }
  return useRequest('indexing.overview', params, { version, everyMs: 500 })
}

/** A response about a range, together with that range. */
export type OfRange<Name extends 'indexing.summary' | 'indexing.operations'> = Requested<Name> & {
  /** Range of the response; null: no response. */
  readonly range: TimeRange | null
  /** Whether the response belongs to another range, filter or choice of indexes than the current request. */
  readonly isOld: boolean
}

/** Requests the summary. `indexes` null: not known yet, so nothing is requested. */
export function useSummary(
  indexes: readonly IndexKey[] | null,
  range: TimeRange,
  filter: BatchFilter,
  version: number,
): OfRange<'indexing.summary'> {
  const params = indexes === null ? undefined : { ...range, indexes, filter, largestLimit: LARGEST_LIMIT }
  return ofRange(useRequest('indexing.summary', params, { version, everyMs: 250 }))
}

/** Time by operation: expensive, so requested apart, and less often while the range follows. */
export function useOperations(
  indexes: readonly IndexKey[] | null,
  range: TimeRange,
  filter: BatchFilter,
  version: number,
  live: boolean,
): OfRange<'indexing.operations'> {
  const params = indexes === null ? undefined : { ...range, indexes, filter }
  return ofRange(useRequest('indexing.operations', params, { version, everyMs: live ? 700 : 150 }))
}

const ofRange = <Name extends 'indexing.summary' | 'indexing.operations'>(
  requested: Requested<Name>,
): OfRange<Name> => ({
  ...requested,
  range: requested.params,
  isOld: requested.response !== null && !requested.isCurrent,
})

/** Requests the details of a batch; null: nothing is requested, and there is no response. */
export function useCard(
  ref: BatchRef | null,
  version: number,
): {
  readonly card: IndexingRequests['indexing.card']['response']
  readonly known: boolean
  readonly error: ErrorInfo | null
} {
  const { response, isCurrent, error } = useRequest('indexing.card', ref === null ? undefined : { ref }, {
    version,
    everyMs: 80,
  })
  const known = ref !== null && isCurrent
  return { card: known ? response : null, known, error: ref === null ? null : error }
}

export const useFindings = (sources: readonly SourceId[], version: number): Requested<'indexing.findings'> =>
  useRequest('indexing.findings', { sources }, { version, everyMs: 700 })

/** Budgets of a window, with the time of each column. */
export interface BudgetColumns {
  readonly response: IndexingRequests['indexing.budgets']['response']
  /** Times of the columns, ascending. */
  readonly atTicks: Float64Array
  /** Ticks of one column. */
  readonly stepTicks: number
}

export function useBudgets(
  indexes: readonly IndexKey[],
  scale: TimeScale,
  rule: FoldRule,
  version: number,
): { readonly columns: BudgetColumns | null; readonly error: ErrorInfo | null } {
  const window = marksWindow(scale, rule)
  const params = indexes.length === 0 ? undefined : { indexes, pieces: window.pieces }
  const { response, params: responseTo, error } = useRequest('indexing.budgets', params, { version, everyMs: 500 })
  const [held, setHeld] = useState<BudgetColumns | null>(null)
  if (response !== null && responseTo !== null && held?.response !== response)
    setHeld(columnsOf(response, responseTo.pieces))
  return { columns: held, error }
}

function columnsOf(response: BudgetColumns['response'], pieces: readonly AxisPiece[]): BudgetColumns {
  const [first] = pieces
  const stepTicks =
    first === undefined ? Number.NaN : (first.endTicks - first.startTicks) / (first.endPx - first.startPx)
  const atTicks = pieces.flatMap(({ startTicks, startPx, endPx }) =>
    Array.from({ length: endPx - startPx }, (_, px) => startTicks + px * stepTicks),
  )
  return { response, atTicks: Float64Array.from(atTicks), stepTicks }
}

export function useMemory(
  sources: readonly SourceId[],
  scale: TimeScale,
  rule: FoldRule,
  version: number,
): Requested<'indexing.memory'> {
  const window = marksWindow(scale, rule)
  return useRequest('indexing.memory', { sources, pieces: window.pieces }, { version, everyMs: 500 })
}

export const useBar = (sources: readonly SourceId[], atTicks: Ticks, version: number): Requested<'indexing.bar'> =>
  useRequest('indexing.bar', { sources, atTicks: Math.round(atTicks) as Ticks }, { version, everyMs: 150 })
