import { useEffect } from 'react'
import type { CaptureClient } from '../capture/client.ts'
import { parseSourceId } from '../capture/state.ts'
import type { SourceId } from '../capture/state.ts'
import { FileFollower } from './follow-files.ts'
import type { AddressStore } from './viewstore.ts'

/** Keeps the capture in step with the page: what is watched, whether anybody looks, and files that were opened. */
export function useCaptureLifecycle(client: CaptureClient, store: AddressStore, sources: readonly SourceId[]): void {
  // As text: each reading of the address makes a new array of the same sources.
  const watched = JSON.stringify(sources)
  useEffect(() => {
    const ids = JSON.parse(watched) as readonly SourceId[]
    client.watch(ids.map(parseSourceId).filter((ref) => ref !== null))
  }, [client, watched])

  useEffect(() => {
    const tell = (): void => client.setHidden(document.hidden)
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [client])

  useEffect(() => {
    const follower = new FileFollower(client, store)
    return () => follower.dispose()
  }, [client, store])
}
