import { clipLimits, DEFAULT_LIMITS, type OverheadLimits } from '../../ravendb/budget/plan.ts'
import { readStored, watchStored, writeStored } from '../../ui/storage.ts'
import type { CaptureClient } from './client.ts'

export { DEFAULT_LIMITS, type OverheadLimits } from '../../ravendb/budget/plan.ts'

const KEY = 'overhead-limits'

/** Resumes, on all pages of this browser, what the overhead limit has paused. Errors: `CaptureError`. */
export async function resume(capture: CaptureClient): Promise<void> {
  await capture.request('governor.resume', null)
}

/** Sets and stores the limits on every page of this browser. Errors: `CaptureError`, with the old ones kept. */
export async function setOverheadLimits(capture: CaptureClient, limits: OverheadLimits): Promise<void> {
  writeStored(KEY, JSON.stringify(clipLimits(limits)))
  await capture.request('governor.limits', limits)
}

/** Applies the stored limits now, to a new worker, and when another page changes them. The result ends it. */
export function followOverheadLimits(capture: CaptureClient): () => void {
  // The page on which the limits were changed shows its own failure.
  const apply = (): void => void capture.request('governor.limits', storedLimits()).catch(reportError)
  if (readStored(KEY) !== null) apply()
  let { lives } = capture.getState().worker
  const stopWorker = capture.subscribe(() => {
    if (capture.getState().worker.lives === lives) return
    lives = capture.getState().worker.lives
    if (readStored(KEY) !== null) apply()
  })
  const stopStored = watchStored(KEY, apply)
  return () => {
    stopWorker()
    stopStored()
  }
}

/** Stored limits, maybe from an older page or edited by hand: a missing or invalid value becomes the default. */
function storedLimits(): OverheadLimits {
  try {
    const { attended, background } = JSON.parse(readStored(KEY) ?? '{}') as Partial<
      Record<keyof OverheadLimits, unknown>
    >
    return clipLimits({ attended: Number(attended ?? Number.NaN), background: Number(background ?? Number.NaN) })
  } catch {
    return DEFAULT_LIMITS
  }
}
