import { clipLimits, DEFAULT_LIMITS, type OverheadLimits } from '../../ravendb/budget/plan.ts'
import { readStored, watchStored, writeStored } from '../../ui/storage.ts'
import type { CaptureClient } from './client.ts'

export { DEFAULT_LIMITS, type OverheadLimits } from '../../ravendb/budget/plan.ts'

const KEY = 'overhead-limits'

/** Opens what the overhead limit has paused, on all pages of this browser. Errors: `CaptureError`. */
export async function resume(capture: CaptureClient): Promise<void> {
  await capture.request('governor.resume', null)
}

/** On this page and every other one of this browser, and after a reload. Errors: `CaptureError`, where this page goes on as before. */
export async function setOverheadLimits(capture: CaptureClient, limits: OverheadLimits): Promise<void> {
  writeStored(KEY, JSON.stringify(clipLimits(limits)))
  await capture.request('governor.limits', limits)
}

/** Applies the stored limits now, to a new worker, and whenever another page changes them. Returns how to stop. */
export function followOverheadLimits(capture: CaptureClient): () => void {
  // No user waits for it here: the page on which the limits were changed shows its own failure.
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

/** Limits as stored, maybe by an older page or by hand: a missing value, or one that is no number, is the default. */
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
