import type { Feed, LaterPart } from './feed.ts'

/** A feed that only responds to requests, by code that is loaded later: it watches nothing and reads no files. */
export const laterFeed = (name: string, later: () => Promise<LaterPart>): Feed => ({
  name,
  later,
  responses: {},
  watch: () => null,
  recognises: () => false,
  reader: () => {
    throw new Error(`No document is of ${name}.`)
  },
  extent: () => null,
  summary: () => [],
  byteLength: () => ({ tables: 0, other: 0, rows: 0 }),
})
