import type { Ticks } from '../base/ticks.ts'
import { CaptureError, type CaptureClient } from '../capture/client/client.ts'
import {
  parseSourceId,
  type ErrorInfo,
  type SourceId,
  type SourceRef,
  type SourceState,
} from '../capture/client/state.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests/requests.ts'
import type { Feed } from '../capture/worker/feed.ts'
import type { IoFeed } from '../feeds/io/data/feed.ts'
import type { Governor } from '../ravendb/governor/governor.ts'
import { filledIo, requestsOf } from './filled-feeds.ts'
import { generateIo, type GeneratedIo, type GenerateOptions } from './generated/generated-io.ts'
import { sourceState, stubCapture, type StubCapture } from './stub-capture.ts'

export interface FakeCapture extends CaptureClient, Pick<StubCapture, 'setState'> {
  readonly data: GeneratedIo
  /** Shared by tests: it is only read. */
  readonly io: IoFeed
  /** All requests, in order. */
  readonly requested: { readonly name: string; readonly query: unknown }[]
  readonly loaded: string[]
  readonly watched: SourceRef[]
  /** Makes every request fail with this, until null is set. */
  readonly failWith: (error: ErrorInfo | null) => void
}

const DEFAULTS: GenerateOptions = { seed: 1, databases: ['shop'], indexes: 6, seconds: 120, unknownKind: false }

/** Tests share what was generated, and the feed that has read it: reading it took a tenth of the CPU of a panel’s tests. */
const generated = new Map<string, GeneratedIo>()
const filled = new WeakMap<GeneratedIo, IoFeed>()

function generatedBy(options: GenerateOptions): GeneratedIo {
  const key = JSON.stringify(options)
  const data = generated.get(key) ?? generateIo(options)
  generated.set(key, data)
  return data
}

function filledBy(data: GeneratedIo): IoFeed {
  const feed = filled.get(data) ?? filledIo(data)
  filled.set(data, feed)
  return feed
}

export const fakeSource = (id: SourceId, parts: Partial<SourceState> = {}): SourceState =>
  sourceState(parseSourceId(id) ?? { kind: 'server' }, {
    sinceMs: Date.now() - 60_000,
    lastReceivedMs: Date.now() - 900,
    frames: 42,
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
  const data = generatedBy({ ...DEFAULTS, ...options })
  const requested: { name: string; query: unknown }[] = []
  const loaded: string[] = []
  const watched: SourceRef[] = []
  const io = filledBy(data)
  const respond = requestsOf([io, ...others], governor)
  let failure: ErrorInfo | null = null
  const sourceIds = [...new Set(data.lanes.map((lane) => lane.source))]
  const stub = stubCapture({
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
  })
  return {
    ...stub,
    data,
    io,
    requested,
    loaded,
    watched,
    failWith: (error) => {
      failure = error
    },
    watch: (sources) => void watched.splice(0, Infinity, ...sources),
    request: async <Name extends RequestName>(
      name: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<ResponseOf<Name>> => {
      requested.push({ name, query: params })
      await new Promise((resolve) => setTimeout(resolve, 0))
      signal?.throwIfAborted()
      if (failure !== null) throw new CaptureError(failure)
      if (name === 'databases.load') {
        loaded.push((params as ParamsOf<'databases.load'>).name)
        return null
      }
      return respond(name, params, signal)
    },
  }
}
