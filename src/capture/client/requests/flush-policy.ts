import { beginWork } from '../../../charts/timeline/settle.ts'

/** Duration of a flush, ms: until panels that appear with the first responses have sent their requests as well. */
const FLUSH_MS = 1000

let flushUntilMs = Number.NEGATIVE_INFINITY
let open = 0
const waiting = new Set<() => void>()

/**
 * Makes panels send all requests that they defer. Panels pace requests, because another change of the data usually
 * follows; it does not at the end of a file, or when a script waits for rest.
 */
export function flushNow(): void {
  flushUntilMs = performance.now() + FLUSH_MS
  // After the listeners of the change: their new requests replace those that they deferred.
  setTimeout(() => {
    for (const send of waiting) send()
  }, 0)
}

export const isFlushing = (nowMs: number): boolean => nowMs < flushUntilMs

/** Calls `send` when deferred requests must be sent now, until the returned function is called. */
export function onFlush(send: () => void): () => void {
  waiting.add(send)
  return () => waiting.delete(send)
}

/** Records a pending request, or what will send one. Call the result once it is answered or dropped. */
export function beginRequest(): () => void {
  const endWork = beginWork()
  let isOpen = true
  open++
  return () => {
    if (isOpen) open--
    isOpen = false
    endWork()
  }
}

/** Number of pending requests of panels. */
export const openRequests = (): number => open
