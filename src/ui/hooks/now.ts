import { useSyncExternalStore } from 'react'

/** Interval, ms, at which ages are updated on a hidden page: enough for the title of its tab, and for reminders. */
const HIDDEN_EVERY_MS = 10_000

/** Clock of whole seconds for all ages on the page; stopped without subscribers. */
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

function tick(): void {
  if (document.hidden && Math.abs(Date.now() - nowMs) < HIDDEN_EVERY_MS) return
  nowMs = Date.now()
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  if (timer === null) {
    nowMs = Date.now()
    timer = setInterval(tick, 1000)
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
    timer = null
  }
}

/** While stopped, the clock does not go on by itself: the first component to show an age would show one of long ago. */
function now(): number {
  if (timer === null && Math.abs(Date.now() - nowMs) >= 1000) nowMs = Date.now()
  return nowMs
}

/** Wall clock in ms since 1970, updated every second while the page is visible. */
export const useNow = (): number => useSyncExternalStore(subscribe, now)
