import { useEffect, useRef, useState } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import { useRequest, type Outcome, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { indexMarks } from '../../../charts/timeline/marks.ts'
import type { FoldRule, TimeScale } from '../../../charts/scale.ts'
import { formatEventRef } from '../../../feeds/io/contract/event-ref.ts'
import { rowKey, type Track } from './timeline/layout.ts'
import type { RowMarks } from './timeline/marks.ts'
import type { IoSettings } from './params.ts'
import { lanesParams, marksParams, overviewParams, summaryParams } from './requests.ts'
import type { IoCard, IoEventRef, IoFilter, IoRowRef, IoScope } from '../../../feeds/io/contract/rows.ts'
import type { IoRowMarks } from '../../../feeds/io/contract/marks.ts'

/** Delay of the summary request, ms: marks are requested a frame later, once the width is known. */
const SUMMARY_AFTER_MS = 40

export function useLanes(sources: readonly SourceId[], settings: IoSettings, version: number): Requested<'io.lanes'> {
  return useRequest('io.lanes', lanesParams(sources, settings), { version, everyMs: 250 })
}

const filterKey = (filter: IoFilter): string =>
  `${filter.minTicks} ${filter.maxTicks} ${filter.minBytes} ${filter.maxBytes}`

interface Held<Row> {
  readonly filterKey: string
  readonly rows: ReadonlyMap<string, Row>
}

/** Maximum number of rows kept after they were scrolled out of view. */
const MAX_ROWS_HELD = 1500

/** Values computed from responses, by row key. Old values stay until new ones arrive, unless the filter changed. */
export function useHeldRows<
  Params extends { readonly rows: readonly IoRowRef[]; readonly filter: IoFilter },
  Sent,
  Row,
>(
  { response, params }: Pick<Outcome<Params, { readonly rows: readonly Sent[] }>, 'response' | 'params'>,
  make: (sent: Sent, params: Params) => Row,
): ReadonlyMap<string, Row> {
  const [held, setHeld] = useState<Held<Row>>(() => ({ filterKey: '', rows: new Map() }))
  const taken = useRef<typeof response>(null)
  useEffect(() => {
    if (response === null || params === null || taken.current === response) return
    taken.current = response
    const key = filterKey(params.filter)
    setHeld((before) => {
      const keep = before.filterKey === key && before.rows.size < MAX_ROWS_HELD
      const rows = new Map(keep ? before.rows : [])
      params.rows.forEach((row, i) => {
        const sent = response.rows[i]
        if (sent !== undefined) rows.set(rowKey(row), make(sent, params))
      })
      return { filterKey: key, rows }
    })
  }, [response, params, make])
  return held.rows
}

/** Marks of the tracks in and near the view. Old ones stay, at the new scale, until new ones arrive. */
export function useMarks(
  tracks: readonly Track[],
  scale: TimeScale,
  rule: FoldRule,
  filter: IoFilter,
  version: number,
): { marks: ReadonlyMap<string, RowMarks>; error: ErrorInfo | null } {
  const params = tracks.length === 0 ? undefined : marksParams(tracks, scale, rule, filter)
  const requested = useRequest('io.marks', params, { version, everyMs: 100 })
  return { marks: useHeldRows(requested, indexMarks<IoRowMarks>), error: requested.error }
}

/** Requests the summary. `scope` null: the lanes are not known yet, so nothing is requested. */
export function useSummary(
  scope: IoScope | null,
  range: TimeRange,
  filter: IoFilter,
  version: number,
): Requested<'io.summary'> {
  const params = scope === null ? undefined : summaryParams(scope, range, filter)
  return useRequest('io.summary', params, { version, everyMs: 250, firstAfterMs: SUMMARY_AFTER_MS })
}

export function useOverview(
  scope: IoScope,
  extent: TimeRange | null,
  widthPx: number,
  version: number,
): Requested<'io.overview'> {
  const params = extent === null || widthPx < 1 ? undefined : overviewParams(scope, extent, widthPx)
  return useRequest('io.overview', params, { version, everyMs: 500 })
}

/** Requests the details of an event; without an event nothing is requested, and the response is null. */
export function useCard(
  ref: IoEventRef | null,
  sources: readonly SourceId[],
  version: number,
): { card: IoCard | null; known: boolean; error: ErrorInfo | null } {
  const { response, params, error } = useRequest('io.card', ref === null ? undefined : { ref, sources }, {
    version,
    everyMs: 80,
  })
  const fresh = ref !== null && params !== null && formatEventRef(params.ref) === formatEventRef(ref)
  return { card: fresh ? response : null, known: fresh, error: ref === null ? null : error }
}
