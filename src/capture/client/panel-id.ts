/**
 * Ids of panels, in URLs and links from panel to panel. A feature's `contract.ts` adds those of its panels:
 * `declare module '../../capture/client/panel-id.ts' { interface PanelIds { io: true } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface PanelIds {}

export type PanelId = keyof PanelIds

/** `server`: a panel draws the whole server, whichever of its databases is chosen. */
export type SourceScope = 'server' | 'databases' | 'both'
