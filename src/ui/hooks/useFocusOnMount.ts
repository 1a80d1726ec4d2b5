import { useEffect, useRef, type RefObject } from 'react'

/** Gives an element the focus as it appears: the first thing that one types in what a click has opened. */
export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

/** Something on the page has had the focus: until then there is none to lose. */
let hasBegun = false
document.addEventListener('focusin', () => (hasBegun = true), { once: true })

/**
 * Gives an element the focus as it appears, or as `state` changes, where what had it before is gone; not on a page that was
 * just loaded.
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
