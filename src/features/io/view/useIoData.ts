import { useEffect, useRef, useState } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import { indexMarks } from '../../../charts/timeline/marks.ts'
import { marksWindow } from '../../../charts/timeline/marks-window.ts'
import type { FoldRule, TimeScale } from '../../../charts/scale.ts'
import { formatEventRef } from '../data/event-ref.ts'
import type { Track } from './timeline/layout.ts'
import type { RowMarks } from './timeline/marks.ts'
import { parseKindKey, type IoSettings } from './params.ts'
import type { IoEventRef, IoFilter, IoQueries, IoScope } from '../contract.ts'
import { useAsk, type Asked } from './useIoRequest.ts'

const SLOWEST_LIMIT = 50

export function useLanes(
  sources: readonly SourceId[],
  { find, page, openKinds }: IoSettings,
  version: number,
): Asked<'io.lanes'> {
  const ask = { sources, find, page, openKinds: [...openKinds].map(parseKindKey) }
  return useAsk('io.lanes', ask, JSON.stringify(ask), version, 250)
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

const scopeKey = ({ sources, find, hiddenKinds }: IoScope): string => JSON.stringify([sources, find, hiddenKinds])

/** `scope` null: the lanes are not known yet, so nothing is asked. */
export function useSummary(
  scope: IoScope | null,
  range: TimeRange,
  filter: IoFilter,
  version: number,
): Asked<'io.summary'> {
  const ask = scope === null ? null : { ...range, rows: scope, filter, slowestLimit: SLOWEST_LIMIT }
  return useAsk(
    'io.summary',
    ask,
    `${range.startTicks}-${range.endTicks}|${filterKey(filter)}|${scope === null ? '' : scopeKey(scope)}`,
    version,
    250,
  )
}

export function useOverview(
  scope: IoScope,
  extent: TimeRange | null,
  widthPx: number,
  version: number,
): Asked<'io.overview'> {
  const ask =
    extent === null || widthPx < 1
      ? null
      : { ...extent, rows: scope, widthPx: Math.round(widthPx) as IoQueries['io.overview']['ask']['widthPx'] }
  return useAsk(
    'io.overview',
    ask,
    `${extent?.startTicks ?? ''}-${extent?.endTicks ?? ''}|${Math.round(widthPx)}|${scopeKey(scope)}`,
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
