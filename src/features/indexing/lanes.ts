import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'
import type {} from '../../feeds/indexing/contract.ts'

/** Batches of indexes. */
export const indexingLanes: readonly LaneDefinition[] = [
  {
    id: 'indexing.batches',
    title: 'Batches',
    explains: 'Index batches, a track for each index, those that were busiest lately first',
    scope: 'sources',
    heightPx: 72,
    load: () => import('./view/lanes/batches-lane.ts'),
  },
  {
    id: 'indexing.index',
    title: 'Index',
    explains: 'Batches of one index',
    scope: 'sources',
    objects: async (request, source, signal) =>
      (await request('indexing.indexes', { sources: [source] }, signal)).indexes.map(({ name }) => name),
    heightPx: 28,
    load: () => import('./view/lanes/batches-lane.ts'),
  },
]
