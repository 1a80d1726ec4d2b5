import { definePanel } from '../../capture/frame/panel.ts'

/** Database queries: an editor, runs on request, and results as the server sent them. */
export const queryPanel = definePanel({
  id: 'query',
  title: 'Query',
  group: 'database',
  icon: 'prompt',
  scope: 'database',
  databaseParams: ['query.text', 'query.with'],
  needsSource: false,
  shows: ['indexing'],
  lackedByRecordings: 'documents to query',
  lackedByPackages: 'documents to query',
  load: () => import('./view/QueryPanel.tsx'),
})
