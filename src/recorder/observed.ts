import { ticksFromMs, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { RecentStalls, StallCause } from '../features/stalls/contract.ts'
import type { RecorderHost } from './host.ts'

/** Newest value of a figure of the server. */
export interface ObservedFigure {
  /** Key, as in the table `vitals` of an archive. */
  readonly key: string
  readonly unit: string
  /** Mean of the last minute. */
  readonly value: number
}

/** State of a server, by what the recorder has received of it. */
export interface ObservedServer {
  readonly figures: readonly ObservedFigure[]
  /** Number of findings of Triage that hold now, by level. */
  readonly findings: Readonly<Record<string, number>>
  /** Number of stalls of the last ten minutes, by cause. Null: not judged in the last minutes. */
  readonly stalls: Readonly<Record<StallCause, number>> | null
}

const SPAN_MS = 60_000
/** Number of report intervals after which a figure is too old. */
const REPORTS = 3
/** Age of a judgement above which its ten minutes are others than the last ones; Triage judges twice a minute. */
const MOST_AGE_TICKS = 120 * TICKS_PER_SECOND
const LEVELS = ['critical', 'warning'] as const

/** Reads the state of a server for metrics. It judges nothing itself: Triage does, whether it is read or not. */
export async function observe(host: RecorderHost): Promise<ObservedServer> {
  const recent = await recentStalls(host)
  const nowTicks = ticksFromMs(Date.now() - host.state.clockAheadMs)
  const { series, findings } = host.server.model
  const open = findings.logged.filter(({ isOver, goneTicks }) => !isOver && goneTicks === undefined)
  return {
    figures: series.available.flatMap(({ key, unit, everyMs }) => {
      const { mean, count } = series.recent(key, nowTicks, Math.max(SPAN_MS, REPORTS * everyMs))
      return count === 0 ? [] : [{ key, unit, value: mean }]
    }),
    findings: Object.fromEntries(LEVELS.map((level) => [level, open.filter((each) => each.level === level).length])),
    stalls: recent === null || Math.abs(nowTicks - recent.atTicks) > MOST_AGE_TICKS ? null : recent.byCause,
  }
}

/** Null also where the tables are replaced at this moment. */
async function recentStalls(host: RecorderHost): Promise<RecentStalls | null> {
  try {
    return (await host.request('stalls.recent', null)) as RecentStalls | null
  } catch {
    return null
  }
}
