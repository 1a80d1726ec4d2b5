import type { Feed } from '../../../capture/worker/feed.ts'
import { laterFeed } from '../../../capture/worker/later-feed.ts'
import type { RecordedServers } from './recorded-servers.ts'

/** Servers of recordings: what was recorded of each beside its I/O and batches. */
export function archiveFeed(load: () => Promise<RecordedServers>): Feed {
  let servers: Promise<RecordedServers> | null = null
  const get = (): Promise<RecordedServers> => (servers ??= load())
  return {
    ...laterFeed('archive', async () => ({ responses: (await get()).responses })),
    takeRows: async (rows, sourceOf) => (await get()).takeRows(rows, sourceOf),
  }
}
