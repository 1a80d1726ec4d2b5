import { lazy } from 'react'

/** Which databases there are, and how they are. */
export const databasesPanel = {
  id: 'databases',
  title: 'Databases',
  Component: lazy(() => import('./DatabasesPanel.tsx')),
}
