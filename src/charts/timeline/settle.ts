/**
 * Counts pending frames and responses of charts, so that a test (and `rookery.idle()`) can wait for the last picture
 * instead of a fixed time.
 */
let owed = 0
let waiting: (() => void)[] = []

/** Call it when something will be drawn later, and its result when that is drawn or abandoned. */
export function beginWork(): () => void {
  owed++
  let open = true
  return () => {
    if (!open) return
    open = false
    owed--
    if (owed > 0) return
    const settled = waiting
    waiting = []
    for (const resolve of settled) resolve()
  }
}

/** Resolves when nothing is pending; at once if nothing is. */
export const settled = (): Promise<void> =>
  owed === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
