import { errorText } from '../../base/text/error-text.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { Report } from '../client/protocol.ts'
import { transferables } from '../client/protocol.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../client/requests/requests.ts'
import type { ErrorInfo } from '../client/state.ts'
import type { RawRouter } from '../raw/router.ts'
import type { Feed } from './feed.ts'
import type { Handler, Handlers } from './handlers.ts'
import type { LaterParts } from './later.ts'

interface ResponsesHost {
  readonly own: Partial<Handlers>
  readonly feeds: readonly Feed[]
  readonly later: LaterParts
  readonly governor: Governor
  /** Bytes of an opened file. */
  readonly source: ConstructorParameters<typeof RawRouter>[0]
  readonly send: (report: Report, transfer: ArrayBuffer[]) => void
  /** Called when a request may have had a cost, which the meter shows. */
  readonly spent: () => void
}

/** Finds the handler of a request and sends its response, unless it was aborted. */
export class Responses {
  readonly #host: ResponsesHost
  readonly #aborts = new Map<number, AbortController>()
  #raw: Promise<RawRouter> | null = null

  constructor(host: ResponsesHost) {
    this.#host = host
  }

  /** Tries the host, the feeds, and their later parts, in this order. */
  async handle<Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal: AbortSignal,
  ): Promise<ResponseOf<Name>> {
    const { own, feeds, later, governor } = this.#host
    const find = (all: readonly Pick<Feed, 'responses'>[]): Handler<Name> | undefined =>
      all.find(({ responses }) => responses[name] !== undefined)?.responses[name]
    const handler =
      find([{ responses: own }, ...feeds]) ??
      find(name.startsWith('raw.') ? [await this.rawRouter()] : await later.get())
    if (handler !== undefined) return handler(params, governor, signal)
    throw new Error(`Nothing responds to ${name}.`)
  }

  /** Loads its code at the first request. */
  rawRouter(): Promise<RawRouter> {
    this.#raw ??= import('../raw/router.ts').then(
      ({ RawRouter }) => new RawRouter(this.#host.source),
      (error: unknown) => {
        this.#raw = null
        throw error
      },
    )
    return this.#raw
  }

  /** Responds after pending messages, so that an abort among them comes first. */
  respond<Name extends RequestName>(id: number, name: Name, params: ParamsOf<Name>): void {
    const abort = new AbortController()
    this.#aborts.set(id, abort)
    setTimeout(() => void this.#run(id, name, params, abort.signal), 0)
  }

  abort(id: number): void {
    this.#aborts.get(id)?.abort()
    this.#aborts.delete(id)
  }

  async #run<Name extends RequestName>(
    id: number,
    name: Name,
    params: ParamsOf<Name>,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return
    const { send, spent } = this.#host
    try {
      const value = await this.handle(name, params, signal)
      if (!isAborted(signal)) send({ type: 'response', id, value }, transferables(value))
    } catch (error) {
      if (!isAborted(signal)) send({ type: 'failure', id, info: errorInfo(error, name) }, [])
    } finally {
      this.#aborts.delete(id)
      if (!name.startsWith('host.') && !name.startsWith('raw.')) spent()
    }
  }
}

/** A function, because the value may change during an await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted

const errorInfo = (error: unknown, endpoint: string): ErrorInfo =>
  error instanceof RavenError
    ? error.toInfo()
    : {
        endpoint,
        status: null,
        message: errorText(error),
        serverMessage: null,
        hint: 'This is a fault of Rookery itself: reload the page, and report it with the text above.',
      }
