import type { Feed } from '../capture/feed.ts'
import { IoFeed } from '../features/io/feed.ts'

/** Every kind of data that a capture holds; one line a feed. */
export const createFeeds = (): Feed[] => [new IoFeed()]
