import { definePanel } from '../../capture/frame/panel.ts'

/** Journal writes, flushes and syncs of every storage environment that is watched. */
export const ioPanel = definePanel({
  id: 'io',
  title: 'I/O',
  group: 'investigate',
  icon: 'disk',
  fileFeeds: ['io'],
  shows: ['io', 'server'],
  load: () => import('./view/IoPanel.tsx'),
  keys: [
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
  ],
})
