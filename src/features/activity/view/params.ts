import { paramsOfPanel, toLinkParams, type LinkParams, type ViewParams } from '../../../capture/client/panels.ts'
import type { ActivityView } from '../contract.ts'
import type { OperationFilter } from './operation-filter.ts'

const VIEWS: readonly ActivityView[] = ['done', 'operations', 'queries']

export interface ActivitySettings {
  readonly view: ActivityView
  /** Key of the query that a link means; empty: none. */
  readonly show: string
  /** Of operations. */
  readonly filter: OperationFilter
}

/** What a link says; what is not said or makes no sense is the default. */
export function parseSettings(params: ViewParams): ActivitySettings {
  const { view, show = '', database = '', task = '', find = '' } = paramsOfPanel('activity', params)
  return { view: VIEWS.find((each) => each === view) ?? 'done', show, filter: { database, task, find } }
}

export const formatSettings = ({ view, show, filter }: ActivitySettings): LinkParams =>
  toLinkParams('activity', { view: view === 'done' ? '' : view, show, ...filter })
