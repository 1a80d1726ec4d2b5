import { definePanel } from '../../capture/frame/panel.ts'

/** Every database of the server with its state. */
export const databasesPanel = definePanel({
  id: 'databases',
  title: 'Databases',
  group: 'server',
  icon: 'list',
  shows: ['databases', 'server'],
  needsSource: false,
  yieldsToFiles: true,
  lackedByRecordings: 'the list of databases and their figures',
  load: () => import('./view/DatabasesPanel.tsx'),
  loadPackaged: () => import('./view/packaged/PackagedDatabases.tsx'),
})

/** The page of the database in scope: figures, indexes, storage, tasks, and actions. */
export const databasePanel = definePanel({
  id: 'database',
  title: 'Summary',
  group: 'database',
  icon: 'database',
  scope: 'database',
  shows: ['databases', 'server'],
  needsSource: false,
  lackedByRecordings: 'the state of a database',
  load: () => import('./view/page/DatabasePanel.tsx'),
  loadPackaged: () => import('./view/packaged/PackagedDatabase.tsx'),
})
