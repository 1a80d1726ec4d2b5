import type { Bytes } from '../base/brand.ts'
import type { CaptureClient } from '../capture/client/client.ts'
import { EMPTY_STATE } from '../capture/client/remote.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests/requests.ts'
import { sourceId } from '../capture/client/state.ts'
import type { CaptureState, ErrorInfo, SourceRef, SourceState } from '../capture/client/state.ts'
import type { DatabaseRow } from '../ravendb/databases/databases.ts'

export const emptyState = (): CaptureState => ({
  ...EMPTY_STATE,
  meter: { ...EMPTY_STATE.meter, sinceMs: Date.now() },
  server: { url: 'http://127.0.0.1:8080/', productVersion: '7.1', fullVersion: '7.1.5' },
})

export const sourceState = (ref: SourceRef, parts: Partial<SourceState> = {}): SourceState => ({
  id: sourceId(ref),
  ref,
  phase: 'live',
  sinceMs: Date.now(),
  message: '',
  retryAtMs: null,
  error: null,
  lastReceivedMs: Date.now(),
  frames: 1,
  bytes: 1000 as Bytes,
  spans: [],
  ...parts,
})

export const databaseRow = (name: string, parts: Partial<DatabaseRow> = {}): DatabaseRow => ({
  name,
  state: 'online',
  documents: 1059,
  indexes: 7,
  sizeBytes: 71_303_168 as Bytes,
  tempBytes: 4_194_304 as Bytes,
  upTimeMs: 725_000,
  indexingErrors: 0,
  alerts: 0,
  hints: 0,
  indexingStatus: 'Running',
  error: null,
  isSharded: false,
  unloadsSoon: null,
  ...parts,
})

export const unanswered: ErrorInfo = {
  kind: 'network',
  endpoint: '/databases',
  status: null,
  message: 'The server does not answer.',
  serverMessage: null,
  hint: 'See whether it runs and can be reached from here.',
}

/** A capture client without a worker: its state is set by the test, `request` by `responses`, calls are kept in `calls`. */
export interface StubCapture extends CaptureClient {
  /** Replaces parts of the state and notifies subscribers. */
  readonly setState: (parts: Partial<CaptureState>) => void
  /** By name of the request; throws what it throws. */
  readonly responses: Map<RequestName, (params: unknown) => unknown>
  readonly calls: (readonly [name: string, ...args: readonly unknown[]])[]
}

export function stubCapture(initial: Partial<CaptureState> = {}): StubCapture {
  let state: CaptureState = { ...emptyState(), ...initial }
  const listeners = new Set<() => void>()
  const calls: StubCapture['calls'] = []
  const responses: StubCapture['responses'] = new Map()
  return {
    calls,
    responses,
    setState: (parts) => {
      state = { ...state, version: state.version + 1, ...parts }
      for (const changed of listeners) changed()
    },
    getState: () => state,
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    watch: (sources) => calls.push(['watch', sources.map(sourceId)]),
    retryNow: () => calls.push(['retryNow']),
    request: <Name extends RequestName>(name: Name, params: ParamsOf<Name>): Promise<ResponseOf<Name>> => {
      calls.push([name, params])
      const make = responses.get(name)
      return make === undefined
        ? new Promise(() => {}) // never: a server that is silent
        : Promise.resolve().then(() => make(params) as ResponseOf<Name>)
    },
    openFiles: (files) => calls.push(['openFiles', files.map((file) => file.name)]),
    laidOut: () => undefined,
    sizesOf: () => null,
    cancelFile: (id) => calls.push(['cancelFile', id]),
    setHidden: (hidden) => calls.push(['setHidden', hidden]),
    setFront: (feeds) => calls.push(['setFront', feeds]),
    idle: () => Promise.resolve(),
  }
}
