import type { LaneDefinition, LaneId, LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { GROUP_PLANS } from '../series/charts.ts'

/** Ids and titles of lanes, by the first series of their chart. Links and presets contain the ids. */
const NAMES: Readonly<Record<string, { readonly id: LaneId; readonly title: string }>> = {
  'cpu.machine': { id: 'server.cpu', title: 'CPU' },
  'traffic.requests': { id: 'server.requests', title: 'Requests' },
  'traffic.averageMs': { id: 'server.latency', title: 'Latency of requests' },
  'traffic.concurrent': { id: 'server.in-flight', title: 'Requests in flight' },
  'writes.rate': { id: 'server.writes', title: 'Writes' },
  'writes.byteRate': { id: 'server.written', title: 'Bytes written' },
  'indexing.indexedRate': { id: 'server.indexing', title: 'Indexing rate' },
  'merger.waits': { id: 'server.merger', title: 'Transaction merger' },
  'merger.writers': { id: 'server.writers', title: 'Writers merged' },
  'memory.resident': { id: 'server.memory', title: 'Memory of the server' },
  'memory.available': { id: 'server.memory-left', title: 'Memory left' },
  'gc.pauseMs': { id: 'server.gc', title: 'GC pauses' },
  'gc.perMinute': { id: 'server.collections', title: 'Garbage collections' },
  'gc.heap': { id: 'server.heap', title: 'Managed heap' },
  'network.received': { id: 'server.network', title: 'Machine network' },
  'credits.remaining': { id: 'server.credits', title: 'CPU credits' },
}

const HEIGHT_PX = 44

/** A lane for each chart of server figures whose presence does not depend on the machine. */
export const CHART_LANES: readonly LaneDefinition[] = GROUP_PLANS.flatMap(({ charts }) =>
  charts.flatMap(({ keys, explains }): LaneDefinition[] => {
    const name = NAMES[keys[0] ?? '']
    return name === undefined
      ? []
      : [{ ...name, explains, scope: 'server', isRecorded: true, heightPx: HEIGHT_PX, load: () => loadChart(keys) }]
  }),
)

const loadChart = async (keys: readonly string[]): Promise<{ readonly default: LaneModule }> => {
  const { chartLane } = await import('./chart-lane.ts')
  return { default: chartLane(keys) }
}
