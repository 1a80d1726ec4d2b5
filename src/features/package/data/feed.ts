import { laterFeed } from '../../../capture/worker/later-feed.ts'
import type { Feed, ListedPackage } from '../../../capture/worker/feed.ts'
import type { Packages } from './store.ts'

/** Feed of debug packages. The responses of the servers are read before the events of the package. */
export function packageFeed(load: () => Promise<Packages>): Feed {
  let packages: Promise<Packages> | null = null
  const get = (): Promise<Packages> => (packages ??= load())
  return {
    ...laterFeed('package', async () => ({ responses: (await get()).responses })),
    takePackage: async (opened: ListedPackage) => (await get()).take(opened),
  }
}
