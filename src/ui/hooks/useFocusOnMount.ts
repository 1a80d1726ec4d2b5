import { useEffect, useRef, type RefObject } from 'react'

/** Gives an element the focus as it appears: the first thing that one types in what a click has opened. */
export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

/** Gives an element the focus as it appears, where what a user had it on before is gone; not on a page that was just loaded. */
export function useFocusWhenLost<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    const isLost =
      document.activeElement === document.body &&
      'userActivation' in navigator &&
      navigator.userActivation.hasBeenActive
    if (isLost) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
