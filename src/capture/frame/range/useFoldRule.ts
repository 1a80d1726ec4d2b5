import { useState } from 'react'
import type { TickSpan } from '../../../base/ticks.ts'
import { NO_FOLDS, type FoldRule } from '../../../charts/scale.ts'
import { FOLD_LEAST, foldRule } from '../../client/fold-rule.ts'
import type { Gap, SourceId } from '../../client/state.ts'
import type { RequestsLike } from '../../client/requests/requests.ts'
import { useRequest } from '../../client/requests/useRequest.ts'

interface IdleParams {
  readonly sources: readonly SourceId[]
  readonly minTicks: TickSpan
}

/** Requests for idle ranges of the sources of at least `minTicks`: start and end alternate, ascending. */
export type IdleRequest = RequestsLike<IdleParams, { readonly spans: Float64Array }>

/** Fold rule for the idle ranges of that request (`<feature>.idle`); no folds while `fold` is off. */
export function useFoldRule(
  name: IdleRequest,
  {
    sources,
    fold,
    version,
    gaps,
  }: {
    readonly sources: readonly SourceId[]
    readonly fold: boolean
    readonly version: number
    readonly gaps: readonly Gap[]
  },
): FoldRule {
  const { response } = useRequest(name, fold ? { sources, minTicks: FOLD_LEAST } : undefined, { version, everyMs: 500 })
  const [rule, setRule] = useState<{ readonly key: string; readonly rule: FoldRule }>({ key: '', rule: NO_FOLDS })
  const next = response === null ? null : foldRule(response.spans, gaps)
  const spans = next?.idleSpans ?? null
  // Most responses are equal; a new object would rebuild everything that depends on the scale.
  const key = spans === null ? '' : `${spans.length} ${spans[0] ?? ''} ${spans.at(-2) ?? ''} ${spans.at(-1) ?? ''}`
  if (next !== null && key !== rule.key) setRule({ key, rule: next })
  return fold ? rule.rule : NO_FOLDS
}
