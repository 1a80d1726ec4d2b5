import { useMemo } from 'react'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { useCollected } from '../../../capture/client/use-collected.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { costRange, indexCosts, type IndexCost } from '../index-cost.ts'
import type {} from '../../../feeds/indexing/contract.ts'

const EVERY_MS = 3000

interface IndexCosts {
  readonly costs: ReadonlyMap<string, IndexCost>
  readonly isCollected: boolean
  /** Starts to collect the batches. */
  readonly collect: () => void
}

const NONE: ReadonlyMap<string, IndexCost> = new Map()

/** Costs of the indexes of a database, from the batches collected while the component is mounted. */
export function useIndexCosts(database: string): IndexCosts {
  const { gaps, nowTicks, version } = useCaptureState()
  const { source, isCollected, collect } = useCollected(database)
  useWanted('indexing.want', isCollected ? { sources: [source], budgets: false } : undefined)
  const renewal = { version, everyMs: EVERY_MS }
  const indexes = useRequest('indexing.indexes', isCollected ? { sources: [source] } : undefined, renewal).response
  const range = costRange(nowTicks, source, gaps)
  const { response, params } = useRequest(
    'indexing.summary',
    indexes === null || range === null
      ? undefined
      : {
          ...range,
          indexes: indexes.indexes.map(({ key }) => key),
          filter: { minTicks: null, maxTicks: null, minDocuments: null, reason: null, hideEmpty: true },
          largestLimit: 0,
        },
    renewal,
  )
  const costs = useMemo(
    () =>
      indexes === null || response === null || params === null || !isCollected
        ? NONE
        : indexCosts(indexes.indexes, response.indexes, params, gaps, indexes.knownTicks[source]),
    [indexes, response, params, gaps, isCollected, source],
  )
  return { costs, isCollected, collect }
}
