import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const filesKeys: readonly KeyGroup[] = [
  {
    title: 'Raw viewer',
    keys: [
      { keys: ['↑', '↓'], does: 'row by row' },
      { keys: ['→', '←'], does: 'tree: open, close; into it, out of it' },
      { keys: ['PgUp', 'PgDn', 'Home', 'End'], does: 'page by page, first, last' },
      { keys: ['Enter'], does: 'in the search: next hit' },
    ],
  },
]
