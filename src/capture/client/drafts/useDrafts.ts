import { useEffect, useSyncExternalStore } from 'react'
import { DraftStore, type Drafts } from './draft-store.ts'

/** Store of drafts that the whole page shares. */
export const draftStore = new DraftStore()

/** Drafts of this browser, with what other pages had stored when this one was shown last. */
export function useDrafts(): Drafts {
  useEffect(() => {
    const seen = (): void => {
      if (document.visibilityState === 'visible') void draftStore.read()
      else void draftStore.flush()
    }
    const leaving = (): void => void draftStore.flush()
    // Nothing else holds a page back: what is typed is stored.
    const unloading = (event: BeforeUnloadEvent): void => {
      if (draftStore.isAtRisk) event.preventDefault()
    }
    document.addEventListener('visibilitychange', seen)
    addEventListener('beforeunload', unloading)
    addEventListener('pagehide', leaving)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      removeEventListener('pagehide', leaving)
      removeEventListener('beforeunload', unloading)
    }
  }, [])
  return useSyncExternalStore(draftStore.subscribe, draftStore.getSnapshot)
}
