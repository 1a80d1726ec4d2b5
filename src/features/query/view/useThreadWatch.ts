import { useState } from 'react'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { ResponseOf } from '../../../capture/client/requests/requests.ts'
import type {} from '../../../feeds/stacks/contract.ts'

/** `threads`: with the list of threads, which costs a socket for as long. */
export type CostShown = 'off' | 'on' | 'threads'

/** The list is kept open for 15 s by each request. */
const WANT_EVERY_MS = 5000

/** State of the list of threads while it is wanted; null: it is not, or nothing came yet. */
export function useThreads(isWanted: boolean): ResponseOf<'threads.want'> | null {
  const step = Math.floor(useNow() / WANT_EVERY_MS)
  return useRequest('threads.want', isWanted ? null : undefined, { version: step, everyMs: WANT_EVERY_MS }).response
}

interface ThreadWatch {
  readonly cost: CostShown
  readonly setCost: (cost: CostShown) => void
}

/** Which costs of queries are shown. Threads are watched from a click on, so that the next run has them from its beginning. */
export function useThreadWatch(): ThreadWatch {
  const [cost, setCost] = useState<CostShown>('off')
  useThreads(cost === 'threads')
  return { cost, setCost }
}
