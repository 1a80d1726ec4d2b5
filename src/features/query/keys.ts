import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const queryKeys: readonly KeyGroup[] = [
  {
    title: 'Query',
    keys: [
      { keys: ['Ctrl or ⌘', 'Enter'], does: 'run the query' },
      { keys: ['Ctrl or ⌘', 'S'], does: 'save the query under a name' },
      { keys: ['Esc'], does: 'leave the text' },
    ],
  },
]
