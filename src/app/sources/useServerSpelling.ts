import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { CaptureClient } from '../../capture/client/client.ts'
import { distinctSources, parseSourceId, type SourceId } from '../../capture/client/state.ts'
import type { AddressStore } from '../url/view-store.ts'

/**
 * A link may spell the name of a database in its own way: the server is asked once for each, and from then on the source
 * is called as the server does. Where it cannot be asked, the link's spelling stays.
 */
export function useServerSpelling(client: CaptureClient, store: AddressStore, sources: readonly SourceId[]): void {
  const hasServer = useSyncExternalStore(client.subscribe, () => client.getState().server !== null)
  const asked = useRef(new Set<SourceId>())
  useEffect(() => {
    if (!hasServer) return
    for (const id of sources) {
      const ref = parseSourceId(id)
      if (ref?.kind !== 'database' || asked.current.has(id)) continue
      asked.current.add(id)
      client.request('databases.spelling', { name: ref.name }).then(
        (name) => {
          if (name === null || name === ref.name) return
          const { view } = store.getSnapshot()
          const spelled: SourceId = `db:${name}`
          asked.current.add(spelled)
          if (view.sources.includes(id))
            store.change({ sources: distinctSources(view.sources.map((each) => (each === id ? spelled : each))) })
        },
        // What is wrong with the server is said by its own notice; the next visit asks again.
        () => asked.current.delete(id),
      )
    }
  }, [client, store, sources, hasServer])
}
