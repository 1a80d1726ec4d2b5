import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const ioKeys: readonly KeyGroup[] = [
  {
    title: 'I/O timeline',
    keys: [
      { keys: ['+', '−', 'W', 'S'], does: 'zoom in, out' },
      { keys: ['←', '→', 'A', 'D'], does: 'earlier, later' },
      { keys: ['↑', '↓'], does: 'lanes up, down' },
      { keys: ['M', 'Enter'], does: 'focus the slowest mark; then arrows step, Enter pins, Esc leaves' },
      { keys: ['N', 'P'], does: 'next, previous of the slowest' },
      { keys: ['Shift F10'], does: 'at a lane or a focused mark: actions on what the lane shows' },
      { keys: ['0'], does: 'everything that was seen' },
      { keys: ['Home', 'End'], does: 'the beginning; live, or the end of a file' },
    ],
  },
]
