import type { SourceId } from '../../capture/client/state.ts'
import type { LaneDefinition, LaneRequest } from '../../capture/frame/lanes/lane.ts'
import type {} from '../../feeds/io/contract.ts'

/** Names of the storage environments of a source, as far as one page of lanes has them. */
async function listStorages(request: LaneRequest, source: SourceId, signal: AbortSignal): Promise<readonly string[]> {
  const { lanes } = await request('io.lanes', { sources: [source], find: '', page: 0, openKinds: [] }, signal)
  return [...new Set(lanes.map(({ label }) => label))]
}

/** Lanes with the I/O of all storage environments together, one per kind, and of one environment. */
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
  {
    id: 'io.storage',
    title: 'Storage',
    explains: 'Writes, flushes and syncs of one storage environment, a track for each kind',
    scope: 'sources',
    objects: listStorages,
    heightPx: 56,
    load: () => import('./view/lanes/storage-lane.ts'),
  },
]
