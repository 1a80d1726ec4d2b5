import type { ReactNode } from 'react'
import { NothingYet } from '../../../capture/frame/notices/NothingYet.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { NoIndex } from './NoIndex.tsx'
import type { IndexingState } from './useIndexingView.ts'

/** Shown instead of the panel while no index is known: the reason, or the next step. */
export function NoIndexes({ view }: { readonly view: IndexingState }): ReactNode {
  if (view.sources.every((source) => source === 'server'))
    return (
      <EmptyState title="The server’s own storage has no indexes">
        Choose a database above: indexes belong to databases.
      </EmptyState>
    )
  return (
    <NothingYet
      title="No index yet"
      request={view.requested}
      inFiles={
        <EmptyState title="No index data in this file">
          Indexing reads indexes/performance, indexes/stats, indexes/progress, memory/stats and memory/low-mem-log,
          alone or in a debug package. Other data of the file may be in another panel.
        </EmptyState>
      }
      renderConnected={(names) => (
        <NoIndex names={names} ways={view.want?.ways ?? []} awaited={view.requested.response?.awaited ?? []} />
      )}
    />
  )
}
