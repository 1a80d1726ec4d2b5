import {
  choice,
  panelSettings,
  setting,
  switchedOn,
  text,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'
import { formatList, parseList } from '../../../capture/client/param-text.ts'
import type { ServerView } from '../contract.ts'
import { FIRST_CLOSED } from './series/charts.ts'

export const SERVER_VIEWS: readonly ServerView[] = ['machine', 'alerts', 'overhead']

/** Value for "no group is closed". An empty parameter cannot express it, since it means the default. */
const NONE = '-'

const SETTINGS = {
  view: choice('view', 'machine', ['alerts', 'overhead']),
  /** Ids of the groups of charts that are closed. */
  closed: setting(
    'closed',
    (text) => (text === undefined ? FIRST_CLOSED : text === NONE ? new Set<string>() : parseList(text)),
    (closed) => {
      const isDefault = closed.size === FIRST_CLOSED.size && [...closed].every((id) => FIRST_CLOSED.has(id))
      return isDefault ? '' : closed.size === 0 ? NONE : formatList(closed)
    },
  ),
  /** Whether the table beside the charts is shown. */
  table: switchedOn('table'),
  /** Target in the view: the label of a card, the key of a query, the id of an alert; empty: none. */
  show: text('show'),
}

export type ServerSettings = SettingsOf<typeof SETTINGS>
export const { parse: parseSettings, format: formatSettings } = panelSettings('server', SETTINGS)
