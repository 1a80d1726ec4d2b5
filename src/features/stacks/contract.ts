import type { ComposedParams } from '../../capture/client/panels.ts'
import type { ThreadSort } from '../../feeds/stacks/contract/threads.ts'

export type StacksTab = 'threads' | 'flame' | 'functions' | 'time'
/** Direction of the tree. `around`: the callers of a function above it, and its callees below. */
export type FlameDirection = 'top-down' | 'bottom-up' | 'around'

type Flag = 'on' | 'off'

/** Lists are separated by line breaks, since frames may contain any other character. */
interface StacksLinkParams extends ComposedParams {
  readonly tab: StacksTab
  /** Snapshots in view, and those they are compared with: `formatChoice`. */
  readonly of: string
  readonly vs: string
  readonly find: string
  readonly regex: 'on'
  /** Job keys. */
  readonly jobs: string
  /** Kinds of waits, separated by commas. */
  readonly waits: string
  readonly sort: `${ThreadSort}-${'up' | 'down'}`
  readonly group: Flag
  readonly open: string
  readonly live: Flag
  readonly weight: string
  readonly dir: FlameDirection
  readonly focus: string
  readonly fold: Flag
  readonly zoom: string
  readonly up: Flag
  readonly table: Flag
  readonly waiting: Flag
  readonly cpu: Flag
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    stacks: StacksLinkParams
  }
}
