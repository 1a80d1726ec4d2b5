import type { ClusterResponse } from '../../feeds/server/contract.ts'
import { clusterResponse } from '../../feeds/server/data/figures/cluster.ts'
import { ServerModel } from '../../feeds/server/data/model.ts'
import { readTopology } from '../../feeds/server/data/wire/topology-wire.ts'
import { readWidget, type OverviewWidget, type WidgetType } from '../../feeds/server/data/wire/widgets.ts'
import { recordedFrames, recordedJson, type RecordedLine } from '../recorded.ts'

export type { OverviewWidget }

export const emptyModel = (): ServerModel => new ServerModel()

/** Model of the server whose dashboard was recorded; `except`: a widget that is left out. */
export function recordedModel(
  nowMs: number,
  line: RecordedLine = '7.1',
  except: WidgetType | null = null,
): ServerModel {
  const model = new ServerModel()
  for (const text of recordedFrames(line, 'cluster-dashboard-watch.ndjson')) {
    const frame = readWidget(JSON.parse(text))
    if (frame !== null && frame.type !== except) model.widget(frame, nowMs)
  }
  return model
}

export const recordedCluster = (): ClusterResponse =>
  clusterResponse(readTopology(recordedJson('7.1', 'cluster-topology.json')), new Map())

/** Cluster of which nothing is known. */
export const unknownCluster = (): ClusterResponse => clusterResponse(null, new Map())
