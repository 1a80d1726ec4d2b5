/**
 * Work that charts still owe the screen: frames requested and responses awaited. Lets a test (and `rookery.idle()`) wait for
 * the last picture instead of for a time.
 */
let owed = 0
let waiting: (() => void)[] = []

/** Call when something will be drawn later; call what it returns when it is drawn or given up. */
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

/** Resolves at the next moment at which nothing is owed; at once if that is now. */
export const settled = (): Promise<void> =>
  owed === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
