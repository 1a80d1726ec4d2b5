import { useState } from 'react'
import type { TickSpan } from '../base/brand.ts'
import { spanFromMs } from '../base/ticks.ts'
import { NO_FOLDS, type FoldRule } from '../charts/scale.ts'
import type { Gap } from './state.ts'
import { useAsk } from './useAsk.ts'

/** Idle for less than this is never folded: pauses of that length are part of the story. */
const FOLD_LEAST: TickSpan = spanFromMs(2000)
/** A folded stretch, in CSS pixels: room for its length in words. */
const FOLD_PX = 40

/** The idle stretches to fold, by the query of that name (`<feature>.idle`); none while `fold` is off. */
export function useFoldRule(query: string, fold: boolean, version: number, gaps: readonly Gap[]): FoldRule {
  const { answer } = useAsk<{ readonly spans: Float64Array }>(
    query,
    fold ? { minTicks: FOLD_LEAST } : null,
    fold ? 'fold' : '',
    version,
    500,
  )
  const [rule, setRule] = useState<{ readonly key: string; readonly rule: FoldRule }>({ key: '', rule: NO_FOLDS })
  const spans = answer === null ? null : withoutStalls(answer.spans, gaps)
  // Most answers are equal; a new object would rebuild everything that hangs on the scale.
  const key = spans === null ? '' : `${spans.length} ${spans[0] ?? ''} ${spans.at(-2) ?? ''} ${spans.at(-1) ?? ''}`
  if (spans !== null && key !== rule.key) setRule({ key, rule: { idleSpans: spans, foldPx: FOLD_PX } })
  return fold ? rule.rule : NO_FOLDS
}

/** A stretch in which the server stood still is no idle one: it keeps its width. Spans: start, end, start, end … */
export function withoutStalls(spans: Float64Array, gaps: readonly Gap[]): Float64Array {
  const stalls = gaps
    .filter(({ reason }) => reason === 'server-stalled')
    .toSorted((a, b) => a.startTicks - b.startTicks)
  if (stalls.length === 0) return spans
  const rest: number[] = []
  const keep = (startTicks: number, endTicks: number): void => {
    if (endTicks - startTicks >= FOLD_LEAST) rest.push(startTicks, endTicks)
  }
  for (let i = 0; i + 1 < spans.length; i += 2) {
    let startTicks = spans[i] as number
    const endTicks = spans[i + 1] as number
    for (const stall of stalls) {
      if (stall.endTicks <= startTicks || stall.startTicks >= endTicks) continue
      keep(startTicks, stall.startTicks)
      startTicks = Math.max(startTicks, stall.endTicks)
    }
    keep(startTicks, endTicks)
  }
  return Float64Array.from(rest)
}
