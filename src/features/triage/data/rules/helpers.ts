import { formatCount, formatDuration, formatShare } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { toIndexLanes } from '../../../../capture/client/index-link.ts'
import type { Finding, TriageFacts, Awaited } from '../facts.ts'
import type {} from '../../../activity/contract.ts'
import type {} from '../../../../feeds/indexing/contract.ts'
import type { FindingLink } from '../../../../feeds/server/contract.ts'
import type { ServerView } from '../../../server/contract.ts'

/** Id of a finding, by its rule and its subject within the rule. */
export const findingId = (rule: string, about: string | undefined): string =>
  about === undefined ? rule : `${rule}:${about}`

const LEVELS = { critical: 0, warning: 1, info: 2 } as const

export const byLevel = (a: Pick<Finding, 'level'>, b: Pick<Finding, 'level'>): number =>
  LEVELS[a.level] - LEVELS[b.level]

/** Order by level and weight. */
export const worseFirst = (a: Finding, b: Finding): number => byLevel(a, b) || b.weight - a.weight

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Link to a view of the server. `shown`: target in that view: the label of a card, an alert, a node. */
export const toServer = (view: ServerView, range: FindingLink['range'] = null, shown = ''): FindingLink => ({
  panel: 'server',
  params: { ...(view === 'machine' ? {} : { 'server.view': view }), ...(shown === '' ? {} : { 'server.show': shown }) },
  sources: [],
  range,
})
/** Link to the nodes of the cluster. */
export const toCluster: FindingLink = { panel: 'cluster', params: {}, sources: [], range: null }
/** Link to a running query, by its key. */
export const toQuery = (key: string): FindingLink => ({
  panel: 'activity',
  params: { 'activity.view': 'queries', 'activity.show': key },
  sources: [],
  range: null,
})
/** Link to the page of a database. */
export const toDatabase = (name: string): FindingLink => ({
  panel: 'database',
  database: name,
  params: {},
  sources: [],
  range: null,
})
/** Range of some minutes before and after a moment. */
export const around = (ticks: number, minutes = 5): FindingLink['range'] => ({
  startTicks: (ticks - minutes * 60 * TICKS_PER_SECOND) as Ticks,
  endTicks: (ticks + minutes * 60 * TICKS_PER_SECOND) as Ticks,
})
export const span = (ms: number): string => formatDuration(ms * TICKS_PER_MS)
export const percent = (value: number): string => formatShare(value / 100)
/** Position of a value between two bounds: 0 at `from`, 1 at `to`, linear between them, clamped. */
export const between = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

/** Link to those indexes with their lanes open, whatever was filtered before. `errors`: show their errors, too. */
export const toIndexing = (database: string, indexes: readonly string[] = [], errors = false): FindingLink => ({
  panel: 'indexing',
  params: { ...toIndexLanes(database, indexes), 'indexing.errors': errors ? 'on' : '' },
  sources: [`db:${database}`],
  range: null,
})

/**
 * Describes how the state of indexes and writes in databases is sampled, with the intervals that were measured: under an
 * overhead limit, or with many databases, they are long. Null: no database is at work.
 */
export function polledAtWork({ work }: TriageFacts): string | null {
  if (work === null || work.length === 0) return null
  const intervals = work.flatMap(({ intervalMs, isPast }) => (intervalMs == null || isPast ? [] : [intervalMs]))
  const [least, most] = [Math.min(...intervals), Math.max(...intervals)].map((ms) => Math.round(ms / 1000))
  const pace =
    intervals.length === 0
      ? ''
      : ` every ${least === most ? '' : `${formatCount(least ?? 0)} to `}${formatCount(most ?? 0)} s`
  return `Requested${pace} of databases at work only: a request would keep an idle one loaded.`
}

/** Time at which a state was last requested; it is requested again regularly. */
export const asOf = (ticks: Ticks | null): Finding['held'] => (ticks === null ? undefined : { ticks, isEnd: false })

/** Time at which the last event ended. */
export const endedAt = (ticks: number): Finding['held'] => ({ ticks: ticks as Ticks, isEnd: true })

export const always = (): null => null
/** Marks figures as expected, as on a page that was just opened. */
export const awaited = (why: string): Awaited => ({ awaited: why })
export const arrived = (part: unknown, why = 'No data yet.'): Awaited | null => (part === null ? awaited(why) : null)

export const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300)

/** First line of a server's text, as a sentence. */
export const sentence = (text: string): string => {
  const line = firstLine(text).trim()
  return /[.!?]$/.test(line) ? line : `${line}.`
}
