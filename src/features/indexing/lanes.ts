import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

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
]
