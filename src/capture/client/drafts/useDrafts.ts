import { useEffect, useSyncExternalStore } from 'react'
import { DraftStore, type Drafts } from './draft-store.ts'

/** Store of drafts, shared by the whole page. */
export const draftStore = new DraftStore()

/** Drafts of this browser, including those that other pages had stored when this page was last shown. */
export function useDrafts(): Drafts {
  useEffect(() => {
    const seen = (): void => {
      if (document.visibilityState === 'visible') void draftStore.read()
      else void draftStore.flush()
    }
    const leaving = (): void => void draftStore.flush()
    // Warns only while a text is not stored.
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
