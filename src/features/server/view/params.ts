import {
  paramsOfPanel,
  toLinkParams,
  type LinkParams,
  type ParamsToWrite,
  type ViewParams,
} from '../../../capture/client/panels.ts'
import { formatList, parseList } from '../../../capture/client/param-text.ts'
import type { ServerView } from '../contract.ts'
import { FIRST_CLOSED } from './series/charts.ts'

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
export function parseSettings(params: ViewParams): ServerSettings {
  const { view, closed, table, show } = paramsOfPanel('server', params)
  return {
    view: SERVER_VIEWS.find((each) => each === view) ?? 'machine',
    closed: closed === undefined ? FIRST_CLOSED : closed === NONE ? new Set() : parseList(closed),
    table: table === 'on',
    show: show ?? '',
  }
}

/** An empty text of a parameter means the default, so that no group is closed needs a word. */
const NONE = '-'

/** Parts of the settings → parameters; an empty string removes one (it is the default). */
export function formatSettings({ view, closed, table, show }: Partial<ServerSettings>): LinkParams {
  const params: ParamsToWrite<'server'> = {}
  if (view !== undefined) params.view = view === 'machine' ? '' : view
  if (closed !== undefined) {
    const isDefault = closed.size === FIRST_CLOSED.size && [...closed].every((id) => FIRST_CLOSED.has(id))
    params.closed = isDefault ? '' : closed.size === 0 ? NONE : formatList(closed)
  }
  if (table !== undefined) params.table = table ? 'on' : ''
  if (show !== undefined) params.show = show
  return toLinkParams('server', params)
}
