import { useEffect, useRef, useState } from 'react'
import type { CssPx, Ticks } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import { useAsk as useCaptureAsk, useAskAll, type Asked as CaptureAsked } from '../../../capture/client/useRequest.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { indexMarks } from '../../../charts/timeline/marks.ts'
import { marksWindow } from '../../../charts/timeline/marks-window.ts'
import type { FoldRule, TimeScale } from '../../../charts/scale.ts'
import { formatBatchRef } from '../data/batch-ref.ts'
import type { BatchMarks } from './timeline/draw-batches.ts'
import { indexIcicle, type Icicle } from './timeline/icicle.ts'
import type { IndexingQueries } from '../contract.ts'
import type { BatchFilter, BatchRef, IndexKey } from '../contract/batches.ts'
import type { IndexingWantAnswer } from '../contract/want.ts'

export type Asked<Name extends keyof IndexingQueries> = CaptureAsked<IndexingQueries[Name]['answer']>

/** `useAsk` of the capture with the types of the indexing questions. */
export const useAsk = <Name extends keyof IndexingQueries>(
  name: Name,
  ask: IndexingQueries[Name]['ask'] | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<Name> => useCaptureAsk<IndexingQueries[Name]['answer']>(name, ask, key, version, everyMs)

/** A little oftener than the worker forgets. */
const WANT_MS = 7000
const LARGEST_LIMIT = 50
/** Narrower batches show no operations. */
const ICICLE_PX = 10 as CssPx

const rangeKey = (range: TimeRange): string => `${range.startTicks}-${range.endTicks}`
/** Null: of no range. */
function rangeOfKey(key: string): TimeRange | null {
  const [, start, end] = /^(-?[\d.e+]+)-(-?[\d.e+]+)\|/.exec(key) ?? []
  return start === undefined || end === undefined
    ? null
    : { startTicks: Number(start) as Ticks, endTicks: Number(end) as Ticks }
}
const filterKey = (filter: BatchFilter): string =>
  `${filter.minTicks} ${filter.maxTicks} ${filter.minDocuments} ${filter.reason} ${filter.hideEmpty}`

/** Says again and again that these are looked at; else nothing is asked of a server. */
export function useWant(sources: readonly SourceId[], budgets: boolean): IndexingWantAnswer | null {
  const capture = useCapture()
  const [answer, setAnswer] = useState<IndexingWantAnswer | null>(null)
  const wanted = sources.join('\n')
  useEffect(() => {
    if (wanted === '') return undefined
    const stop = new AbortController()
    const want = (): void => {
      const ask: IndexingQueries['indexing.want']['ask'] = { sources: wanted.split('\n'), budgets }
      capture.ask<IndexingWantAnswer>('indexing.want', ask, stop.signal).then(setAnswer, () => undefined)
    }
    want()
    const timer = setInterval(want, WANT_MS)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [capture, wanted, budgets])
  return answer
}

export const useIndexes = (sources: readonly SourceId[], version: number): Asked<'indexing.indexes'> =>
  useAsk('indexing.indexes', { sources }, sources.join('\n'), version, 250)

interface Held<Value> {
  readonly filterKey: string
  readonly byIndex: ReadonlyMap<IndexKey, Value>
}

/** Lanes that were scrolled away are kept up to here. */
const MAX_LANES_HELD = 1000

/** Batches of the lanes in and near sight. Old ones stay, under the new scale, until the new are here. */
export function useMarks(
  indexes: readonly IndexKey[],
  scale: TimeScale,
  rule: FoldRule,
  filter: BatchFilter,
  version: number,
): { readonly marks: ReadonlyMap<IndexKey, BatchMarks>; readonly error: ErrorInfo | null } {
  const window = marksWindow(scale, rule)
  const filtered = filterKey(filter)
  const lanes = JSON.stringify(indexes)
  const ask = indexes.length === 0 ? null : { indexes, pieces: window.pieces, filter }
  const { answer, key, error } = useAsk('indexing.marks', ask, `${window.key}|${filtered}|${lanes}`, version, 100)
  const [held, setHeld] = useState<Held<BatchMarks>>({ filterKey: '', byIndex: new Map() })
  const taken = useRef<typeof answer>(null)
  useEffect(() => {
    if (answer === null || taken.current === answer) return
    taken.current = answer
    const [, answeredFilter = '', ...answeredLanes] = key.split('|')
    setHeld((before) => {
      const keep = before.filterKey === answeredFilter && before.byIndex.size < MAX_LANES_HELD
      const byIndex = new Map(keep ? before.byIndex : [])
      // Keys of indexes hold bars themselves.
      const lanes = JSON.parse(answeredLanes.join('|')) as IndexKey[]
      lanes.forEach((lane, i) => {
        const row = answer.rows[i]
        if (row !== undefined) byIndex.set(lane, indexMarks(row))
      })
      return { filterKey: answeredFilter, byIndex }
    })
  }, [answer, key])
  return { marks: held.byIndex, error }
}

/** Operations of the batches of expanded lanes. */
export function useIcicles(
  indexes: readonly IndexKey[],
  scale: TimeScale,
  rule: FoldRule,
  filter: BatchFilter,
  version: number,
): ReadonlyMap<IndexKey, Icicle> {
  const window = marksWindow(scale, rule)
  // A pixel of the window may be half of one on the screen.
  const minPx = Math.round((ICICLE_PX * scale.ticksPerPx) / window.resolutionTicks) as CssPx
  const asks: readonly IndexingQueries['indexing.icicle']['ask'][] | null =
    indexes.length === 0 ? null : indexes.map((index) => ({ index, pieces: window.pieces, minPx, filter }))
  const { answer, key } = useAskAll<IndexingQueries['indexing.icicle']['answer']>(
    'indexing.icicle',
    asks,
    `${window.key}|${minPx}|${filterKey(filter)}|${JSON.stringify(indexes)}`,
    version,
    200,
  )
  const [held, setHeld] = useState<{ of: typeof answer; icicles: ReadonlyMap<IndexKey, Icicle> }>({
    of: null,
    icicles: new Map(),
  })
  if (answer !== null && held.of !== answer) {
    const lanes = JSON.parse(key.split('|').slice(3).join('|')) as IndexKey[]
    const icicles = new Map<IndexKey, Icicle>()
    lanes.forEach((lane, i) => {
      const one = answer[i]
      if (one !== undefined) icicles.set(lane, indexIcicle(one))
    })
    setHeld({ of: answer, icicles })
  }
  return held.icicles
}

export function useOverview(
  indexes: readonly IndexKey[],
  extent: TimeRange | null,
  widthPx: number,
  version: number,
): Asked<'indexing.overview'> {
  const width = Math.round(widthPx) as CssPx
  const ask = extent === null || widthPx < 1 ? null : { ...extent, indexes, widthPx: width }
  const key = `${extent === null ? '' : rangeKey(extent)}|${width}|${indexes.join('\n')}`
  return useAsk('indexing.overview', ask, key, version, 500)
}

/** An answer of a range, with the range that it is of. */
export interface AskedOfRange extends Asked<'indexing.summary'> {
  /** Null: no answer yet. */
  readonly range: TimeRange | null
  /** The answer is of another range, filter or choice of indexes than what is asked now. */
  readonly isOld: boolean
}

/** `indexes` null: they are not known yet, so nothing is asked. */
export const useSummary = (
  indexes: readonly IndexKey[] | null,
  range: TimeRange,
  filter: BatchFilter,
  version: number,
): AskedOfRange => useOfRange(indexes, range, filter, { largestLimit: LARGEST_LIMIT, operations: false }, version, 250)

/** Time by operation: dearer, so it comes apart, and seldomer while the range follows what is new. */
export const useOperations = (
  indexes: readonly IndexKey[] | null,
  range: TimeRange,
  filter: BatchFilter,
  version: number,
  live: boolean,
): AskedOfRange => useOfRange(indexes, range, filter, OPERATIONS, version, live ? 700 : 150)

const OPERATIONS = { largestLimit: 0, operations: true }

function useOfRange(
  indexes: readonly IndexKey[] | null,
  range: TimeRange,
  filter: BatchFilter,
  what: Pick<IndexingQueries['indexing.summary']['ask'], 'largestLimit' | 'operations'>,
  version: number,
  everyMs: number,
): AskedOfRange {
  const ask = indexes === null ? null : { ...range, indexes, filter, ...what }
  const key = `${rangeKey(range)}|${filterKey(filter)}|${indexes?.join('\n') ?? ''}`
  const asked = useAsk('indexing.summary', ask, key, version, everyMs)
  return { ...asked, range: rangeOfKey(asked.key), isOld: asked.answer !== null && asked.key !== key }
}

/** Null ref: nothing is asked, and nothing is answered. */
export function useCard(
  ref: BatchRef | null,
  version: number,
): {
  readonly card: IndexingQueries['indexing.card']['answer']
  readonly known: boolean
  readonly error: ErrorInfo | null
} {
  const key = ref === null ? '' : formatBatchRef(ref)
  const asked = useAsk('indexing.card', ref === null ? null : { ref }, key, version, 80)
  const fresh = ref !== null && asked.key === key
  return { card: fresh ? asked.answer : null, known: fresh, error: ref === null ? null : asked.error }
}

export const useFindings = (sources: readonly SourceId[], version: number): Asked<'indexing.findings'> =>
  useAsk('indexing.findings', { sources }, sources.join('\n'), version, 700)

/** Budgets of a window, with the moment that each of its columns stands for. */
export interface BudgetColumns {
  readonly answer: IndexingQueries['indexing.budgets']['answer']
  /** Ascending; as long as the columns. */
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
  const ask = indexes.length === 0 ? null : { indexes, pieces: window.pieces }
  const asked = useAsk('indexing.budgets', ask, `${window.key}|${indexes.join('\n')}`, version, 500)
  const [held, setHeld] = useState<BudgetColumns | null>(null)
  if (asked.answer !== null && held?.answer !== asked.answer) setHeld(columnsOf(asked.answer, asked.key))
  return { columns: held, error: asked.error }
}

/** The window's key says which pieces were asked for: `<ticks of a pixel> <start>-<end> …`. */
function columnsOf(answer: BudgetColumns['answer'], key: string): BudgetColumns {
  const [windowKey = ''] = key.split('|')
  const stepTicks = Number(windowKey.split(' ')[0])
  const atTicks: number[] = []
  for (const [, start, end] of windowKey.matchAll(/ (-?\d+)-(-?\d+)/g))
    for (let at = Number(start); at < Number(end); at += stepTicks) atTicks.push(at)
  return { answer, atTicks: Float64Array.from(atTicks), stepTicks }
}

export function useMemory(
  sources: readonly SourceId[],
  scale: TimeScale,
  rule: FoldRule,
  version: number,
): Asked<'indexing.memory'> {
  const window = marksWindow(scale, rule)
  const key = `${window.key}|${sources.join('\n')}`
  return useAsk('indexing.memory', { sources, pieces: window.pieces }, key, version, 500)
}

export const useBar = (sources: readonly SourceId[], atTicks: Ticks, version: number): Asked<'indexing.bar'> =>
  useAsk('indexing.bar', { sources, atTicks }, `${Math.round(atTicks)}|${sources.join('\n')}`, version, 150)
