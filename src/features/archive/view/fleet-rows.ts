import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { FleetServer } from '../../../capture/archive/fleet.ts'
import { HOUR_TICKS, hourOf } from '../../../capture/archive/manifest.ts'
import type { TableSort } from '../../../ui/table/table-columns.ts'

export const FLEET_COLUMNS = [
  { id: 'node', title: 'Server', width: 180 },
  { id: 'slowTicks', title: 'Time of slow writes', width: 150 },
  { id: 'slow', title: 'Slow writes', width: 100 },
  { id: 'slowestTicks', title: 'Longest write', width: 110 },
  { id: 'critical', title: 'Critical', width: 80 },
  { id: 'warning', title: 'Warnings', width: 90 },
  { id: 'gapTicks', title: 'Not known', width: 100 },
  { id: 'events', title: 'I/O events', width: 110 },
  { id: 'lastTicks', title: 'Last row', width: 170 },
] as const
export type FleetColumn = (typeof FLEET_COLUMNS)[number]['id']

/**
 * Time without rows after which a server counts as silent. Rows reach a database one minute after they were recorded;
 * in large fleets with `--fold 10`, after ten.
 */
const SILENT_TICKS = 1200 * TICKS_PER_SECOND

export const isSilent = ({ lastTicks }: FleetServer, now: Ticks): boolean =>
  lastTicks === null || now - lastTicks > SILENT_TICKS

/** Servers sorted by a column; equal ones by slow writes, findings and name. */
export function sortServers(
  servers: readonly FleetServer[],
  { id, descending }: TableSort<FleetColumn>,
): FleetServer[] {
  const direction = descending ? -1 : 1
  const compare = (a: FleetServer, b: FleetServer): number =>
    id === 'node'
      ? a.node < b.node
        ? -1
        : 1
      : (a[id] ?? Number.NEGATIVE_INFINITY) - (b[id] ?? Number.NEGATIVE_INFINITY)
  const usual = (a: FleetServer, b: FleetServer): number =>
    b.slowTicks - a.slowTicks || b.critical - a.critical || b.warning - a.warning || (a.node < b.node ? -1 : 1)
  return servers.toSorted((a, b) => {
    const order = compare(a, b)
    // Two servers without recorded rows have both −∞, so that their difference is NaN.
    return (Number.isNaN(order) ? 0 : direction * order) || usual(a, b)
  })
}

/** Margin before and after the longest write. */
const AROUND_TICKS = 30 * TICKS_PER_SECOND

/**
 * Range that explains the position of a server in that order. If nothing was wrong, the hour of its newest row, or the
 * current hour.
 */
export function worstOf(server: FleetServer, by: FleetColumn, now: Ticks): TimeRange {
  const hour = (at: Ticks): TimeRange => {
    const startTicks = hourOf(at) as Ticks
    return { startTicks, endTicks: (startTicks + HOUR_TICKS) as Ticks }
  }
  const { slowestAt, slowestTicks, findingsAt, gapAt, lastTicks } = server
  const write =
    slowestAt === null
      ? null
      : {
          startTicks: (slowestAt - AROUND_TICKS) as Ticks,
          endTicks: (slowestAt + slowestTicks + AROUND_TICKS) as Ticks,
        }
  const findings = findingsAt === null ? null : hour(findingsAt)
  const gap = gapAt === null ? null : hour(gapAt)
  const newest = hour(lastTicks ?? now)
  if (by === 'critical' || by === 'warning') return findings ?? write ?? gap ?? newest
  if (by === 'gapTicks') return gap ?? write ?? findings ?? newest
  if (by === 'lastTicks' || by === 'node' || by === 'events') return newest
  return write ?? findings ?? gap ?? newest
}
