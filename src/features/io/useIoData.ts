import { useEffect, useRef, useState } from 'react'
import type { TimeRange } from '../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../capture/state.ts'
import { indexMarks } from '../../charts/marks.ts'
import { marksWindow } from '../../charts/marks-window.ts'
import type { FoldRule, TimeScale } from '../../charts/scale.ts'
import { formatEventRef } from './eventref.ts'
import type { IoLayout, Track } from './layout.ts'
import type { RowMarks } from './marks.ts'
import type { IoEventRef, IoFilter, IoQueries } from './queries.ts'
import { useAsk, type Asked } from './useAsk.ts'

const SLOWEST_LIMIT = 50

export const useLanes = (sources: readonly SourceId[], version: number): Asked<'io.lanes'> =>
  useAsk('io.lanes', { sources }, sources.join('\n'), version, 250)

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
  const rowsKey = JSON.stringify(tracks.map((track) => track.key))
  const filtered = filterKey(filter)
  const ask = tracks.length === 0 ? null : { rows: tracks.map((track) => track.ref), pieces: window.pieces, filter }
  const key = `${window.key}|${filtered}|${rowsKey}`
  const { answer, key: answeredKey, error } = useAsk('io.marks', ask, key, version, 100)

  const [held, setHeld] = useState<MarksHeld>(NO_MARKS)
  const taken = useRef<IoQueries['io.marks']['answer'] | null>(null)
  useEffect(() => {
    if (answer === null || taken.current === answer) return
    taken.current = answer
    const [, answeredFilter, answeredRows] = splitKey(answeredKey)
    setHeld((before) => {
      const keep = before.filterKey === answeredFilter && before.marks.size < MAX_ROWS_HELD
      const marks = new Map(keep ? before.marks : [])
      const rows = JSON.parse(answeredRows) as string[]
      rows.forEach((row, i) => {
        const rowMarks = answer.rows[i]
        if (rowMarks !== undefined) marks.set(row, indexMarks(rowMarks))
      })
      return { filterKey: answeredFilter, marks }
    })
  }, [answer, answeredKey])
  return { marks: held.marks, error }
}

/** Only the first two bars separate: a lane's path may hold one. */
function splitKey(key: string): [string, string, string] {
  const first = key.indexOf('|')
  const second = key.indexOf('|', first + 1)
  return [key.slice(0, first), key.slice(first + 1, second), key.slice(second + 1)]
}

/** `layout` null: the lanes are not known yet, so nothing is asked. */
export function useSummary(
  layout: IoLayout | null,
  range: TimeRange,
  filter: IoFilter,
  version: number,
): Asked<'io.summary'> {
  const ask = layout === null ? null : { ...range, rows: layout.refs, filter, slowestLimit: SLOWEST_LIMIT }
  return useAsk(
    'io.summary',
    ask,
    `${range.startTicks}-${range.endTicks}|${filterKey(filter)}|${layout?.refsKey ?? ''}`,
    version,
    250,
  )
}

export function useOverview(
  layout: IoLayout,
  extent: TimeRange | null,
  widthPx: number,
  version: number,
): Asked<'io.overview'> {
  const ask =
    extent === null || widthPx < 1
      ? null
      : { ...extent, rows: layout.refs, widthPx: Math.round(widthPx) as IoQueries['io.overview']['ask']['widthPx'] }
  return useAsk(
    'io.overview',
    ask,
    `${extent?.startTicks ?? ''}-${extent?.endTicks ?? ''}|${Math.round(widthPx)}|${layout.refsKey}`,
    version,
    500,
  )
}

/** Null ref: nothing is asked, and nothing is answered. */
export function useCard(
  ref: IoEventRef | null,
  sources: readonly SourceId[],
  version: number,
): { card: IoQueries['io.card']['answer']; known: boolean; error: ErrorInfo | null } {
  const key = ref === null ? '' : formatEventRef(ref)
  const {
    answer,
    key: answeredKey,
    error,
  } = useAsk('io.card', ref === null ? null : { ref, sources }, key, version, 80)
  const fresh = ref !== null && answeredKey === key
  return { card: fresh ? answer : null, known: fresh, error: ref === null ? null : error }
}
