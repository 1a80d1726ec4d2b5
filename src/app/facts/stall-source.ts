import { parseSourceId } from '../../capture/client/state.ts'
import { formatEventRef } from '../../feeds/io/contract/event-ref.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import type { ServerFeed } from '../../feeds/server/data/feed.ts'
import type { StallSource } from '../../features/stalls/data/responses.ts'

/** Inputs for judging stalls: rows of the I/O feed, and the server's figures of the same time. */
export const stallSourceOf = (io: IoFeed, server: ServerFeed): StallSource => ({
  version: () => io.store.version,
  columns: async (params) => (await import('../../feeds/io/data/columns.ts')).ioColumns(io.store, io.names, params),
  selectionOf: formatEventRef,
  volumeOf: (source) => {
    const ref = parseSourceId(source)
    const { volumes, databases } = server.model
    if (ref?.kind === 'server') return volumes.only(null, databases)
    return ref?.kind === 'database' ? volumes.only(ref.name, databases) : null
  },
  circumstances: async (within) => (await import('./stall-circumstances.ts')).circumstancesOf(server.model, within),
})
