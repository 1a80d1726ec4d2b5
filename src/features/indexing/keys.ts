import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const indexingKeys: readonly KeyGroup[] = [
  {
    title: 'Indexing',
    keys: [
      { keys: ['+', '−', 'W', 'S'], does: 'zoom in, out' },
      { keys: ['←', '→', 'A', 'D'], does: 'earlier, later' },
      { keys: ['↑', '↓'], does: 'lanes up, down' },
      {
        keys: ['M', 'Enter'],
        does: 'batches: focus the longest; then arrows step, Enter pins, O opens its lane, Esc leaves',
      },
      { keys: ['M', 'Enter'], does: 'budgets: set the cursor; then arrows move it' },
      { keys: ['N', 'P'], does: 'next, previous of the largest' },
      { keys: ['Shift F10'], does: 'at a lane or a focused mark: actions on what the lane shows' },
      { keys: ['0'], does: 'everything that was seen' },
      { keys: ['Home', 'End'], does: 'the beginning; live, or the end of a file' },
    ],
  },
]
