import type { Exporters } from '../../../capture/exporting/exporter.ts'
import type { Feed } from '../../../capture/worker/feed.ts'
import { laterFeed } from '../../../capture/worker/later-feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { ArchiveRequests } from '../contract.ts'
import type { RecordedServers } from './recorded-servers.ts'

export interface Archives {
  readonly servers: RecordedServers
  readonly responses: Handlers<keyof ArchiveRequests>
  readonly exporters: Exporters<'archive.capture' | 'archive.rows'>
}

/** Feed of recorded servers: everything recorded of each except I/O and batches. */
export function archiveFeed(load: () => Promise<Archives>): Feed {
  let archives: Promise<Archives> | null = null
  const get = (): Promise<Archives> => (archives ??= load())
  return {
    ...laterFeed('archive', get),
    takeRows: async (rows, sourceOf) => (await get()).servers.takeRows(rows, sourceOf),
  }
}
