import { MERGER_BUSY_SHARE } from '../../../../ravendb/limits.ts'
import { formatCount, formatDuration, formatPlural, formatShare } from '../../../../base/text/format.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import { spanFromMs, type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { parseSourceId } from '../../../../capture/client/state.ts'
import { queryKey, queryName } from '../../../../ravendb/query-key.ts'
import { stallLimitMs } from '../thresholds.ts'
import type { Finding, HeldUpCommits, OtherFacts, SlowCommits, SlowWrite, TriageRule } from '../facts.ts'
import type { FindingLink } from '../../../../feeds/server/contract.ts'
import { arrived, askedAtWork, asOf, endedAt, MINUTE_MS, around, span, between, toQuery, toServer } from './helpers.ts'
import type {} from '../../../../feeds/io/contract.ts'

/* Rules on I/O, queries and merging that hold up writers and readers; some use other feeds, if those record. */

const NO_IO = 'No I/O is watched: open the panel I/O for a database or the server.'

/** Factor by which a stall exceeds its limit to be critical. */
const CRITICAL_LIMITS = 5

export const slowWrites: TriageRule = {
  rule: 'slow-writes',
  title: 'Writes to disk take long',
  reason:
    'A transaction ends when its journal is written: a journal write of 1 s holds every writer of that database up for a second. Flushes and syncs run beside, and hold writers up from some 30 s on. Known only for what is watched.',
  unknown: ({ others }) => (others.slowWrites === null ? NO_IO : null),
  find: ({ others }) =>
    groupBy(notHeldUp(others), (write) => `${write.source}|${write.environment}|${write.kind}`).flatMap(
      ([about, writes]): Finding[] => {
        const limitMs = stallLimitMs(writes[0].kind)
        const stalls = writes.filter(({ durationTicks }) => durationTicks >= limitMs * TICKS_PER_MS)
        const slowest = stalls.toSorted((a, b) => b.durationTicks - a.durationTicks)[0]
        if (slowest === undefined) return []
        const { source, environment, kind, startTicks, durationTicks, selection } = slowest
        const ratio = durationTicks / TICKS_PER_MS / limitMs
        return [
          {
            about,
            level: ratio >= CRITICAL_LIMITS ? 'critical' : 'warning',
            weight: between(ratio, 0, 10),
            title: `${KIND_NAMES[kind] ?? kind} of ${environment} ${kind === 'JournalWrite' ? 'stalled for' : 'took'} ${formatDuration(durationTicks)}.`,
            evidence: [
              `${formatCount(stalls.length)} of at least ${span(limitMs)} in the last 10 minutes.`,
              ...describeSyncs(stalls),
            ],
            sinceTicks: Math.min(...stalls.map((write) => write.startTicks)) as Ticks,
            held: endedAt(Math.max(...stalls.map((write) => write.startTicks + write.durationTicks))),
            link: {
              panel: 'io',
              params: { 'io.hide': '', 'io.find': '' },
              sources: [source],
              range: around(startTicks, 1),
              selection,
            },
          },
        ]
      },
    ),
}

/** Minimum number of stalls for a finding: a few occur on any machine. */
const LEAST_HELD_UP = 5
/** Minimum share of the time in which commits stall: with a known cause, and without one. */
const HELD_UP_SHARE = 0.01
const HELD_UP_SHARE_ALONE = 0.05

/**
 * Whether the stalls are a finding. A stall takes at least four times the median of its environment, so usual durations
 * do not count.
 */
const isHeldUp = (commits: HeldUpCommits): boolean =>
  commits.stalls >= LEAST_HELD_UP &&
  commits.stalledShare >= (isExplained(commits) && commits.cause !== 'standstill' ? HELD_UP_SHARE : HELD_UP_SHARE_ALONE)

/** Whether at least half of the stalls have the cause. */
const isExplained = ({ stalls, cause, ofCause }: HeldUpCommits): boolean =>
  cause !== 'unexplained' && ofCause >= stalls / 2

/** Describes the cause: `, by data syncs`, or `, 9 of them by data syncs` if less than half of the stalls have it. */
function describeCause(commits: HeldUpCommits): string {
  const { cause, ofCause } = commits
  if (cause === 'unexplained') return ''
  return `, ${isExplained(commits) ? '' : `${formatCount(ofCause)} of them `}${HELD_UP_BY[cause]}`
}

