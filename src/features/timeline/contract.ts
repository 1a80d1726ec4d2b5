import type { ComposedParams } from '../../capture/client/panels.ts'

type TimelineLinkParams = ComposedParams

declare module '../../capture/client/panels.ts' {
  interface Panels {
    timeline: TimelineLinkParams
  }
}
