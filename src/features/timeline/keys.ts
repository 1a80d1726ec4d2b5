import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

export const timelineKeys: readonly KeyGroup[] = [
  {
    title: 'Timeline',
    keys: [
      { keys: ['+', '−', 'W', 'S'], does: 'zoom in, out' },
      { keys: ['←', '→', 'A', 'D'], does: 'earlier, later' },
      { keys: ['↑', '↓'], does: 'lanes up, down' },
      { keys: ['M', 'Enter'], does: 'focus the longest mark; then arrows step, Enter selects, Esc leaves' },
      { keys: ['Shift F10'], does: 'at a lane or a focused mark: move, resize, fold or remove the lane' },
      { keys: ['0'], does: 'everything that was seen' },
      { keys: ['Home', 'End'], does: 'the beginning; live, or the end of a file' },
    ],
  },
]
