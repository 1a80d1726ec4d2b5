import type { Governor } from '../../ravendb/governor/governor.ts'
import { ENDPOINTS } from '../../ravendb/endpoints.ts'
import { asRavenError, barsAll, type RavenError } from '../../ravendb/errors/errors.ts'
import type { SocketPhase } from '../../ravendb/sockets/socket-events.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import type { CaptureState, ErrorInfo, ServerInfo } from '../client/state.ts'

const VERSION_EVERY_MS = 15_000
/** Interval while the server does not answer, ms. */
const AGAIN_MS = 5000
/** Interval while the user must act first, ms; the user's action causes a check as well. */
const BARRED_AGAIN_MS = 15_000
/** Interval, ms, for a web server of files, which seldom becomes a RavenDB. */
const NO_SERVER_AGAIN_MS = 60_000

interface PresenceEvents {
  /** Called when the server answers for the first time. */
  readonly met: () => void
  readonly changed: () => void
}

/** Whether the server answers, and which server it is. */
export class ServerPresence {
  readonly #governor: Governor
  readonly #events: PresenceEvents
  #info: ServerInfo | null = null
  #error: ErrorInfo | null = null
  #isWaiting = false
  #isRequesting = false

  constructor(governor: Governor, events: PresenceEvents) {
    this.#governor = governor
    this.#events = events
    governor.witness.listen({ onChange: events.changed })
    // Checks at once, since the poll below may be a minute away by then.
    governor.onUnanswered = () => {
      if (this.#error === null) void this.check()
    }
    const everyMs = VERSION_EVERY_MS
    const onResponse = (response: unknown): void => this.#meet(response)
    governor.poll('buildVersion', {}, { everyMs, onResponse, onError: (error) => this.#miss(error) })
  }

  get now(): Pick<CaptureState, 'server' | 'serverError' | 'silence'> {
    const { silentSinceMs, unresponsive } = this.#governor.witness
    const silence = silentSinceMs === null ? null : { sinceMs: silentSinceMs, isUnresponsive: unresponsive !== null }
    return { server: this.#info, serverError: this.#error, silence }
  }

  /** Checks between two polls, for a panel, or because a source reports that the server went away or came back. */
  async check(): Promise<void> {
    if (this.#isRequesting) return
    this.#isRequesting = true
    try {
      this.#meet(await this.#governor.json('buildVersion', {}))
    } catch (error) {
      this.#miss(asRavenError(error, ENDPOINTS.buildVersion.route))
    } finally {
      this.#isRequesting = false
    }
  }

  /** Checks after a socket's report that may mean that the server went away or came back. */
  notice({ phase, error }: SocketPhase): void {
    const isBack = phase === 'open' && this.#error !== null
    const isGone = phase === 'waiting' && error?.status === null && this.#error === null
    if (isBack || isGone) void this.check()
  }

  /** Schedules the next check at a fixed interval, since polls become slower the worse the server answers. */
  #miss(error: RavenError): void {
    // A late response while other data of the server arrives: the browser may be short of CPU.
    if (error.kind !== 'timeout' || !this.#isReceiving) this.#error = error.toInfo()
    this.#events.changed()
    if (this.#isWaiting) return
    this.#isWaiting = true
    const againMs = error.kind === 'no-server' ? NO_SERVER_AGAIN_MS : barsAll(error) ? BARRED_AGAIN_MS : AGAIN_MS
    this.#governor.env.setTimeout(() => {
      this.#isWaiting = false
      if (!this.#governor.isHidden) void this.check()
    }, againMs)
  }

  #meet(response: unknown): void {
    const { productVersion, fullVersion } = parseVersion(response)
    const isFirst = this.#info === null
    this.#info = { url: this.#governor.env.baseUrl, productVersion, fullVersion }
    if (isFirst) this.#events.met()
    this.#error = null
    this.#events.changed()
  }

  /** Whether the server's heartbeat is current. */
  get #isReceiving(): boolean {
    const { isWatching, silentSinceMs } = this.#governor.witness
    return isWatching && silentSinceMs === null && this.#info !== null
  }
}
