import { Governor } from '../../ravendb/governor/governor.ts'
import type { LaterPart } from '../../capture/worker/feed.ts'
import { realEnv, type GovernorEnv, type TimerId } from '../../ravendb/env.ts'
import { ServerFeed } from '../../feeds/server/data/feed.ts'
import { browserHistoryStore } from '../../feeds/server/data/history/history-store.ts'
import type { HistoryStore } from '../../feeds/server/data/history/kept.ts'
import { lastHourOf, paramsOfHour } from '../../features/servers/data/last-hour.ts'
import { judgedServer } from './judged-server.ts'
import { serversResponses, type WatchedServer } from '../../features/servers/data/servers.ts'

/** `key`: of the stand-alone server, the same for all servers. */
export const watchedServers = (key: string | null): LaterPart =>
  serversResponses({ envOf: (url) => realEnv(url, key), watch: watchServer })

/**
 * Watches the vital signs of another server than the page's, with a governor of its own; non-vital requests use the
 * background limit. Stores nothing: the server's own page does, and what that stored is used here.
 */
export function watchServer(env: GovernorEnv, page: Governor): WatchedServer {
  const timers = endingTimers(env)
  const governor = new Governor(timers.env)
  governor.overhead.setLimits(page.overhead.limits)
  governor.setHidden(page.isHidden)
  const feed = new ServerFeed({ store: readOnly(browserHistoryStore()), tabs: env.tabs })
  const { responses } = judgedServer(feed)
  feed.begin(governor)
  return {
    figures: () => {
      const now = feed.responses['server.now'](null, governor)
      const hour = now.nowTicks === null ? null : paramsOfHour(now.nowTicks)
      return {
        now,
        triage: responses['triage.now'](null, governor),
        lastHour: hour === null ? null : lastHourOf(feed.responses['server.series'](hour, governor), hour),
      }
    },
    setHidden: (isHidden) => governor.setHidden(isHidden),
    close: () => {
      // Hands whatever it leads for other pages over to them.
      governor.setHidden(true)
      governor.close()
      timers.end()
    },
  }
}

const readOnly = (store: HistoryStore | null): HistoryStore | null =>
  store === null ? null : { load: store.load, save: () => Promise.resolve() }

/** Copy of the environment that works until `end`; no timer fires after that. */
function endingTimers(env: GovernorEnv): { readonly env: GovernorEnv; readonly end: () => void } {
  const waiting = new Set<TimerId>()
  let isEnded = false
  return {
    env: {
      ...env,
      setTimeout: (run, delayMs) => {
        const id = env.setTimeout(() => {
          waiting.delete(id)
          if (!isEnded) run()
        }, delayMs)
        waiting.add(id)
        return id
      },
      clearTimeout: (id) => {
        waiting.delete(id)
        env.clearTimeout(id)
      },
    },
    end: () => {
      isEnded = true
      for (const id of waiting) env.clearTimeout(id)
    },
  }
}
