import type { LaneDefinition } from '../capture/frame/lanes/lane.ts'
import { activityLanes } from '../features/activity/lanes.ts'
import { archiveLanes } from '../features/archive/lanes.ts'
import { indexingLanes } from '../features/indexing/lanes.ts'
import { clusterLogLanes } from '../features/cluster-log/lanes.ts'
import { ioLanes } from '../features/io/lanes.ts'
import { serverLanes } from '../features/server/lanes.ts'
import { triageLanes } from '../features/triage/lanes.ts'
import { stacksLanes } from '../features/stacks/lanes.ts'
import { stallsLanes } from '../features/stalls/lanes.ts'

export { OTHER_SERVERS as SERVERS } from './other-servers.ts'

/** In the order of the menu. */
export const LANES: readonly LaneDefinition[] = [
  ...ioLanes,
  ...stallsLanes,
  ...indexingLanes,
  ...serverLanes,
  ...triageLanes,
  ...stacksLanes,
  ...clusterLogLanes,
  ...archiveLanes,
  ...activityLanes,
]
