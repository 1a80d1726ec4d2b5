import type { PanelId } from '../../../capture/client/panels.ts'
import type { ViewParts } from '../../../capture/client/view.ts'
import type { FindingLink } from '../../../feeds/server/contract.ts'

/**
 * View of a finding's link. For Vitals the parameters are reset, so that its first view opens and not the last one
 * used. If the target depends on the range, a link without a range resets it to the present, which an old range would
 * not contain.
 */
export const partsOf = ({ panel, params, sources, database, range, selection }: FindingLink): ViewParts => ({
  params: panel === 'server' ? { 'server.view': '', 'server.show': '', ...params } : params,
  ...(sources.length === 0 ? {} : { sources }),
  ...(database === undefined ? {} : { database }),
  ...(range === null && !isOverTime(panel, params) ? {} : { range, selection: selection ?? null }),
})

/** Whether the content of the target depends on the range. */
const isOverTime = (panel: PanelId, params: FindingLink['params']): boolean =>
  panel !== 'databases' &&
  panel !== 'database' &&
  panel !== 'cluster' &&
  panel !== 'activity' &&
  (panel !== 'server' || (params['server.view'] ?? '') === '')
