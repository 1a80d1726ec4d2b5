import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const indexDefinitionsKeys: readonly KeyGroup[] = [
  {
    title: 'Definition',
    keys: [
      { keys: ['Ctrl or ⌘', 'Enter'], does: 'test it on a few documents' },
      { keys: ['Ctrl or ⌘', 'S'], does: 'show what changed, then save; a new index is saved at once' },
      { keys: ['Esc'], does: 'leave the text' },
    ],
  },
]
