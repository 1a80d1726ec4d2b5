import type { OperationFilter } from './operation-filter.ts'

/** What the panel shows: what was done from this browser, or what runs on the server. */
export type ActivityView = 'done' | 'operations' | 'queries'

const VIEWS: readonly ActivityView[] = ['done', 'operations', 'queries']

export interface ActivitySettings {
  readonly view: ActivityView
  /** Key of the query that a link means; empty: none. */
  readonly show: string
  /** Of operations. */
  readonly filter: OperationFilter
}

/** What a link says; what is not said or makes no sense is the default. */
export const parseSettings = (params: Readonly<Record<string, string>>): ActivitySettings => ({
  view: VIEWS.find((view) => view === params['activity.view']) ?? 'done',
  show: params['activity.show'] ?? '',
  filter: {
    database: params['activity.database'] ?? '',
    task: params['activity.task'] ?? '',
    find: params['activity.find'] ?? '',
  },
})

export const formatSettings = ({ view, show, filter }: ActivitySettings): Record<string, string> => ({
  'activity.view': view === 'done' ? '' : view,
  'activity.show': show,
  'activity.database': filter.database,
  'activity.task': filter.task,
  'activity.find': filter.find,
})
