import type { ComposedParams } from '../../capture/client/panels.ts'
import { definePanel } from '../../capture/frame/panel.ts'

type TimelineLinkParams = ComposedParams

declare module '../../capture/client/panels.ts' {
  interface Panels {
    timeline: TimelineLinkParams
  }
}

/** Lanes of any panels, stacked on one time axis, to see what happened at the same time. */
export const timelinePanel = definePanel({
  id: 'timeline',
  title: 'Timeline',
  group: 'overview',
  icon: 'lanes',
  shows: ['io', 'indexing', 'server'],
  load: () => import('./view/TimelinePanel.tsx'),
})
