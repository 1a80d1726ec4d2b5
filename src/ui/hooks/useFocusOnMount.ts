import { useEffect, useRef, type RefObject } from 'react'

/** Focuses an element when it appears: the first field in what a click has opened. */
export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

/** Whether any element has had the focus; before that none can be lost. */
let hasBegun = false
document.addEventListener('focusin', () => (hasBegun = true), { once: true })

/**
 * Focuses an element when it appears, or when `state` changes, if the element that had the focus is gone. Does nothing
 * on a page that was just loaded.
 */
export function useFocusWhenLost<E extends HTMLElement>(state: unknown = null): RefObject<E | null> {
  const ref = useRef<E>(null)
  const seen = useRef<unknown>(undefined)
  useEffect(() => {
    if (seen.current === state) return
    seen.current = state
    if (hasBegun && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [state])
  return ref
}
