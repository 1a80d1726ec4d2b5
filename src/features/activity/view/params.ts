import { choice, panelSettings, text } from '../../../capture/client/panel-settings.ts'
import type { ParamsToRead } from '../../../capture/client/panels.ts'
import type { OperationFilter } from './operation-filter.ts'

export const { parse: parseSettings, format: formatSettings } = panelSettings('activity', {
  view: choice('view', 'running', ['operations', 'queries', 'done']),
  /** Key of the query in a link; empty: none. */
  show: text('show'),
  /** Filter of operations. */
  filter: {
    read: ({ database = '', task = '', find = '' }: ParamsToRead<'activity'>) => ({ database, task, find }),
    write: (filter: OperationFilter) => filter,
  },
})
