import { beginWork } from '../../../charts/timeline/settle.ts'

/** How long it lasts, ms: until panels that appear only with the first responses have sent their requests as well. */
const FLUSH_MS = 1000

let flushUntilMs = Number.NEGATIVE_INFINITY
let open = 0
const waiting = new Set<() => void>()

/**
 * Panels pace their requests, since the next change of the data is on its way. When there is none (a file was read to its
 * end, a script waits for rest), all that they still defer is requested at once.
 */
export function flushNow(): void {
  flushUntilMs = performance.now() + FLUSH_MS
  // After the listeners of the change that is the reason: what they want now replaces what they deferred.
  setTimeout(() => {
    for (const send of waiting) send()
  }, 0)
}

export const isFlushing = (nowMs: number): boolean => nowMs < flushUntilMs

/** `send` is called when deferred requests are due now, until what this returns is called. */
export function onFlush(send: () => void): () => void {
  waiting.add(send)
  return () => waiting.delete(send)
}

/** A request is wanted, or something that will send one; call what this returns when it has its response or is dropped. */
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

/** Requests of panels that are wanted and have no response yet. */
export const openRequests = (): number => open
