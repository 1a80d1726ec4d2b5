import { useEffect, useRef, useState } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import { useRequest, type Requested } from '../../../capture/client/useRequest.ts'
import { indexMarks } from '../../../charts/timeline/marks.ts'
import { marksWindow } from '../../../charts/timeline/marks-window.ts'
import type { FoldRule, TimeScale } from '../../../charts/scale.ts'
import { formatEventRef } from '../data/event-ref.ts'
import type { CssPx } from '../../../base/brand.ts'
import { rowKey, type Track } from './timeline/layout.ts'
import type { RowMarks } from './timeline/marks.ts'
import { parseKindKey, type IoSettings } from './params.ts'
import type { IoCard, IoEventRef, IoFilter, IoScope } from '../contract.ts'

const SLOWEST_LIMIT = 50
/** The timeline asks for its marks once it knows its width, which takes a frame. */
const SUMMARY_AFTER_MS = 40

export function useLanes(
  sources: readonly SourceId[],
  { find, page, openKinds }: IoSettings,
  version: number,
): Requested<'io.lanes'> {
  const params = { sources, find, page, openKinds: [...openKinds].map(parseKindKey) }
  return useRequest('io.lanes', params, { version, everyMs: 250 })
}

const filterKey = (filter: IoFilter): string =>
  `${filter.minTicks} ${filter.maxTicks} ${filter.minBytes} ${filter.maxBytes}`

interface MarksHeld {
  readonly filterKey: string
  readonly marks: ReadonlyMap<string, RowMarks>
}

const NO_MARKS: MarksHeld = { filterKey: '', marks: new Map() }
/** Rows that were scrolled away are kept up to here. */
const MAX_ROWS_HELD = 1500

/** Marks of the tracks in and near sight. Old ones stay, under the new scale, until the new are here. */
export function useMarks(
  tracks: readonly Track[],
  scale: TimeScale,
  rule: FoldRule,
  filter: IoFilter,
  version: number,
): { marks: ReadonlyMap<string, RowMarks>; error: ErrorInfo | null } {
  const window = marksWindow(scale, rule)
  const params =
    tracks.length === 0 ? undefined : { rows: tracks.map((track) => track.ref), pieces: window.pieces, filter }
  const { response, params: responseTo, error } = useRequest('io.marks', params, { version, everyMs: 100 })

  const [held, setHeld] = useState<MarksHeld>(NO_MARKS)
  const taken = useRef<typeof response>(null)
  useEffect(() => {
    if (response === null || responseTo === null || taken.current === response) return
    taken.current = response
    const key = filterKey(responseTo.filter)
    setHeld((before) => {
      const keep = before.filterKey === key && before.marks.size < MAX_ROWS_HELD
      const marks = new Map(keep ? before.marks : [])
      responseTo.rows.forEach((row, i) => {
        const rowMarks = response.rows[i]
        if (rowMarks !== undefined) marks.set(rowKey(row), indexMarks(rowMarks))
      })
      return { filterKey: key, marks }
    })
  }, [response, responseTo])
  return { marks: held.marks, error }
}

/** `scope` null: the lanes are not known yet, so nothing is asked. */
export function useSummary(
  scope: IoScope | null,
  range: TimeRange,
  filter: IoFilter,
  version: number,
): Requested<'io.summary'> {
  const params = scope === null ? undefined : { ...range, rows: scope, filter, slowestLimit: SLOWEST_LIMIT }
  return useRequest('io.summary', params, { version, everyMs: 250, firstAfterMs: SUMMARY_AFTER_MS })
}

export function useOverview(
  scope: IoScope,
  extent: TimeRange | null,
  widthPx: number,
  version: number,
): Requested<'io.overview'> {
  const params =
    extent === null || widthPx < 1 ? undefined : { ...extent, rows: scope, widthPx: Math.round(widthPx) as CssPx }
  return useRequest('io.overview', params, { version, everyMs: 500 })
}

/** Null ref: nothing is asked, and nothing is answered. */
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