function nameOf({ source, environment }: HeldUpCommits | SlowCommits): string {
  const ref = parseSourceId(source)
  return ref?.kind === 'database' ? `${environment} of ${ref.name}` : environment
}

const environmentOf = ({ source, environment }: SlowWrite | HeldUpCommits | SlowCommits): string =>
  `${source}|${environment}`

/** Writes that no finding of held-up commits contains already. */
function notHeldUp({ slowWrites: writes, heldUp }: OtherFacts): readonly SlowWrite[] {
  const reported = new Map((heldUp ?? []).filter(isHeldUp).map((commits) => [environmentOf(commits), commits]))
  return (writes ?? []).filter((write) => {
    const commits = write.kind === 'JournalWrite' ? reported.get(environmentOf(write)) : undefined
    return commits === undefined || write.durationTicks > commits.longestTicks
  })
}

/** Journal writes of the environment that would be long enough for a finding of their own. */
function longOnes(commits: HeldUpCommits, writes: readonly SlowWrite[] | null): readonly SlowWrite[] {
  const leastTicks = stallLimitMs('JournalWrite') * TICKS_PER_MS
  return (writes ?? []).filter(
    (write) =>
      write.kind === 'JournalWrite' &&
      environmentOf(write) === environmentOf(commits) &&
      write.durationTicks >= leastTicks,
  )
}

export const heldUpCommits: TriageRule = {
  rule: 'held-up-commits',
  title: 'Commits are held up',
  reason: 'A transaction ends when its journal is written: while that stalls, its writers wait.',
  when: `Reported when ${String(LEAST_HELD_UP)} journal writes or more stalled in ten minutes, for ${formatShare(HELD_UP_SHARE)} of the time with a known cause, else ${formatShare(HELD_UP_SHARE_ALONE)}; and where a tenth of them takes long and none stands out.`,
  unknown: ({ others }) => (others.heldUp === null ? NO_IO : null),
  find: ({ others }) => [
    ...(others.slowCommits ?? []).map(slowAsAWhole),
    ...(others.heldUp ?? []).filter(isHeldUp).map((commits): Finding => {
      const { stalls, stalledShare, longestTicks, sinceTicks, untilTicks, cause, ofCause } = commits
      const long = longOnes(commits, others.slowWrites)
      const name = nameOf(commits)
      return {
        about: environmentOf(commits),
        level: longestTicks / TICKS_PER_MS >= CRITICAL_LIMITS * stallLimitMs('JournalWrite') ? 'critical' : 'warning',
        weight: between(stalledShare, 0, 0.5),
        title: `Commits of ${name} were held up ${formatCount(stalls)} times (longest ${formatDuration(longestTicks)})${describeCause(commits)}.`,
        past: `Commits of ${name} were held up.`,
        evidence: [
          `${formatShare(stalledShare)} of the time; each took four times its usual or more.`,
          ...(long.length === 0
            ? []
            : [`${formatCount(long.length)} took ${span(stallLimitMs('JournalWrite'))} or more.`]),
          ...(cause === 'unexplained' ? [] : [`${formatCount(ofCause)} of ${formatCount(stalls)} have this cause.`]),
        ],
        sinceTicks,
        held: endedAt(untilTicks),
        link: toStalls(commits),
      }
    }),
  ],
}

const toStalls = ({ source, sinceTicks, untilTicks }: HeldUpCommits | SlowCommits): FindingLink => ({
  panel: 'stalls',
  params: {},
  sources: [source],
  range: {
    startTicks: (sinceTicks - TICKS_PER_SECOND) as Ticks,
    endTicks: (untilTicks + TICKS_PER_SECOND) as Ticks,
  },
})

/** Finding for commits that are all about equally slow: none stands out as held up, yet all writers wait. */
function slowAsAWhole(commits: SlowCommits): Finding {
  const { writes, slow, leastMs, medianMs, quickMs, mostPerSecond, sinceTicks, untilTicks } = commits
  return {
    about: `slow|${environmentOf(commits)}`,
    level: 'warning',
    weight: between(medianMs, 0, 1000),
    title: `Commits of ${nameOf(commits)} are slow as a whole: half take ${formatDuration(spanFromMs(medianMs))} or more.`,
    past: `Commits of ${nameOf(commits)} were slow as a whole.`,
    evidence: [
      `${formatCount(slow)} of ${formatPlural(writes, 'journal write')} took ${span(leastMs)} or more; its quickest tenth takes ${formatDuration(spanFromMs(quickMs))} at most.`,
      `Its volume completed at most ${formatPlural(mostPerSecond, 'journal write')} in a second.`,
    ],
    sinceTicks,
    held: endedAt(untilTicks),
    link: toStalls(commits),
  }
}

