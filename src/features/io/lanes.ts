import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lanes with the I/O of all storage environments together, one per kind. */
export const ioLanes: readonly LaneDefinition[] = [
  {
    id: 'io.journals',
    title: 'Journal writes',
    explains: 'Journal writes of all storage environments; of each pixel the slowest',
    scope: 'sources',
    heightPx: 28,
    load: async () => ({ default: (await import('./view/lanes/kind-lane.ts')).kindLane('JournalWrite') }),
  },
  {
    id: 'io.flushes',
    title: 'Data flushes',
    explains: 'Data flushes of all storage environments; of each pixel the slowest',
    scope: 'sources',
    heightPx: 24,
    load: async () => ({ default: (await import('./view/lanes/kind-lane.ts')).kindLane('DataFlush') }),
  },
  {
    id: 'io.syncs',
    title: 'Data syncs',
    explains: 'Data syncs (fsync) of all storage environments; of each pixel the slowest',
    scope: 'sources',
    heightPx: 24,
    load: async () => ({ default: (await import('./view/lanes/kind-lane.ts')).kindLane('DataSync') }),
  },
]
