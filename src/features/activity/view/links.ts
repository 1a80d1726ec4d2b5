import { toIndexLanes } from '../../../capture/client/index-link.ts'
import type { ViewParts } from '../../../capture/client/view.ts'

/** What was done from this browser. */
export const toDoneHere: ViewParts = { params: { 'activity.view': 'done' } }

/** Its lane, open, whatever was filtered before. */
export const toIndex = (database: string, index: string): ViewParts => ({
  sources: [`db:${database}`],
  params: toIndexLanes(database, [index]),
})
