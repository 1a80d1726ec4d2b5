import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const stacksKeys: readonly KeyGroup[] = [
  {
    title: 'Threads, flame graph, waits',
    keys: [
      { keys: ['/'], does: 'search threads and frames' },
      { keys: ['[', ']'], does: 'the snapshot before, after' },
    ],
  },
  {
    title: 'Flame graph',
    keys: [
      { keys: ['↑', '↓', '←', '→'], does: 'to caller, callee, neighbours' },
      { keys: ['Enter', 'Esc'], does: 'zoom to a frame, one step out' },
      { keys: ['+', '−', 'W', 'S', 'A', 'D'], does: 'zoom and move' },
      { keys: ['0'], does: 'the whole graph' },
    ],
  },
]
