import { lazyPanel } from '../../ui/lazyPanel.tsx'

/** What every thread of the server is doing, in whose name and at what cost: live, and as stacks that were captured. */
export const stacksPanel = {
  id: 'stacks',
  title: 'Stacks',
  ...lazyPanel(() => import('./view/StacksPanel.tsx')),
  keys: [
    {
      title: 'Threads, flame graph, waits',
      keys: [
        { keys: ['/'], does: 'search threads and frames' },
        { keys: ['[', ']'], does: 'the capture before, after' },
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
}
