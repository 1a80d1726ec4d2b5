import type { Bytes } from '../base/brand.ts'
import type { Ticks } from '../base/ticks.ts'
import { CaptureError, type CaptureClient } from '../capture/client/client.ts'
import {
  parseSourceId,
  type CaptureState,
  type ErrorInfo,
  type SourceId,
  type SourceRef,
  type SourceState,
} from '../capture/client/state.ts'
import { NO_COST } from '../capture/client/state.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests.ts'
import type { Feed } from '../capture/worker/feed.ts'
import type { IoFeed } from '../features/io/data/feed.ts'
import type { Governor } from '../ravendb/budget/governor.ts'
import { filledIo, requestsOf } from './filled-feeds.ts'
import { generateIo, type GeneratedIo, type GenerateOptions } from './generated-io.ts'

export interface FakeCapture extends CaptureClient {
  readonly data: GeneratedIo
  readonly io: IoFeed
  /** Everything asked, in order. */
  readonly asked: { readonly name: string; readonly query: unknown }[]
  readonly loaded: string[]
  readonly watched: SourceRef[]
  /** Replaces parts of the state and notifies subscribers. */
  readonly setState: (parts: Partial<CaptureState>) => void
  /** Every ask fails with this until null is set. */
  readonly failWith: (error: ErrorInfo | null) => void
}

const DEFAULTS: GenerateOptions = { seed: 1, databases: ['shop'], indexes: 6, seconds: 120, unknownKind: false }

export const fakeSource = (id: SourceId, parts: Partial<SourceState> = {}): SourceState => ({
  id,
  ref: parseSourceId(id) ?? { kind: 'server' },
  phase: 'live',
  sinceMs: Date.now() - 60_000,
  message: '',
  retryAtMs: null,
  error: null,
  lastReceivedMs: Date.now() - 900,
  frames: 42,
  bytes: 1_234_567 as Bytes,
  spans: [],
  ...parts,
})

/**
 * A capture without a server: the real feeds, which read generated documents, and a state that tests change. Responses come
 * in the next task, as from a worker. `others`: feeds beside that of I/O.
 */
export function fakeCapture(
  options: Partial<GenerateOptions> = {},
  others: readonly Feed[] = [],
  governor?: Governor,
): FakeCapture {
  const data = generateIo({ ...DEFAULTS, ...options })
  const listeners = new Set<() => void>()
  const asked: { name: string; query: unknown }[] = []
  const loaded: string[] = []
  const watched: SourceRef[] = []
  const io = filledIo(data)
  const respond = requestsOf([io, ...others], governor)
  let failure: ErrorInfo | null = null
  const sourceIds = [...new Set(data.lanes.map((lane) => lane.source))]
  let state: CaptureState = {
    version: 1,
    sources: sourceIds.map((id) => fakeSource(id)),
    extent:
      data.events.length === 0
        ? null
        : {
            startTicks: Math.min(data.startTicks, ...data.rollUps.map((band) => band.startTicks)) as Ticks,
            endTicks: data.endTicks,
          },
    nowTicks: data.endTicks,
    gaps: data.gaps,
    meter: {
      sinceMs: Date.now() - 60_000,
      requests: 3,
      sockets: 2,
      bytes: 1_234_567 as Bytes,
      requestsPerMinute: 3,
      bytesPerMinute: 900_000,
      slowed: null,
      isServerSlow: false,
      endpoints: [],
      cost: NO_COST,
    },
    server: { url: 'http://127.0.0.1:8080', productVersion: '7.1.5', fullVersion: '7.1.5-custom-71' },
    serverError: null,
    silence: null,
    worker: { phase: 'running', atMs: 0, message: '', lives: 1 },
    files: [],
  }
  const setState = (parts: Partial<CaptureState>): void => {
    state = { ...state, version: state.version + 1, ...parts }
    for (const changed of listeners) changed()
  }
  return {
    data,
    io,
    asked,
    loaded,
    watched,
    setState,
    failWith: (error) => {
      failure = error
    },
    getState: () => state,
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    watch: (sources) => void watched.splice(0, Infinity, ...sources),
    retryNow: () => undefined,
    request: async <Name extends RequestName>(
      name: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<ResponseOf<Name>> => {
      asked.push({ name, query: params })
      await new Promise((resolve) => setTimeout(resolve, 0))
      signal?.throwIfAborted()
      if (failure !== null) throw new CaptureError(failure)
      if (name === 'databases.load') {
        loaded.push((params as ParamsOf<'databases.load'>).name)
        return null
      }
      return respond(name, params, signal)
    },
    openFiles: () => undefined,
    laidOut: () => undefined,
    sizesOf: () => null,
    cancelFile: () => undefined,
    setHidden: () => undefined,
    setFront: () => undefined,
    idle: () => Promise.resolve(),
  }
}
