import { definePanel } from '../../capture/frame/panel.ts'

/** Which databases there are, and how they are. */
export const databasesPanel = definePanel({
  id: 'databases',
  title: 'Databases',
  shows: ['databases', 'server'],
  needsSource: false,
  yieldsToFiles: true,
  load: () => import('./view/DatabasesPanel.tsx'),
})
