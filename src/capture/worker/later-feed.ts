import type { Feed, LaterPart } from './feed.ts'

/** A feed that only responds to requests, by code that is loaded later: it watches nothing and reads no files. */
export const laterFeed = (name: string, later: () => Promise<LaterPart>): Feed => ({ name, responses: {}, later })
