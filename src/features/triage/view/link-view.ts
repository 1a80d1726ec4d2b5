import type { PanelId } from '../../../capture/client/panels.ts'
import type { ViewParts } from '../../../capture/client/view.ts'
import type { FindingLink } from '../../../feeds/server/contract.ts'

/**
 * Vitals opens its first view where none is named, not the one that was open last. What has no range of its
 * own is of now: an old range would not show it.
 */
export const partsOf = ({ panel, params, sources, database, range, selection }: FindingLink): ViewParts => ({
  params: panel === 'server' ? { 'server.view': '', 'server.show': '', ...params } : params,
  ...(sources.length === 0 ? {} : { sources }),
  ...(database === undefined ? {} : { database }),
  ...(range === null && !isOverTime(panel, params) ? {} : { range, selection: selection ?? null }),
})

/** Whether what is shown there depends on the range. */
const isOverTime = (panel: PanelId, params: FindingLink['params']): boolean =>
  panel !== 'databases' &&
  panel !== 'database' &&
  panel !== 'cluster' &&
  panel !== 'activity' &&
  (panel !== 'server' || (params['server.view'] ?? '') === '')
