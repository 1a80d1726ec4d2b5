import { ticksFromMs, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { GovernorEnv } from '../../ravendb/env.ts'
import type { ServerClock } from './server-clock.ts'

/** A response is seldom under way for so long. */
const SET_BACK_TICKS = 60 * TICKS_PER_SECOND

/** Sent by the stand-alone server that refuses changes (`tools/serve.mjs`). */
const VIEW_ONLY_HEADER = 'rookery-view-only'

/** Sent by the stand-alone server on all that it forwards: its parser knows only the methods of HTTP. */
const STAND_ALONE_HEADER = 'rookery-stand-alone'

/** As the stand-alone server understands it (`tools/serve/method.mjs`). */
function standardMethod(init: RequestInit): RequestInit {
  if (init.method !== 'RESET') return init
  const headers = new Headers(init.headers)
  headers.set('rookery-method', init.method)
  return { ...init, method: 'POST', headers }
}

/**
 * The same, and learns from each response: the clock when the server gave it, whether changes are refused, and whether the
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
      // Set back: what was learnt before would stay for ever.
      if (clock.at(env.now()) - dateTicks > SET_BACK_TICKS) clock.reset()
      clock.observe(dateTicks, env.now())
      if (response.headers.has(VIEW_ONLY_HEADER)) onViewOnly()
      return response
    },
  }
}
