import type { Feed } from '../capture/feed.ts'
import { IndexingFeed } from '../features/indexing/feed.ts'
import { IoFeed } from '../features/io/feed.ts'
import { ServerFeed } from '../features/server/feed.ts'
import { StacksFeed } from '../features/stacks/feed.ts'
import { indexNamesOf } from './index-names.ts'
import { factsOf, machineCpuOf } from './server-facts.ts'

/** Every kind of data that a capture holds; one line a feed. */
export function createFeeds(): Feed[] {
  const indexing = new IndexingFeed()
  const io = new IoFeed(indexNamesOf(indexing))
  const server = new ServerFeed({ others: () => factsOf(io, indexing) })
  return [io, indexing, new StacksFeed({ machineCpu: machineCpuOf(server) }), server]
}
