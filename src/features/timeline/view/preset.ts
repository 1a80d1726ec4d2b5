import type { LaneId } from '../../../capture/frame/lanes/lane.ts'
import type {} from '../../activity/contract.ts'
import type {} from '../../../feeds/indexing/contract.ts'
import type {} from '../../../feeds/io/contract.ts'
import type {} from '../../../feeds/server/contract.ts'
import type {} from '../../stalls/contract.ts'

/** Default lanes of the panel: what users notice, and possible causes. */
export const WHAT_HAPPENED: readonly LaneId[] = [
  'server.cpu',
  'server.bottleneck',
  'io.journals',
  'stalls.stalls',
  'indexing.batches',
  'server.merger',
  'server.requests',
  'server.latency',
  'server.gc',
  'server.operations',
  'server.notifications',
  'activity.markers',
]
