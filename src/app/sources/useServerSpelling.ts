import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { CaptureClient } from '../../capture/client/client.ts'
import { distinctSources, parseSourceId, type SourceId } from '../../capture/client/state.ts'
import type { View } from '../../capture/client/view.ts'
import type { AddressStore } from '../url/view-store.ts'

/**
 * Replaces the spelling of a database name in a link by the server's, requested once for each name, in the sources and
 * the scope. Without a response the spelling of the link stays.
 */
export function useServerSpelling(client: CaptureClient, store: AddressStore, { sources, database }: View): void {
  const hasServer = useSyncExternalStore(client.subscribe, () => client.getState().server !== null)
  const requested = useRef(new Set<SourceId>())
  useEffect(() => {
    if (!hasServer) return
    for (const id of database === null ? sources : [...sources, `db:${database}`]) {
      const ref = parseSourceId(id)
      if (ref?.kind !== 'database' || requested.current.has(id)) continue
      requested.current.add(id)
      client.request('databases.spelling', { name: ref.name }).then(
        (name) => {
          if (name === null || name === ref.name) return
          const { view } = store.getSnapshot()
          const spelled: SourceId = `db:${name}`
          requested.current.add(spelled)
          if (view.sources.includes(id))
            store.change({ sources: distinctSources(view.sources.map((each) => (each === id ? spelled : each))) })
          if (view.database === ref.name) store.change({ database: name })
        },
        // Errors of the server have their own notice; the next visit requests the name again.
        () => requested.current.delete(id),
      )
    }
  }, [client, store, sources, database, hasServer])
}
