/**
 * Panels by id, each with its parameters of links: name → text that the URL may carry. A feature's `contract.ts` adds its
 * panels, so that a link of another feature to a parameter that was renamed does not compile:
 *
 *     declare module './panels.ts' {
 *       interface Panels {
 *         io: IoLinkParams
 *       }
 *     }
 *
 * A panel's own settings are a table in `view/params.ts`. What a link leaves out has the panel's default.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Panels {}

export type PanelId = keyof Panels

/** Parameters of a panel with lanes of any feature: the chosen lanes, by `formatLanes`. */
export interface ComposedParams {
  readonly composed: string
}

/** Panels that compose lanes. */
export type ComposedPanel = { [Id in PanelId]: Panels[Id] extends ComposedParams ? Id : never }[PanelId]

/** Parameters of a panel that has none. */
export type NoLinkParams = Readonly<Record<never, never>>

type NameOf<Id extends PanelId> = keyof Panels[Id] & string

/** Key in the URL: `io.find`. */
export type LinkParamKey = { [Id in PanelId]: `${Id}.${NameOf<Id>}` }[PanelId]

type ValueOf<Key extends LinkParamKey> = Key extends `${infer Id extends PanelId}.${infer Name}`
  ? Name extends NameOf<Id>
    ? Panels[Id][Name]
    : never
  : never

/** Parameters of any panels that a link sets; an empty text means the default. */
export type LinkParams = { readonly [Key in LinkParamKey]?: ValueOf<Key> | '' }

/** Parameters as read from the URL: any text. */
export type ViewParams = Readonly<Partial<Record<LinkParamKey, string>>>

/** A panel's own parameters without the panel's prefix, as it writes them. */
export type ParamsToWrite<Id extends PanelId> = { -readonly [Name in NameOf<Id>]?: Panels[Id][Name] | '' }

/** Parameters as the panel reads them. */
export type ParamsToRead<Id extends PanelId> = { readonly [Name in NameOf<Id>]?: string }

export const toLinkParams = <Id extends PanelId>(panel: Id, params: ParamsToWrite<Id>): LinkParams =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [`${panel}.${name}`, value]))

export const paramsOfPanel = <Id extends PanelId>(panel: Id, params: ViewParams): ParamsToRead<Id> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([key, value]) =>
      key.startsWith(`${panel}.`) ? [[key.slice(panel.length + 1), value]] : [],
    ),
  ) as ParamsToRead<Id>

/**
 * `server`: the panel shows the whole server, whichever databases are chosen. `database`: it shows the database in
 * scope (`database-scope.ts`), not the chosen sources. `databases`, `both`: it shows the chosen sources.
 */
export type SourceScope = 'server' | 'database' | 'databases' | 'both'

/** Groups of the rail, from top to bottom. */
export const PANEL_GROUPS = [
  { id: 'overview', title: 'Overview' },
  { id: 'database', title: 'Database' },
  { id: 'investigate', title: 'Investigate' },
  { id: 'server', title: 'Server' },
  { id: 'files', title: 'Files and history' },
] as const

export type PanelGroup = (typeof PANEL_GROUPS)[number]['id']

/** Whether the link has lanes that a user chose for the panel, or none on purpose; without, the panel shows its preset. */
export const hasChosenLanes = (panel: ComposedPanel, params: ViewParams): boolean =>
  (paramsOfPanel(panel, params).composed ?? '') !== ''
