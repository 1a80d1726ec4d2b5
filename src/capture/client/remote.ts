import type { Bytes } from '../../base/brand.ts'
import { isSameRange, type Ticks } from '../../base/ticks.ts'
import type { CaptureClient } from './client.ts'
import { CaptureError } from './client.ts'
import type { PanelSizes, PushedResponse } from './requests/first-picture.ts'
import { flushNow, openRequests } from './requests/flush-policy.ts'
import type { PanelId } from './panels.ts'
import type { Command, EntryChange, Reached, Report } from './protocol.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests/requests.ts'
import type { CaptureState, ErrorInfo, FileEntry, FileState, Gap, SourceId, WorkerState } from './state.ts'
import { NO_COST } from './state.ts'
import { WorkerWatch, type WatchEnv, type WorkerLike } from './worker-watch.ts'

/** Takes pushed responses before the state that they belong to. */
export type TakePushed = (version: number, pushed: readonly PushedResponse[]) => void

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export const EMPTY_STATE: CaptureState = {
  version: 0,
  sources: [],
  extent: null,
  nowTicks: null,
  clockAheadMs: 0,
  gaps: [],
  files: [],
  meter: {
    sinceMs: 0,
    requests: 0,
    sockets: 0,
    bytes: 0 as Bytes,
    requestsPerMinute: 0,
    bytesPerMinute: 0,
    slowed: null,
    isServerSlow: false,
    endpoints: [],
    cost: NO_COST,
  },
  server: null,
  serverError: null,
  silence: null,
  worker: { phase: 'running', atMs: 0, message: '', lives: 1 },
}

/** The main thread's end of the capture. */
export class RemoteCapture implements CaptureClient {
  readonly #worker: WorkerWatch
  readonly #wallMs: WatchEnv['wallMs']
  readonly #onPushed: TakePushed
  readonly #listeners = new Set<() => void>()
  readonly #waiting = new Map<number, Waiting>()
  #state = EMPTY_STATE
  /** Offset of versions: those of a new worker restart, those of this page continue. */
  #versionsBefore = 0
  readonly #wanted = new Map<Command['type'], Command>()
  /** Server time at which each source became live. */
  readonly #liveSince = new Map<SourceId, Ticks>()
  /** Wall clock, ms, of the first answer from a server. */
  #serverSinceMs: number | null = null
  #gaps: readonly Gap[] = []
  /** Entries of packages, by the id of the file. */
  readonly #entries = new Map<number, readonly FileEntry[]>()
  #nextId = 1
  #lastRequestMs = 0
  /** Number of times that files were opened. */
  #opened = 0
  readonly #sizes = new Map<PanelId, PanelSizes>()

  /** Errors: those of `make`. */
  constructor(make: () => WorkerLike, reached: Reached, env: WatchEnv, onPushed: TakePushed) {
    this.#wallMs = env.wallMs
    this.#onPushed = onPushed
    this.#worker = new WorkerWatch(make, env, {
      onReport: (report) => this.#receive(report),
      onBegun: (lock, post) => {
        post({
          type: 'start',
          ...reached,
          lock,
          lost: { sources: new Map(this.#liveSince), serverSinceMs: this.#serverSinceMs },
        })
        for (const command of this.#wanted.values()) post(command)
      },
      onState: (state) => this.#workerChanged(state),
    })
  }

  readonly getState = (): CaptureState => this.#state

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** The newest command of each kind, which is sent to a new worker. */
  #want(command: Command): void {
    this.#wanted.set(command.type, command)
    this.#worker.post(command)
  }

  readonly watch: CaptureClient['watch'] = (sources) => this.#want({ type: 'watch', sources })
  readonly retryNow = (): void => this.#worker.post({ type: 'retry' })
  readonly openFiles: CaptureClient['openFiles'] = (files, params) => {
    this.#opened++
    this.#worker.post({ type: 'files', files, expected: params === null ? null : { params, sizes: this.#sizes } })
  }
  readonly laidOut: CaptureClient['laidOut'] = (panel, sizes) => void this.#sizes.set(panel, sizes)
  readonly sizesOf: CaptureClient['sizesOf'] = (panel) => this.#sizes.get(panel) ?? null
  readonly cancelFile: CaptureClient['cancelFile'] = (id) => this.#worker.post({ type: 'cancelFile', id })
  /** Ends the worker for good; pending requests get no response. */
  readonly close = (): void => this.#worker.close()
  readonly setHidden: CaptureClient['setHidden'] = (hidden) => this.#want({ type: 'hidden', hidden })

  readonly setFront: CaptureClient['setFront'] = (feeds) => this.#want({ type: 'front', feeds })

