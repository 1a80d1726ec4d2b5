import { useEffect } from 'react'
import type { CaptureClient } from '../capture/client/client.ts'
import { followOverheadLimits } from '../capture/client/overhead.ts'
import { parseSourceId } from '../capture/client/state.ts'
import type { SourceId } from '../capture/client/state.ts'
import { useAttention } from '../ui/hooks/useAttention.ts'
import { FileFollower } from './sources/follow-files.ts'
import type { AddressStore } from './url/view-store.ts'

/** Keeps the capture in step with the page: watched sources, feeds of the panel in front (`shows`), files. */
export function useCaptureLifecycle(
  client: CaptureClient,
  store: AddressStore,
  shows: readonly string[],
  sources: readonly SourceId[],
): void {
  // As text, because each reading of the address creates a new array of the same sources.
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

  const isAttentive = useAttention()
  useEffect(() => {
    client.setFront(isAttentive ? shows : null)
  }, [client, isAttentive, shows])
  useEffect(() => followOverheadLimits(client), [client])

  useEffect(() => {
    const follower = new FileFollower(client, store)
    return () => follower.dispose()
  }, [client, store])
}
