import { formatList, parseList } from '../../../capture/client/param-text.ts'
import { FIRST_CLOSED } from './series/charts.ts'

/** What the page Server shows. */
export type ServerView = 'machine' | 'cluster' | 'alerts' | 'overhead'

export const SERVER_VIEWS: readonly ServerView[] = ['machine', 'cluster', 'alerts', 'overhead']

export interface ServerSettings {
  readonly view: ServerView
  /** Ids of the groups of charts that are closed. */
  readonly closed: ReadonlySet<string>
  /** The table beside the charts is shown. */
  readonly table: boolean
  /** What of the view is meant: the label of a card, the key of a query, the id of an alert; empty: nothing. */
  readonly show: string
}

/** What a link says; what is not said or makes no sense is the default. */
export function parseSettings(params: Readonly<Record<string, string>>): ServerSettings {
  const closed = params['server.closed']
  return {
    view: SERVER_VIEWS.find((view) => view === params['server.view']) ?? 'machine',
    closed: closed === undefined ? FIRST_CLOSED : closed === NONE ? new Set() : parseList(closed),
    table: params['server.table'] === 'on',
    show: params['server.show'] ?? '',
  }
}

/** An empty text of a parameter means the default, so that no group is closed needs a word. */
const NONE = '-'

/** Parts of the settings → parameters; an empty string removes one (it is the default). */
export function formatSettings({ view, closed, table, show }: Partial<ServerSettings>): Record<string, string> {
  const params: Record<string, string> = {}
  if (view !== undefined) params['server.view'] = view === 'machine' ? '' : view
  if (closed !== undefined) {
    const isDefault = closed.size === FIRST_CLOSED.size && [...closed].every((id) => FIRST_CLOSED.has(id))
    params['server.closed'] = isDefault ? '' : closed.size === 0 ? NONE : formatList(closed)
  }
  if (table !== undefined) params['server.table'] = table ? 'on' : ''
  if (show !== undefined) params['server.show'] = show
  return params
}
