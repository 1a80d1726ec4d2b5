import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan } from '../../base/ticks.ts'
import { isFileSource } from '../../capture/client/state.ts'
import type { CompareSideParams, FeedLines, LineRole, LineSamples } from '../../features/compare/contract.ts'
import type { SeriesInfo } from '../../feeds/server/contract/series.ts'
import type { ServerModel } from '../../feeds/server/data/model.ts'

/** Resolution of the samples, as long as it is kept: samples of one second are removed after an hour. */
const SAMPLE_TICKS = 10 * TICKS_PER_SECOND
/** Maximum number of samples; beyond it the coarser tier is used anyway. */
const MOST_SAMPLES = 50_000

/**
 * Roles of groups, and of keys, which take precedence. Null: the figure only grows, drains or counts since the start,
 * so that its mean is meaningless.
 */
const ROLES: Readonly<Record<string, LineRole | null>> = {
  'traffic.averageMs': 'duration',
  'gc.pauseMs': 'duration',
  'gc.pausePercent': null,
  'credits.remaining': null,
  'volume.free': null,
  'volume.queue': 'use',
  'network.resent': 'use',
  traffic: 'load',
  writes: 'load',
  indexing: 'load',
  network: 'load',
  volume: 'load',
}

/** Names for figures whose legend label alone is not clear enough. */
const NAMES: Readonly<Record<string, string>> = {
  'traffic.averageMs': 'Mean duration of requests',
  'gc.pauseMs': 'Pause of a garbage collection',
  'merger.waits': 'Transaction merger waits for writes',
  'merger.transactions': 'Transaction merger executes a transaction',
  'merger.commits': 'Transaction merger commits',
}

function roleOf({ key, group }: SeriesInfo): LineRole | null {
  const figure = key.split('|', 1)[0] ?? key
  const own = ROLES[figure]
  return own === undefined ? (ROLES[group] ?? 'use') : own
}

/** Samples in the range of each figure of the server; files have none. O(samples in the range). */
export function comparedSeries(
  { series, version }: Pick<ServerModel, 'series' | 'version'>,
  { sources, startTicks, endTicks, lane }: CompareSideParams,
): FeedLines {
  if (sources.every(isFileSource)) return { version, lines: [], spans: new Map() }
  const sampleTicks = SAMPLE_TICKS * Math.ceil((endTicks - startTicks) / SAMPLE_TICKS / MOST_SAMPLES)
  const within = {
    startTicks: (Math.ceil(startTicks / sampleTicks) * sampleTicks) as Ticks,
    endTicks: (Math.floor(endTicks / sampleTicks) * sampleTicks) as Ticks,
  }
  const lines = series.available.flatMap((info): LineSamples[] => {
    const { key, label, unit, group, mount, everyMs } = info
    const role = roleOf(info)
    if (role === null || (lane !== null && lane !== key) || !(within.endTicks > within.startTicks)) return []
    const rows = series.rows(key, within, (within.endTicks - within.startTicks) / sampleTicks)
    const kept = [...rows.count.keys()].filter((row) => (rows.count[row] as number) > 0)
    const take = (column: Float64Array): Float64Array => Float64Array.from(kept, (row) => column[row] as number)
    return [
      {
        source: 'server',
        lane: key,
        path: key,
        name: NAMES[key] ?? (mount === null ? label : `${label}, ${mount}`),
        kind: group,
        unit,
        role,
        startTicks: take(rows.startTicks),
        values: take(rows.mean).map((value) => Math.max(0, value)),
        counts: take(rows.count),
        max: take(rows.max).reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
        sampleTicks: Math.max(rows.bucketTicks, everyMs * TICKS_PER_MS) as TickSpan,
      },
    ]
  })
  return { version, lines, spans: new Map() }
}
