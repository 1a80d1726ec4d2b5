import { judgedServer } from '../../app/facts/judged-server.ts'
import { laterFeed } from '../../capture/worker/later-feed.ts'
import type { Feed } from '../../capture/worker/feed.ts'
import type { ServerFeed } from '../../feeds/server/data/feed.ts'
import type { OtherFacts } from '../../features/triage/data/facts.ts'

/** Handlers of the findings of a server, wired up as in the app. */
export const judgedFeed = (server: ServerFeed) => judgedServer(server).responses

/** The same as a feed beside that of the server. */
export const triageFeed = (server: ServerFeed, others?: () => OtherFacts): Feed =>
  laterFeed('triage', () => Promise.resolve(judgedServer(server, others)))
