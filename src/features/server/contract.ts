import type { ComposedParams } from '../../capture/client/panels.ts'
import type { ListText } from '../../capture/client/param-text.ts'

export type ServerView = 'machine' | 'alerts' | 'overhead'

interface ServerLinkParams extends ComposedParams {
  readonly view: Exclude<ServerView, 'machine'>
  /** Ids of the chart groups that are closed; `-`: all are open. */
  readonly closed: ListText | '-'
  readonly table: 'on'
  /** Target in the view: the label of a card, the id of an alert, a node. */
  readonly show: string
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    server: ServerLinkParams
    cluster: NoLinkParams
  }
}
