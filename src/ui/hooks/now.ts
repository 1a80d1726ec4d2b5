import { useSyncExternalStore } from 'react'

/** One clock of whole seconds for all ages on the page; it is stopped without subscribers. */
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

function tick(): void {
  nowMs = Date.now()
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  if (timer === null) {
    nowMs = Date.now()
    timer = setInterval(tick, 1000)
  }
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

/** Wall clock in ms since 1970, renewed every second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs)
