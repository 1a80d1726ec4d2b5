import { useState } from 'react'
import type { TickSpan } from '../base/brand.ts'
import { spanFromMs } from '../base/ticks.ts'
import { NO_FOLDS, type FoldRule } from '../charts/scale.ts'
import { useAsk } from './useAsk.ts'

/** Idle for less than this is never folded: pauses of that length are part of the story. */
const FOLD_LEAST: TickSpan = spanFromMs(2000)
/** A folded stretch, in CSS pixels: room for its length in words. */
const FOLD_PX = 40

/** The idle stretches to fold, by the query of that name (`<feature>.idle`); none while `fold` is off. */
export function useFoldRule(query: string, fold: boolean, version: number): FoldRule {
  const { answer } = useAsk<{ readonly spans: Float64Array }>(
    query,
    fold ? { minTicks: FOLD_LEAST } : null,
    fold ? 'fold' : '',
    version,
    500,
  )
  const [rule, setRule] = useState<{ readonly key: string; readonly rule: FoldRule }>({ key: '', rule: NO_FOLDS })
  const spans = answer?.spans ?? null
  // Most answers are equal; a new object would rebuild everything that hangs on the scale.
  const key = spans === null ? '' : `${spans.length} ${spans[0] ?? ''} ${spans.at(-2) ?? ''} ${spans.at(-1) ?? ''}`
  if (spans !== null && key !== rule.key) setRule({ key, rule: { idleSpans: spans, foldPx: FOLD_PX } })
  return fold ? rule.rule : NO_FOLDS
}
