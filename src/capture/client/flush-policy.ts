import { beginWork } from '../../charts/timeline/settle.ts'

/** How long it lasts, ms: until panels that come into being only by the first answers have asked as well. */
const HASTE_MS = 1000

let hastyUntilMs = Number.NEGATIVE_INFINITY
let open = 0
const held = new Set<() => void>()

/**
 * Panels pace their questions, since the next change of the data is on its way. When there is none (a file is over,
 * somebody waits for rest), all that they still hold back is asked at once.
 */
export function hurry(): void {
  hastyUntilMs = performance.now() + HASTE_MS
  // After those who were told of the change that is the reason: what they want now replaces what they held back.
  setTimeout(() => {
    for (const ask of held) ask()
  }, 0)
}

export const isHasty = (nowMs: number): boolean => nowMs < hastyUntilMs

/** `ask` is called when it is time to hurry, until what this returns is called. */
export function holdBack(ask: () => void): () => void {
  held.add(ask)
  return () => held.delete(ask)
}

/** A question is wanted, or something that will ask one; call what this returns when it is answered or given up. */
export function beginAsk(): () => void {
  const endWork = beginWork()
  let isOpen = true
  open++
  return () => {
    if (isOpen) open--
    isOpen = false
    endWork()
  }
}

/** Questions of panels that are wanted and not answered yet. */
export const openAsks = (): number => open