const HELD_UP_BY: Readonly<Record<Exclude<HeldUpCommits['cause'], 'unexplained'>, string>> = {
  bytes: 'as long as their bytes take',
  sync: 'by data syncs',
  flush: 'by data flushes',
  neighbour: 'by large writes of others',
  standstill: 'with all volumes',
}

/** Counts the writes that ended with a sync. The panel Stalls judges whether that is more than chance. */
function describeSyncs(stalls: readonly SlowWrite[]): string[] {
  const ended = stalls.filter(({ endsWithSync }) => endsWithSync).length
  return ended === 0 ? [] : [`${formatCount(ended)} of them ended with a data sync: see Stalls.`]
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  JournalWrite: 'A journal write',
  DataFlush: 'A data flush',
  DataSync: 'A data sync',
}

/**
 * Minimum duration of a stream for a finding. A stream lasts as long as its client reads, which may be long without a
 * fault.
 */
const STREAM_MS = 10 * MINUTE_MS

export const longQueries: TriageRule = {
  rule: 'long-queries',
  title: 'A query runs long',
  reason: 'It holds memory and a thread, and its client waits.',
  when: 'Reported from 30 s on; streams, which last as long as their client reads, from 10 min on and as info.',
  unknown: ({ queries }) =>
    arrived(queries, 'Running queries are unknown: their connection is down and is being reopened.'),
  find: ({ queries, queriesTicks, nowTicks }) => {
    const agoMs = queriesTicks === null ? 0 : (nowTicks - queriesTicks) / TICKS_PER_MS
    const age = agoMs < 5000 ? [] : [`As of ${span(agoMs)} ago.`]
    return (queries ?? [])
      .filter(({ runningMs, isStreaming }) => runningMs >= (isStreaming ? STREAM_MS : 30_000))
      .map(({ database, index, id, query, startTicks, runningMs, isStreaming, waitsForIndex }): Finding => ({
        about: queryKey({ database, index, id }),
        level: isStreaming ? 'info' : 'warning',
        weight: between(runningMs, 0, 10 * MINUTE_MS),
        title: `A ${isStreaming ? 'stream' : 'query'} on “${database}” has been running for ${span(runningMs)}.`,
        past: `A ${isStreaming ? 'stream' : 'query'} on “${database}” ran long.`,
        evidence: [
          query.slice(0, 200),
          index.startsWith('collection/') ? 'No index answers it: it reads the documents themselves.' : `By ${index}.`,
          ...(waitsForIndex ? ['It was asked to wait until the index has caught up.'] : []),
          ...age,
        ],
        sinceTicks: startTicks ?? (((queriesTicks ?? nowTicks) - runningMs * TICKS_PER_MS) as Ticks),
        held: asOf(queriesTicks),
        link: toQuery(queryKey({ database, index, id })),
        actsOn: { kind: 'query', database, names: [queryName(id, index)] },
      }))
  },
}

export const mergerQueue: TriageRule = {
  rule: 'merger-queue',
  title: 'Transaction merger backlog',
  reason: 'A database makes one transaction at a time of the writes that wait.',
  when: 'Reported when 100 or more waited and transactions took nine tenths of the last minute: then writers wait longer and longer.',
  samples: askedAtWork,
  unknown: ({ work }) => arrived(work, 'No data yet on which databases are in use.'),
  find: ({ work }) =>
    (work ?? []).flatMap(({ database, merger, waiting, atTicks }): Finding[] => {
      if (merger === null || waiting === null || waiting < 100) return []
      const busy = merger.busyMs / merger.spanMs
      if (busy < MERGER_BUSY_SHARE) return []
      return [
        {
          about: database,
          level: 'warning',
          weight: between(waiting, 0, 5000),
          title: `${formatPlural(waiting, 'write')} to “${database}” wait.`,
          evidence: [
            `Transactions took ${formatShare(busy)} of the last ${span(merger.spanMs)}, the longest ${span(merger.longestMs)}.`,
            `${formatPlural(merger.operations, 'write')} in ${formatPlural(merger.transactions, 'transaction')}.`,
          ],
          held: asOf(atTicks),
          link: toServer('machine', null, 'Transaction merger'),
        },
      ]
    }),
}
