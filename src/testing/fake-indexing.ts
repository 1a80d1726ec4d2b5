import { CaptureError } from '../capture/client/client.ts'
import type { ErrorInfo } from '../capture/client/state.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests.ts'
import type { IndexingRequests } from '../features/indexing/contract.ts'
import { fakeCapture, fakeSource, type FakeCapture } from './fake-capture.ts'
import { indexingResponse } from './fake-indexing-answers.ts'
import { generateIndexing, type GeneratedIndexing, type GenerateIndexingOptions } from './generated-indexing.ts'

export interface FakeIndexing extends FakeCapture {
  readonly indexing: GeneratedIndexing
}

const DEFAULTS: GenerateIndexingOptions = {
  seed: 1,
  databases: ['shop'],
  indexes: 6,
  seconds: 120,
  budgetsHeld: false,
}

/** The fake capture with indexing beside the I/O of the same databases and the same time. */
export function fakeIndexing(options: Partial<GenerateIndexingOptions> = {}): FakeIndexing {
  const chosen = { ...DEFAULTS, ...options }
  const indexing = generateIndexing(chosen)
  const base = fakeCapture({
    seed: chosen.seed,
    databases: chosen.databases,
    indexes: Math.min(8, chosen.indexes),
    seconds: Math.min(120, chosen.seconds),
  })
  const extent = indexing.batches.length === 0 ? null : { startTicks: indexing.startTicks, endTicks: indexing.endTicks }
  base.setState({
    extent,
    nowTicks: indexing.endTicks,
    gaps: [],
    sources: chosen.databases.map((name) => fakeSource(`db:${name}`)),
  })
  let failure: ErrorInfo | null = null
  return {
    ...base,
    indexing,
    failWith: (error) => {
      failure = error
      base.failWith(error)
    },
    request: async <Name extends RequestName>(
      name: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<ResponseOf<Name>> => {
      if (!name.startsWith('indexing.')) return base.request(name, params, signal)
      base.asked.push({ name, query: params })
      await new Promise((resolve) => setTimeout(resolve, 0))
      signal?.throwIfAborted()
      if (failure !== null) throw new CaptureError(failure)
      return indexingResponse(
        indexing,
        indexing.endTicks,
        base.getState().version,
        name as keyof IndexingRequests,
        params,
      ) as ResponseOf<Name>
    },
  }
}
