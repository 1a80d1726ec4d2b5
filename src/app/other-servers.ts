import { pathOfServer, serverPathOf } from '../base/http/stand-alone.mjs'
import { followOverheadLimits } from '../capture/client/overhead.ts'
import { createQueryClient } from '../capture/client/requests/queries.ts'
import type { RemoteCapture } from '../capture/client/remote.ts'
import { parseSourceId, type SourceId } from '../capture/client/state.ts'
import type { LaneWants, OtherServers, ServerShare } from '../capture/frame/lanes/servers/other-servers.ts'
import type {} from '../features/servers/contract.ts'
import { connectServer } from './connect.ts'

/** Time, ms, for which a capture without a user is kept: a lane may return. */
const KEEP_MS = 30_000

/** Capture of another server in a worker of its own, shared by all its lanes. */
class OtherCapture {
  readonly #capture: RemoteCapture
  readonly #queries = createQueryClient()
  readonly #wants = new Map<symbol, LaneWants>()
  readonly #stop: () => void
  readonly #ended: () => void
  #timer: number | null = null
  #front: string | null = null

  constructor(name: string, ended: () => void) {
    this.#ended = ended
    this.#capture = connectServer(name)
    const tell = (): void => this.#capture.setHidden(document.hidden)
    tell()
    document.addEventListener('visibilitychange', tell)
    const stopLimits = followOverheadLimits(this.#capture)
    this.#stop = () => {
      document.removeEventListener('visibilitychange', tell)
      stopLimits()
    }
  }

  share(): ServerShare {
    const id = Symbol('share')
    this.#wants.set(id, { sources: [], front: null })
    if (this.#timer !== null) window.clearTimeout(this.#timer)
    this.#timer = null
    return {
      capture: this.#capture,
      queries: this.#queries,
      want: (wants) => {
        this.#wants.set(id, wants)
        this.#apply()
      },
      close: () => {
        if (!this.#wants.delete(id)) return
        this.#apply()
        if (this.#wants.size === 0) this.#timer = window.setTimeout(() => this.#end(), KEEP_MS)
      },
    }
  }

  #apply(): void {
    const all = [...this.#wants.values()]
    const sources = new Set<SourceId>(all.flatMap((wants) => wants.sources))
    this.#capture.watch([...sources].map(parseSourceId).filter((ref) => ref !== null))
    const feeds = [...new Set(all.flatMap(({ front }) => (front === null ? [] : [front])))].toSorted()
    const text = feeds.length === 0 ? null : feeds.join(' ')
    if (text === this.#front) return
    this.#front = text
    this.#capture.setFront(feeds.length === 0 ? null : feeds)
  }

  #end(): void {
    this.#stop()
    this.#capture.close()
    this.#ended()
  }
}

const captures = new Map<string, OtherCapture>()
const own = serverPathOf(location.pathname)
const nameOf = (path: string): string => path.slice(pathOfServer('').length)

/** Other servers of the stand-alone server than the page's own. */
export const OTHER_SERVERS: OtherServers = {
  own: own === '' ? null : nameOf(own),
  list: async (request, signal) =>
    own === ''
      ? []
      : (await request('servers.names', null, signal))
          .filter(({ path }) => path !== own)
          .map(({ path, state, why }) => ({ name: nameOf(path), refusal: state === 'silent' ? why : null })),
  share: (name) => {
    const capture = captures.get(name) ?? new OtherCapture(name, () => captures.delete(name))
    captures.set(name, capture)
    return capture.share()
  },
  hrefOf: (name, hash) => `${pathOfServer(name)}/studio/index.html${hash}`,
}
