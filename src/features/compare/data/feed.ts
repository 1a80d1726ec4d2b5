import type { Feed } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import { laterFeed } from '../../../capture/worker/later-feed.ts'
import type { ComparedFeed, CompareRequests, CompareSideParams, FeedLines } from '../contract.ts'

/** Reads the lines of a feed. */
export type LinesOf = (params: CompareSideParams) => Promise<FeedLines>

/** Feed that compares data collected by other feeds; it has none of its own. */
export function compareFeed(feeds: Readonly<Record<ComparedFeed, LinesOf>>): Feed {
  return laterFeed('compare', async () => {
    const { sideFigures } = await import('./side.ts')
    return {
      responses: {
        'compare.side': async (params, _governor, signal) => {
          const lines = await feeds[params.feed](params)
          return { ...(await sideFigures(lines, params, signal)), version: lines.version }
        },
      } satisfies Handlers<keyof CompareRequests>,
    }
  })
}
