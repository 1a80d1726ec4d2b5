import { useSyncExternalStore } from 'react'

/** Width below which style sheets use the layout for phones. */
const NARROW = '(width < 40rem)'

const query = (): MediaQueryList | null => (typeof window.matchMedia === 'function' ? window.matchMedia(NARROW) : null)

const subscribe = (changed: () => void): (() => void) => {
  const list = query()
  list?.addEventListener('change', changed)
  return () => list?.removeEventListener('change', changed)
}

/** Whether the window is as narrow as a phone, for views that need other elements there and not only other styles. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query()?.matches ?? false)