  readonly request: CaptureClient['request'] = <Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<Name>> => {
    signal?.throwIfAborted()
    const id = this.#nextId++
    // Requests to the host about itself do not come from a panel.
    if (!name.startsWith('host.')) this.#lastRequestMs = performance.now()
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(id)
        this.#worker.post({ type: 'abort', id })
        reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'))
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.set(id, {
        // The only place that trusts the worker; its handlers are type-checked against the same table.
        resolve: (response) => {
          signal?.removeEventListener('abort', abort)
          resolve(response as ResponseOf<Name>)
        },
        reject: (error) => {
          signal?.removeEventListener('abort', abort)
          reject(error)
        },
      })
      this.#worker.post({ type: 'request', id, name, params } as Command)
    })
  }

  /**
   * Resolves when the worker has read everything it received, the responses to what panels requested since have
   * arrived, and two frames were drawn. Sends requests that panels defer. With live data, which never ends, it resolves
   * after `MOST_MS` at the latest.
   */
  readonly idle = async (): Promise<void> => {
    let opened: number
    do {
      opened = this.#opened
      await this.#settled()
    } while (opened !== this.#opened || (await this.request('host.idle', null)))
  }

  async #settled(): Promise<void> {
    await this.request('host.idle', null)
    flushNow()
    const startMs = performance.now()
    for (;;) {
      await nextFrame()
      await nextFrame()
      const now = performance.now()
      const hasArrived = this.#waiting.size === 0 && openRequests() === 0
      const isQuiet = now - this.#lastRequestMs > QUIET_MS && now - startMs > QUIET_MS
      if ((hasArrived && isQuiet) || now - startMs > MOST_MS) return
    }
  }

  #setState(state: CaptureState): void {
    this.#state = state
    const { nowTicks } = state
    for (const { id, phase } of state.sources)
      if (phase === 'live' && nowTicks !== null && !this.#liveSince.has(id)) this.#liveSince.set(id, nowTicks)
    if (state.server !== null) this.#serverSinceMs ??= this.#wallMs()
    this.#worker.setReading(state.files.some(({ endedMs }) => endedMs === null))
    for (const changed of this.#listeners) changed()
  }

  #workerChanged(worker: WorkerState): void {
    if (worker.phase === 'restarted' || worker.phase === 'failed') {
      this.#versionsBefore = this.#state.version + 1
      this.#entries.clear()
      const waiting = [...this.#waiting.values()]
      this.#waiting.clear()
      for (const { reject } of waiting) reject(new CaptureError(goneInfo(worker.message)))
    }
    const files = worker.phase === 'restarted' ? [] : this.#state.files
    this.#setState({ ...this.#state, files, worker })
  }

  #takeEntries({ file, at, entries }: EntryChange): void {
    const before = this.#entries.get(file) ?? NO_ENTRIES
    this.#entries.set(file, [...before.slice(0, at), ...entries, ...before.slice(at + entries.length)])
  }

  #receive(report: Report): void {
    if (report.type === 'alive' || report.type === 'pong') return
    if (report.type === 'state') {
      if (report.gaps !== null) this.#gaps = report.gaps
      // The last change of a file: send deferred requests, since no later change would trigger them.
      if (markEnded(this.#state.files, report.state.files)) flushNow()
      // Keeps the object while the range is the same, so that a state without data causes no drawing.
      const extent = isSameRange(this.#state.extent, report.state.extent) ? this.#state.extent : report.state.extent
      for (const change of report.entries) this.#takeEntries(change)
      const files = report.state.files.map((file) => ({ ...file, entries: this.#entries.get(file.id) ?? NO_ENTRIES }))
      const version = this.#versionsBefore + report.state.version
      this.#onPushed(version, report.pushed)
      this.#setState({ ...report.state, version, extent, files, gaps: this.#gaps, worker: this.#state.worker })
      return
    }
    const waiting = this.#waiting.get(report.id)
    this.#waiting.delete(report.id)
    if (report.type === 'response') waiting?.resolve(report.value)
    else waiting?.reject(new CaptureError(report.info))
  }
}

const goneInfo = (message: string): ErrorInfo => ({
  endpoint: 'the capture worker',
  status: null,
  message: `The capture worker of this page is gone. ${message}`,
  serverMessage: null,
  hint: '',
})

const NO_ENTRIES: readonly FileEntry[] = []

/** Marks, for performance tools and bench/, that a file has been read. Returns whether one has. */
function markEnded(before: readonly FileState[], now: readonly FileState[]): boolean {
  let some = false
  for (const { id, name, endedMs, startedMs } of now) {
    const wasOver = before.some((file) => file.id === id && file.endedMs !== null)
    if (endedMs === null || wasOver) continue
    performance.mark('rookery:file-read', { detail: { name, ms: endedMs - startedMs } })
    some = true
  }
  return some
}

/** Time, ms, longer than from a response to the next request after a render. */
const QUIET_MS = 80
const MOST_MS = 2000

const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    // A hidden tab draws no frames, so none is awaited.
    if (document.visibilityState === 'hidden') setTimeout(resolve, 0)
    else requestAnimationFrame(() => resolve())
  })
