import type { ReactNode } from 'react'
import { formatDuration } from '../../base/text/format.ts'
import { spanFromMs } from '../../base/ticks.ts'
import { useNow } from '../../ui/hooks/now.ts'

/** Age, ms, below which nothing is shown. */
const WORTH_SAYING_MS = 30_000
const STEP_MS = 10_000

/** Age of data of a database that was not read again, because a request would keep the database loaded. */
export function ReadAge({ readMs }: { readonly readMs: number }): ReactNode {
  const ageMs = Math.floor((useNow() - readMs) / STEP_MS) * STEP_MS
  return ageMs < WORTH_SAYING_MS ? null : (
    <span className="note" title="It is not read all the time: requests would keep the database loaded.">
      Read {formatDuration(spanFromMs(ageMs))} ago
    </span>
  )
}
