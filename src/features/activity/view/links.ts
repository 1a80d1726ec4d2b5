import { toIndexLanes } from '../../../capture/client/index-link.ts'
import type { ViewParts } from '../../../capture/client/view.ts'

/** Link to the actions from this browser. */
export const toDoneHere: ViewParts = { params: { 'activity.view': 'done' } }

/** Link to the index's open lane, whatever was filtered before. */
export const toIndex = (database: string, index: string): ViewParts => ({
  sources: [`db:${database}`],
  params: toIndexLanes(database, [index]),
})
