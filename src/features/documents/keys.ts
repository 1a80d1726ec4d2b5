import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const documentsKeys: readonly KeyGroup[] = [
  {
    title: 'Document',
    keys: [
      { keys: ['Ctrl S'], does: 'in the text: show what changed, then save' },
      { keys: ['Ctrl F'], does: 'in the text: search' },
      { keys: ['Esc'], does: 'leave the text' },
    ],
  },
]
