import type { Feed } from '../../../capture/worker/feed.ts'
import type { Governor } from '../../../ravendb/budget/governor.ts'

/** Responds to the panel Query by code that is loaded later, and remembers through what its exports are requested. */
export function queryFeed(): Feed {
  let known: Governor | null = null
  return {
    name: 'query',
    responses: {},
    begin: (governor) => {
      known = governor
    },
    later: async () => {
      const { queryResponses } = await import('./responses.ts')
      return queryResponses(() => {
        if (known === null) throw new Error('No server has answered yet.')
        return known
      })
    },
  }
}
