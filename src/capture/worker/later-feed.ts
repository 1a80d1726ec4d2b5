import type { Governor } from '../../ravendb/governor/governor.ts'
import type { Feed, LaterPart } from './feed.ts'

/**
 * A feed that only handles requests, with code that is loaded later: it watches nothing and reads no files. `governor`:
 * for exports, which get none. It throws `Error` before a server has answered.
 */
export function laterFeed(name: string, later: (governor: () => Governor) => Promise<LaterPart>): Feed {
  let known: Governor | null = null
  return {
    name,
    responses: {},
    begin: (governor) => {
      known = governor
    },
    later: () =>
      later(() => {
        if (known === null) throw new Error('No server has answered yet.')
        return known
      }),
  }
}
