import type { ComposedParams } from '../../capture/client/panels.ts'
import type { BoundsText, ListText } from '../../capture/client/param-text.ts'
import type { IoSort } from '../../feeds/io/contract/rows.ts'

interface IoLinkParams extends ComposedParams {
  /** Expanded lanes, kinds whose files are shown, hidden kinds. */
  readonly open: ListText
  readonly files: ListText
  readonly hide: ListText
  /** Part of the lane names to show. */
  readonly find: string
  /** Page number, from 1. */
  readonly page: string
  readonly duration: BoundsText
  readonly size: BoundsText
  readonly fold: 'off'
  readonly scale: 'linear'
  readonly sort: `${IoSort}-${'up' | 'down'}`
  readonly table: 'on'
  readonly lanes: 'heat'
  readonly stalls: 'on'
  readonly distribution: 'on'
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    io: IoLinkParams
  }
}
