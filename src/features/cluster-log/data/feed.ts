import type { Feed } from '../../../capture/worker/feed.ts'

/** The log of the cluster's commands; all of its code is loaded when the panel is opened. */
export class ClusterLogFeed implements Feed {
  readonly name = 'cluster-log'
  readonly responses = {}
  readonly watch = () => null
  readonly recognises = () => false
  readonly extent = () => null
  readonly summary = () => []
  readonly byteLength = () => ({ tables: 0, other: 0, rows: 0 })
  readonly later = async () => (await import('./log.ts')).clusterLogResponses()

  readonly reader = (): never => {
    throw new Error('No document is a cluster log.')
  }
}
