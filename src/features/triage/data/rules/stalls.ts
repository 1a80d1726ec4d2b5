import { formatBytes, formatCount, formatDuration, formatPlural, formatShare } from '../../../../base/text/format.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import { listNames } from '../../../../base/text/list-names.ts'
import { spanFromMs, type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import { stallLimitMs } from '../thresholds.ts'
import type {
  Awaited,
  Finding,
  HeldUpCommits,
  OtherFacts,
  SlowCommits,
  SlowWrite,
  TriageFacts,
  TriageRule,
} from '../facts.ts'
import type { FindingLink } from '../../../../feeds/server/contract.ts'
import { awaited, endedAt, MINUTE_MS, around, span, between } from './helpers.ts'
import {
  foldStorages,
  nameStorages,
  ofDatabase,
  timeOf,
  type StorageFacts,
  type StorageFinding,
  type Storages,
} from './storages.ts'
import type {} from '../../../../feeds/io/contract.ts'

/* Rules on I/O that holds up writers, judged if the I/O feed records. */

const NO_IO = 'No I/O is watched: no database is at work, and the panel I/O has none open.'
const NOT_JUDGED = 'No current judgement of the watched I/O.'

/** Why nothing is known of I/O; null: some is. */
const noIo = ({ others }: TriageFacts): Awaited | string | null =>
  others.slowWrites !== null ? null : others.isIoAwaited ? awaited('No I/O of the busiest database yet.') : NO_IO

/** Databases at work whose I/O does not arrive, as text. */
const unwatched = ({ others: { unwatched: names } }: TriageFacts): string | null =>
  names.length === 0 ? null : `Not judged for ${listNames(names)}: the panel I/O watches what is open there.`

/** Factor by which a stall exceeds its limit to be critical. */
const CRITICAL_LIMITS = 5

export const slowWrites: TriageRule = {
  rule: 'slow-writes',
  title: 'Writes to disk take long',
  reason:
    'A transaction ends when its journal is written: a journal write of 1 s holds every writer of that database up for a second. Flushes and syncs run beside, and hold writers up from some 30 s on. Known for what the panel I/O has open, and for the busiest database.',
  unknown: noIo,
  partly: unwatched,
  find: (facts) =>
    groupBy(notHeldUp(facts.others), ({ kind }) => kind).flatMap(([kind, writes]) =>
      foldStorages(groupBy(writes, environmentOf).flatMap(slowWritesOfStorage), facts, {
        rule: 'slow-writes',
        kind,
        fold: slowWritesOfDatabase,
      }),
    ),
}

/** Writes of a storage and a kind that took as long as its limit or longer. */
interface StalledWrites extends StorageFacts {
  readonly kind: string
  readonly longestTicks: TickSpan
}

function slowWritesOfStorage([about, writes]: [
  string,
  readonly [SlowWrite, ...SlowWrite[]],
]): StorageFinding<StalledWrites>[] {
  const limitMs = stallLimitMs(writes[0].kind)
  const stalls = writes.filter(({ durationTicks }) => durationTicks >= limitMs * TICKS_PER_MS)
  const slowest = stalls.toSorted((a, b) => b.durationTicks - a.durationTicks)[0]
  if (slowest === undefined) return []
  const { source, environment, kind, startTicks, durationTicks, selection } = slowest
  const ratio = durationTicks / TICKS_PER_MS / limitMs
  const sinceTicks = Math.min(...stalls.map((write) => write.startTicks)) as Ticks
  const untilTicks = Math.max(...stalls.map((write) => write.startTicks + write.durationTicks)) as Ticks
  const longest = formatDuration(durationTicks)
  const count = `${formatCount(stalls.length)} of at least ${span(limitMs)} in the last 10 minutes`
  const syncs = describeSyncs(stalls)
  return [
    {
      facts: { source, environment, kind, longestTicks: durationTicks, sinceTicks, untilTicks },
      figures: `${count}, longest ${longest}.`,
      details: syncs,
      finding: {
        about: `${about}|${kind}`,
        level: ratio >= CRITICAL_LIMITS ? 'critical' : 'warning',
        weight: between(ratio, 0, 10),
        title: `${KIND_NAMES[kind]?.one ?? kind} of ${environment} ${kind === 'JournalWrite' ? 'stalled for' : 'took'} ${longest}.`,
        evidence: [`${count}.`, ...syncs],
        sinceTicks,
        held: endedAt(untilTicks),
        link: {
          panel: 'io',
          params: { 'io.hide': '', 'io.find': '' },
          sources: [source],
          range: around(startTicks, 1),
          selection,
        },
      },
    },
  ]
}

function slowWritesOfDatabase(storages: Storages<StalledWrites>): Pick<Finding, 'title' | 'past' | 'link'> {
  const [{ kind, source }] = storages
  const { sinceTicks, untilTicks } = timeOf(storages)
  const longestTicks = Math.max(...storages.map((storage) => storage.longestTicks))
  const names = KIND_NAMES[kind]?.many ?? kind
  const isJournal = kind === 'JournalWrite'
  return {
    title: `${names} of ${nameStorages(storages)}${ofDatabase(source)} ${isJournal ? 'stalled for' : 'took'} up to ${formatDuration(longestTicks)}.`,
    past: `${names} of several storages${ofDatabase(source)} ${isJournal ? 'stalled' : 'took long'}.`,
    link: {
      panel: 'io',
      params: { 'io.hide': '', 'io.find': '' },
      sources: [source],
      range: {
        startTicks: (sinceTicks - MINUTE_MS * TICKS_PER_MS) as Ticks,
        endTicks: (untilTicks + MINUTE_MS * TICKS_PER_MS) as Ticks,
      },
    },
  }
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

const nameOf = ({ source, environment }: Pick<StorageFacts, 'source' | 'environment'>): string =>
  `${environment}${ofDatabase(source)}`

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

/**
 * Journal writes of the environment that would be long enough for a finding of their own. Longer ones than the longest stall came
 * after the judgement, and have one.
 */
function longOnes(commits: HeldUpCommits, writes: readonly SlowWrite[] | null): readonly SlowWrite[] {
  const leastTicks = stallLimitMs('JournalWrite') * TICKS_PER_MS
  return (writes ?? []).filter(
    (write) =>
      write.kind === 'JournalWrite' &&
      environmentOf(write) === environmentOf(commits) &&
      write.durationTicks >= leastTicks &&
      write.durationTicks <= commits.longestTicks,
  )
}

export const heldUpCommits: TriageRule = {
  rule: 'held-up-commits',
  title: 'Commits are held up',
  reason: 'A transaction ends when its journal is written: while that stalls, its writers wait.',
  when: `Reported when ${String(LEAST_HELD_UP)} journal writes or more stalled in ten minutes, for ${formatShare(HELD_UP_SHARE)} of the time with a known cause, else ${formatShare(HELD_UP_SHARE_ALONE)}; and where a tenth of them takes long and none stands out, or half of them wait for an even pace of their volume.`,
  unknown: (facts) => (facts.others.heldUp === null ? (noIo(facts) ?? awaited(NOT_JUDGED)) : null),
  partly: unwatched,
  find: (facts) => {
    const { others } = facts
    const rule = 'held-up-commits'
    const slow = (others.slowCommits ?? []).map(slowAsAWhole)
    const heldUp = (others.heldUp ?? []).filter(isHeldUp).map((commits) => heldUpInStorage(commits, others.slowWrites))
    return [
      ...foldStorages(slow, facts, { rule, kind: 'slow', fold: slowInDatabase }),
      ...foldStorages(heldUp, facts, { rule, kind: 'held-up', fold: heldUpInDatabase }),
    ]
  },
}

/** `59 times (longest 900 ms), by data syncs` */
const describeStalls = (commits: HeldUpCommits): string =>
  `${formatCount(commits.stalls)} times (longest ${formatDuration(commits.longestTicks)})${describeCause(commits)}`

function heldUpInStorage(commits: HeldUpCommits, writes: OtherFacts['slowWrites']): StorageFinding<HeldUpCommits> {
  const { stalls, stalledShare, longestTicks, sinceTicks, untilTicks, cause, ofCause } = commits
  const long = longOnes(commits, writes)
  const name = nameOf(commits)
  const evidence = [
    `${formatShare(stalledShare)} of the time; each took four times its usual or more.`,
    ...(long.length === 0 ? [] : [`${formatCount(long.length)} took ${span(stallLimitMs('JournalWrite'))} or more.`]),
    ...(cause === 'unexplained' ? [] : [`${formatCount(ofCause)} of ${formatCount(stalls)} have this cause.`]),
  ]
  return {
    facts: commits,
    figures: `${describeStalls(commits)}.`,
    details: evidence,
    finding: {
      about: environmentOf(commits),
      level: longestTicks / TICKS_PER_MS >= CRITICAL_LIMITS * stallLimitMs('JournalWrite') ? 'critical' : 'warning',
      weight: between(stalledShare, 0, 0.5),
      title: `Commits of ${name} were held up ${describeStalls(commits)}.`,
      past: `Commits of ${name} were held up.`,
      evidence,
      sinceTicks,
      held: endedAt(untilTicks),
      link: toStalls(commits),
    },
  }
}

function heldUpInDatabase(storages: Storages<HeldUpCommits>): Pick<Finding, 'title' | 'past' | 'link'> {
  const [{ source }] = storages
  const stalls = sum(storages, (storage) => storage.stalls)
  const [cause, ofCause] =
    groupBy(storages, (storage) => storage.cause)
      .map(([each, own]) => [each, sum(own, (storage) => storage.ofCause)] as const)
      .toSorted((a, b) => b[1] - a[1])[0] ?? (['unexplained', 0] as const)
  const all: HeldUpCommits = {
    ...storages[0],
    ...timeOf(storages),
    environment: nameStorages(storages),
    stalls,
    longestTicks: Math.max(...storages.map(({ longestTicks }) => longestTicks)) as TickSpan,
    // Storages with another main cause may have stalls of this one, too: fewer than half are not the number.
    cause: ofCause >= stalls / 2 ? cause : 'unexplained',
    ofCause,
  }
  return {
    title: `Commits of ${nameOf(all)} were held up ${describeStalls(all)}.`,
    past: `Commits of several storages${ofDatabase(source)} were held up.`,
    link: toStalls(all),
  }
}

const sum = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((total, item) => total + value(item), 0)

const toStalls = ({ source, sinceTicks, untilTicks }: Omit<StorageFacts, 'environment'>): FindingLink => ({
  panel: 'stalls',
  params: {},
  sources: [source],
  range: {
    startTicks: (sinceTicks - TICKS_PER_SECOND) as Ticks,
    endTicks: (untilTicks + TICKS_PER_SECOND) as Ticks,
  },
})

/** Finding for commits that are all about equally slow: none stands out as held up, yet all writers wait. */
function slowAsAWhole(commits: SlowCommits): StorageFinding<SlowCommits> {
  const { writes, slow, leastMs, medianMs, quickMs, mostPerSecond, pace, sinceTicks, untilTicks } = commits
  const half = `half take ${formatDuration(spanFromMs(medianMs))} or more${byLimit(pace)}.`
  const did = pace === null ? `took ${span(leastMs)} or more` : 'waited for those before them'
  const evidence = [
    `${formatCount(slow)} of ${formatPlural(writes, 'journal write')} ${did}; its quickest tenth takes ${formatDuration(spanFromMs(quickMs))} at most.`,
    pace === null
      ? `Its volume completed at most ${formatPlural(mostPerSecond, 'journal write')} in a second.`
      : describePace(pace),
  ]
  return {
    facts: commits,
    figures: half,
    details: evidence,
    finding: {
      about: `slow|${environmentOf(commits)}`,
      level: 'warning',
      weight: between(medianMs, 0, 1000),
      title: `Commits of ${nameOf(commits)} are slow as a whole: ${half}`,
      past: `Commits of ${nameOf(commits)} were slow as a whole.`,
      evidence,
      sinceTicks,
      held: endedAt(untilTicks),
      link: toStalls(commits),
    },
  }
}

/** Evidence that operations are limited: an even pace, and quick writes after a rest, so that the disk itself is not slow. */
function describePace({ everyMs, restedMs, sizes }: NonNullable<SlowCommits['pace']>): string {
  const [every, rested] = [everyMs, restedMs].map((each) => formatDuration(spanFromMs(each)))
  const whatever =
    sizes === null
      ? 'all are of about one size, so that it may be a limit of bytes'
      : `whatever its size (${sizes.map((bytes) => formatBytes(bytes)).join(' to ')})`
  return `Its volume completed one each ${every}, ${whatever}; after a rest, three of four took ${rested} or less.`
}

/** `, as behind a limit of 222 writes a second` */
const byLimit = (pace: SlowCommits['pace']): string =>
  pace === null ? '' : `, as behind a limit of ${formatCount(Math.round(1000 / pace.everyMs))} writes a second`

function slowInDatabase(storages: Storages<SlowCommits>): Pick<Finding, 'title' | 'past' | 'link'> {
  const [{ source }] = storages
  const { medianMs, pace } = storages.reduce((worst, each) => (each.medianMs > worst.medianMs ? each : worst))
  return {
    title: `Commits of ${nameOf({ source, environment: nameStorages(storages) })} are slow as a whole: ${storages.length === 1 ? '' : 'in the slowest, '}half take ${formatDuration(spanFromMs(medianMs))} or more${byLimit(pace)}.`,
    past: `Commits of several storages${ofDatabase(source)} were slow as a whole.`,
    link: toStalls({ source, ...timeOf(storages) }),
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

const KIND_NAMES: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  JournalWrite: { one: 'A journal write', many: 'Journal writes' },
  DataFlush: { one: 'A data flush', many: 'Data flushes' },
  DataSync: { one: 'A data sync', many: 'Data syncs' },
}
