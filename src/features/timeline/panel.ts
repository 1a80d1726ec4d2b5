import { definePanel } from '../../capture/frame/panel.ts'

/** Lanes of any panels under each other, on one clock: what happened at the same time. */
export const timelinePanel = definePanel({
  id: 'timeline',
  title: 'Timeline',
  group: 'overview',
  icon: 'lanes',
  shows: ['io', 'indexing', 'server'],
  load: () => import('./view/TimelinePanel.tsx'),
  keys: [
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
  ],
})
