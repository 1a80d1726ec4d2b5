import { definePanel } from '../../capture/frame/panel.ts'

/** What every thread of the server is doing, in whose name and at what cost: live, and in stack snapshots. */
export const stacksPanel = definePanel({
  id: 'stacks',
  title: 'Stacks',
  group: 'investigate',
  icon: 'flame',
  scope: 'server',
  fileFeeds: ['stacks'],
  shows: ['stacks'],
  load: () => import('./view/StacksPanel.tsx'),
  keys: [
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
  ],
})
