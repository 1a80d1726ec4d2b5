import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const clusterLogKeys: readonly KeyGroup[] = [
  {
    title: 'Cluster log',
    keys: [
      { keys: ['+', '−', 'W', 'S'], does: 'zoom in, out' },
      { keys: ['←', '→', 'A', 'D'], does: 'earlier, later' },
      { keys: ['M', 'Enter'], does: 'focus a command; then arrows step, Enter selects, Esc leaves' },
      { keys: ['0'], does: 'all commands' },
      { keys: ['Home', 'End'], does: 'the beginning, live' },
    ],
  },
]
