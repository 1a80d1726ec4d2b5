import { useEffect, useRef, type RefObject } from 'react'

/** Gives an element the focus as it appears: the first thing that one types in what a click has opened. */
export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

/** Gives an element the focus as it appears, where what had it before is gone. */
export function useFocusWhenLost<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
