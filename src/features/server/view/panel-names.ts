import type { View } from '../../../capture/view.ts'
import type { TriageLink } from '../queries.ts'

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

/** Of the page Server its first view is meant where none is named, not the one that was open last. */
export const partsOf = ({ panel, params, sources, range }: TriageLink): Partial<View> => ({
  params: panel === 'server' ? { 'server.view': '', ...params } : params,
  ...(sources.length === 0 ? {} : { sources }),
  ...(range === null ? {} : { range }),
})
