import type { Feed } from '../../../capture/worker/feed.ts'
import { laterFeed } from '../../../capture/worker/later-feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { RecentStalls, StallsRequests } from '../contract.ts'
import type { StallSource } from './responses.ts'

/** Feed that judges the data of the I/O feed; it has no data of its own. `recent`: see `stalls.recent`. */
export function stallsFeed(io: StallSource, recent: () => RecentStalls | null): Feed {
  return laterFeed('stalls', async () => {
    const [{ StallsJudge }, { stallMarks }] = await Promise.all([import('./responses.ts'), import('./marks.ts')])
    const judge = new StallsJudge(io)
    return {
      responses: {
        'stalls.judge': (params, _governor, signal) => judge.respond(params, signal),
        'stalls.recent': recent,
        'stalls.marks': (params, _governor, signal) => stallMarks(judge, params, signal),
      } satisfies Handlers<keyof StallsRequests>,
    }
  })
}
