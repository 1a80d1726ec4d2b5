import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

/** Keys that work in every panel. */
export const PAGE_KEYS: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: ['?'], does: 'this list, from a chart or a list' },
      { keys: ['Tab'], does: 'next control' },
      { keys: ['Esc'], does: 'close what is open' },
    ],
  },
  {
    title: 'Tables',
    keys: [
      { keys: ['↑', '↓'], does: 'row by row' },
      { keys: ['PgUp', 'PgDn'], does: 'page by page' },
      { keys: ['Home', 'End'], does: 'first, last row' },
      { keys: ['Enter'], does: 'open the row' },
      { keys: ['Space'], does: 'choose the row' },
    ],
  },
]
