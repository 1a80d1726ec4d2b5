import { definePanel } from '../../capture/frame/panel.ts'

/** Files that were opened: how far they are, what a package holds, and any of it as text or as a tree. */
export const filesPanel = definePanel({
  id: 'files',
  title: 'Files',
  group: 'files',
  icon: 'file',
  needsSource: false,
  needsServer: false,
  yieldsToFiles: true,
  load: () => import('./view/FilesPanel.tsx'),
  keys: [
    {
      title: 'Raw viewer',
      keys: [
        { keys: ['↑', '↓'], does: 'row by row' },
        { keys: ['→', '←'], does: 'tree: open, close; into it, out of it' },
        { keys: ['PgUp', 'PgDn', 'Home', 'End'], does: 'page by page, first, last' },
        { keys: ['Enter'], does: 'in the search: next hit' },
      ],
    },
  ],
})
