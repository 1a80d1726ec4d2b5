import { useSyncExternalStore } from 'react'

/** The width below which style sheets lay a page out for a phone. */
const NARROW = '(width < 40rem)'

const query = (): MediaQueryList | null => (typeof window.matchMedia === 'function' ? window.matchMedia(NARROW) : null)

const subscribe = (changed: () => void): (() => void) => {
  const list = query()
  list?.addEventListener('change', changed)
  return () => list?.removeEventListener('change', changed)
}

/** A phone, or a window as narrow as one: for what needs other elements there, and not only other styles. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query()?.matches ?? false)
