import type { ReactNode } from 'react'
import type { IndexingIndexesResponse } from '../../../feeds/indexing/contract/indexes.ts'
import type { IndexingWantResponse } from '../../../feeds/indexing/contract/want.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Spinner } from '../../../ui/Progress.tsx'

/** Shown if databases are connected but none of their indexes is known. */
export function NoIndex({
  names,
  ways,
  awaited,
}: {
  readonly names: string
  readonly ways: IndexingWantResponse['ways']
  readonly awaited: IndexingIndexesResponse['awaited']
}): ReactNode {
  // The source may be connected although this request is refused.
  const problems = ways.filter(({ problem }) => problem !== null)
  if (problems.length > 0)
    return (
      <EmptyState title="Index data is not available">
        {problems.map(({ source, problem }) => (
          <p key={source}>
            <bdi>{source.replace(/^(db|file):/, '')}</bdi>: {problem} Retries are automatic.
          </p>
        ))}
      </EmptyState>
    )
  // Another panel may have connected the source, so that its indexes are not read yet.
  if (awaited.length > 0)
    return (
      <EmptyState title="No index data yet">
        <Spinner>Reading the indexes of {awaited.map((source) => source.replace(/^db:/, '')).join(', ')} …</Spinner>
      </EmptyState>
    )
  return (
    <EmptyState title="No index yet">
      Connected to <bdi>{names}</bdi>, which has no index. A new one appears here within about three seconds.
    </EmptyState>
  )
}
