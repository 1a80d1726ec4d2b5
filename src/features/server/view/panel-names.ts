import type { View } from '../../../capture/client/view.ts'
import type { TriageLink } from '../contract.ts'

/** As the tabs call them; of a panel that is not here (yet) its id. */
const PANEL_NAMES: Readonly<Record<string, string>> = {
  databases: 'Databases',
  server: 'Server',
  io: 'I/O',
  indexing: 'Indexing',
  stacks: 'Stacks',
  files: 'Files',
}

export const panelName = (panel: string): string =>
  Object.hasOwn(PANEL_NAMES, panel) ? (PANEL_NAMES[panel] ?? panel) : panel

/**
 * Of the page Server its first view is meant where none is named, not the one that was open last. What has no range of its
 * own is of now: an old range would not show it.
 */
export const partsOf = ({ panel, params, sources, range, selection }: TriageLink): Partial<View> => ({
  params: panel === 'server' ? { 'server.view': '', 'server.show': '', ...params } : params,
  ...(sources.length === 0 ? {} : { sources }),
  ...(range === null && !isOverTime(panel, params) ? {} : { range, selection: selection ?? null }),
})

/** Whether what is shown there depends on the range. */
const isOverTime = (panel: string, params: TriageLink['params']): boolean =>
  panel !== 'databases' && (panel !== 'server' || (params['server.view'] ?? '') === '')
