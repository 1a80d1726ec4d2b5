import { useState } from 'react'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { ResponseOf } from '../../../capture/client/requests/requests.ts'
import type {} from '../../../feeds/stacks/contract.ts'

/** Costs that are shown. `threads` includes the list of threads, which keeps a socket open. */
export type CostShown = 'off' | 'on' | 'threads'

/** Interval of the requests, ms. Each keeps the list open for 15 s. */
const WANT_EVERY_MS = 5000

/** State of the list of threads; null: not wanted, or no data yet. */
export function useThreads(isWanted: boolean): ResponseOf<'threads.want'> | null {
  const step = Math.floor(useNow() / WANT_EVERY_MS)
  return useRequest('threads.want', isWanted ? null : undefined, { version: step, everyMs: WANT_EVERY_MS }).response
}

interface ThreadWatch {
  readonly cost: CostShown
  readonly setCost: (cost: CostShown) => void
}

/**
 * Selects which costs of queries are shown. Threads are watched as soon as they are selected, so that the next run is
 * covered from its start.
 */
export function useThreadWatch(): ThreadWatch {
  const [cost, setCost] = useState<CostShown>('off')
  useThreads(cost === 'threads')
  return { cost, setCost }
}
