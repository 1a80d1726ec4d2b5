import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const serverKeys: readonly KeyGroup[] = [
  {
    title: 'Vitals',
    keys: [
      { keys: ['+', '−', 'W', 'S'], does: 'zoom in, out' },
      { keys: ['←', '→', 'A', 'D'], does: 'earlier, later' },
      { keys: ['0'], does: 'everything that was seen' },
      { keys: ['Home', 'End'], does: 'the beginning, live' },
    ],
  },
]
