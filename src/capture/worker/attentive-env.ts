import { ticksFromMs, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { GovernorEnv } from '../../ravendb/env.ts'
import type { ServerClock } from './server-clock.ts'

/** Difference, ticks, that shows a clock set back: responses are seldom pending for that long. */
const SET_BACK_TICKS = 60 * TICKS_PER_SECOND

/** Header of the stand-alone server while it refuses changes (`tools/serve.mjs`). */
const VIEW_ONLY_HEADER = 'rookery-view-only'

/** Header of the stand-alone server in everything that it forwards; its parser accepts only the methods of HTTP. */
const STAND_ALONE_HEADER = 'rookery-stand-alone'

/** Method that the stand-alone server accepts (`tools/serve/method.mjs`). */
function standardMethod(init: RequestInit): RequestInit {
  if (init.method !== 'RESET') return init
  const headers = new Headers(init.headers)
  headers.set('rookery-method', init.method)
  return { ...init, method: 'POST', headers }
}

/**
 * Environment that learns from each response: the server's clock, whether changes are refused, and whether the
 * stand-alone server forwards it.
 */
export const attentiveEnv = (env: GovernorEnv, clock: ServerClock, onViewOnly: () => void): GovernorEnv => {
  let isStandAlone = false
  return {
    ...env,
    fetch: async (url, init) => {
      const response = await env.fetch(url, isStandAlone ? standardMethod(init) : init)
      isStandAlone ||= response.headers.has(STAND_ALONE_HEADER)
      const dateTicks = ticksFromMs(Date.parse(response.headers.get('date') ?? ''))
      // The clock was set back: earlier observations would stay valid for ever.
      if (clock.at(env.now()) - dateTicks > SET_BACK_TICKS) clock.reset()
      clock.observe(dateTicks, env.now())
      if (response.headers.has(VIEW_ONLY_HEADER)) onViewOnly()
      return response
    },
  }
}
