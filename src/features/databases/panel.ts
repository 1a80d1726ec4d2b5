import { lazyPanel } from '../../ui/lazyPanel.tsx'

/** Which databases there are, and how they are. */
export const databasesPanel = {
  id: 'databases',
  title: 'Databases',
  ...lazyPanel(() => import('./view/DatabasesPanel.tsx')),
}
