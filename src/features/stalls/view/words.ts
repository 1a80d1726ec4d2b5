import { formatBytes, formatCount, formatDuration, formatPlural, formatShare } from '../../../base/text/format.ts'
import { parseSourceId, sourceLabel } from '../../../capture/client/state.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import {
  CAUSE_TITLES,
  GC_LATE_TICKS,
  LOAD_TICKS,
  type CauseJudgement,
  type Circumstance,
  type CircumstanceJudgement,
  type CircumstanceVerdict,
  type EnvironmentName,
  type RateJudgement,
  type StallCause,
  type StallRow,
  type StallRule,
  type SlowStorage,
  type StallsResponse,
} from '../contract.ts'

export const CIRCUMSTANCE_TITLES: Readonly<Record<Circumstance, string>> = {
  cpu: 'CPU saturated',
  'low-memory': 'Low memory',
  gc: 'GC pause',
  'database-load': 'Database load',
}

/**
 * Describes a stall during a circumstance. For a circumstance that is reported late, only the time of the report is
 * known.
 */
const BESIDE: Readonly<Record<Circumstance, string>> = {
  cpu: 'during it',
  'low-memory': 'during it',
  gc: `in the ${formatDuration(GC_LATE_TICKS)} before one was reported`,
  'database-load': `within ${formatDuration(LOAD_TICKS)} of one`,
}

export const CIRCUMSTANCE_VERDICTS: Readonly<Record<CircumstanceVerdict, string>> = {
  'may-contribute': 'may contribute',
  always: 'with nearly all writes',
  'no-evidence': 'no evidence',
  'too-few': 'too few to tell',
  'not-recorded': 'not recorded',
}

/** Name of the environment: `Users/ByName`, or with several sources `Users/ByName of shop`. */
export function environmentName({ source, label }: EnvironmentName, isOfMany: boolean): string {
  const ref = parseSourceId(source)
  return isOfMany && ref !== null && ref.kind !== 'server' ? `${label} of ${sourceLabel(ref)}` : label
}

/** Describes a coincidence, and the share of writes that it is compared with. */
export function describeCircumstance(judgement: CircumstanceJudgement): string {
  const { circumstance, verdict, episodes, episodesDuring, writesShare } = judgement
  if (verdict === 'not-recorded') return 'Not recorded in the time of these writes.'
  if (episodes === 0) return 'No stall without another cause while it was recorded.'
  const share = Number.isNaN(writesShare) ? '' : `; so did ${formatShare(writesShare)} of the writes`
  return `${formatCount(episodesDuring)} of ${formatPlural(episodes, 'episode')} of stalls without another cause began ${BESIDE[circumstance]}${share}.`
}

export const KIND_TITLES: Readonly<Record<string, string>> = {
  JournalWrite: 'Journal write',
  DataFlush: 'Data flush',
  DataSync: 'Data sync',
  Compression: 'Compression',
}

/** Title of the cause, or the reason why an event has none. */
export const causeOf = ({ of, cause }: StallRow): string =>
  of === 'sum' ? 'Too few to tell (roll-up)' : of === 'other' ? 'Not judged' : CAUSE_TITLES[cause]

/** Mechanism by which a cause holds up a write, and the way it is found. */
export const MECHANISMS: Readonly<Record<StallCause, string>> = {
  bytes:
    'The write is as long as its bytes take: most writes of about its size in its environment are as long, byte for byte; or its volume has the same bytes per second in three long slow periods or more, and more at other times.',
  sync: 'The write starts during a sync of its volume and ends when the sync ends. Syncs are compared with intervals of the same lengths at random moments near them, 300 times.',
  flush: 'The same, for a data flush of its volume, of stalls that no sync explains.',
  neighbour:
    'The same, for a write of another environment that is itself as long as its own bytes take. Where as many writes stall just before and after it, it is not blamed.',
  standstill:
    'Most writes of three environments or more, on volumes that share nothing, are slow together, for longer than by chance.',
  unexplained: 'None of these causes has evidence.',
}

export const VERDICTS: Readonly<Record<CauseJudgement['verdict'] | CircumstanceVerdict, string>> = {
  ...CIRCUMSTANCE_VERDICTS,
  explains: 'explains',
  contributes: 'contributes',
}

const ms = (value: number): string => formatDuration(spanFromMs(value))

export const describeRule = ({ leastMs, timesMedian }: StallRule): string =>
  `at least ${ms(leastMs)} and ${String(timesMedian)} times the median of its environment`

/**
 * Summary, with the most important fact first. `within`: describes which writes are counted, such as `in this range`.
 */
export function describeStalls(
  { stalls, total, totalOfAll, sums, writes, rolledUp, judgements, circumstances, slow }: StallsResponse,
  within = '',
): string {
  const of = `${formatPlural(writes, 'journal write')}${within === '' ? '' : ` ${within}`}`
  if (total === 0 && totalOfAll > 0)
    return `No stalls among ${of}; ${formatCount(totalOfAll)} in everything that was seen.`
  if (writes === 0)
    return rolledUp !== 0 || sums > 0
      ? 'The server reported journal writes only as sums: too few single writes to tell.'
      : 'No journal writes yet.'
  if (total === 0)
    return sums > 0
      ? `${formatPlural(sums, 'roll-up')} hold a write that stalled; from roll-ups alone there is too little to tell why.`
      : `No stalls among ${of}.${describeSlow(slow)}`
  const cause = describeCauses(judgements) ?? describeUnexplained(circumstances)
  return `${formatCount(total)} of ${of} stalled${describeLongest(stalls)}. ${cause}${describeSlow(slow)}`
}

/** Describes the longest stall with its cause. `stalls`: longest first. */
function describeLongest(stalls: readonly StallRow[]): string {
  const longest = stalls.find(({ of }) => of === 'write')
  if (longest === undefined) return ''
  const cause = longest.cause === 'unexplained' ? '' : ` (${CAUSE_TITLES[longest.cause].toLowerCase()})`
  return `, the longest ${ms(longest.durationMs)}${cause}`
}

/**
 * Describes causes with evidence, and the number of stalls without a cause if those outnumber the stalls of the main
 * cause. Null: no cause has evidence.
 */
function describeCauses(judgements: readonly CauseJudgement[]): string | null {
  const unexplained = judgements.find(({ cause }) => cause === 'unexplained')?.stalls ?? 0
  const found = judgements
    .filter(({ cause, stalls }) => cause !== 'unexplained' && stalls > 0)
    .toSorted((a, b) => b.stalls - a.stalls)
  const [main] = found
  if (main === undefined) return null
  if (main.stalls >= unexplained) return `Main cause: ${MAIN_CAUSES[main.cause]}.`
  const each = found.map(({ cause, stalls }) => `${formatCount(stalls)} by ${MAIN_CAUSES[cause]}`)
  return `${each.join(', ')}; for ${formatCount(unexplained)} no cause has evidence.`
}

/** Describes the circumstances of stalls without a cause, also those that nearly all writes coincided with. */
function describeUnexplained(circumstances: readonly CircumstanceJudgement[]): string {
  const having = (verdict: CircumstanceVerdict): Circumstance[] =>
    circumstances.filter((judgement) => judgement.verdict === verdict).map(({ circumstance }) => circumstance)
  const name = (found: readonly Circumstance[]): string =>
    found.map((circumstance) => NAMES[circumstance]).join(' and ')
  const often = having('may-contribute')
  if (often.length > 0) return `No cause has evidence, but they came with ${name(often)} more often than by chance.`
  const always = having('always').filter((circumstance) => circumstance === 'cpu' || circumstance === 'low-memory')
  if (always.length > 0)
    return `No cause has evidence. Nearly all writes came with ${name(always)}: whether it delays them is unknown.`
  return 'No cause has evidence.'
}

/** Names of circumstances within a sentence. */
const NAMES: Readonly<Record<Circumstance, string>> = {
  cpu: 'CPU saturation',
  'low-memory': 'low memory',
  gc: 'GC pauses',
  'database-load': 'loads of databases',
}

const MAIN_CAUSES: Readonly<Record<StallCause, string>> = {
  bytes: 'bytes at a steady rate',
  sync: 'data syncs',
  flush: 'data flushes',
  neighbour: 'large writes of other environments',
  standstill: 'everything paused at once',
  unexplained: 'none',
}

/** Describes environments that are slow as a whole, and what the first of them is capable of. */
function describeSlow(slow: readonly SlowStorage[]): string {
  const [first, ...others] = slow
  if (first === undefined) return ''
  const { label, writes, slow: long, medianMs, quickMs, mostPerSecond, pace } = first
  const are = others.length === 0 ? 'is' : `and ${formatPlural(others.length, 'other')} are`
  return ` ${label} ${are} slow as a whole, which this rule does not count: ${formatCount(long)} of ${formatPlural(writes, 'write')} ${pace === null ? 'took long' : 'waited for each other'}; half of all took ${ms(medianMs)} or more, the quickest tenth at most ${ms(quickMs)}. ${pace === null ? `The volume completed at most ${formatPlural(mostPerSecond, 'write')} in a second.` : `The volume completed one each ${ms(pace.everyMs)}, as behind a limit of operations.`}`
}

/** Describes the evidence for a cause, in one or two sentences. */
export function describeEvidence(judgement: CauseJudgement): string {
  const { cause, stalls, allStalls, expected, exposed, exposedStalls, rates } = judgement
  const of = `${formatCount(stalls)} of ${formatPlural(allStalls, 'stall')}`
  if (stalls === 0) return exposed === 0 ? 'There was none of it during these writes.' : ''
  const chance = expected === null ? '' : `; by chance ${formatExpected(expected)} would have`
  switch (cause) {
    case 'bytes':
      return rates.map((rate) => describeRate(rate, allStalls)).join(' ')
    case 'sync':
      return `${of} waited for a data sync of the same volume${chance}. ${describeExposed('one', exposed, exposedStalls)}`
    case 'flush':
      return `${of} waited for a data flush of the same volume${chance}. ${describeExposed('one', exposed, exposedStalls)}`
    case 'neighbour':
      return `${of} waited for another environment’s large write${chance}. ${describeExposed('one', exposed, exposedStalls)}`
    case 'standstill':
      return `${of} came together on volumes that share nothing${chance}. Check CPU, memory, GC and other programs.`
    case 'unexplained':
      return 'No cause has evidence.'
  }
}

const formatExpected = (count: number): string => (count < 0.95 ? 'less than 1' : formatCount(Math.round(count)))

const describeExposed = (during: string, exposed: number | null, stalled: number | null): string =>
  exposed === null || stalled === null
    ? ''
    : `${formatCount(stalled)} of ${formatPlural(exposed, 'write')} that started during ${during} stalled.`

function describeRate({ of, stalls, bytesPerSecond: [low, median, high] }: RateJudgement, allStalls: number): string {
  const count = `${formatCount(stalls)} of ${formatPlural(allStalls, 'stall')}`
  const [from, to] = [formatBytes(low), formatBytes(high)]
  const rate = from === to ? `${formatBytes(median)}/s` : `${formatBytes(median)}/s (half of them ${from} to ${to})`
  return of === 'write'
    ? `${count} took as long as their bytes at ${rate}, as other writes of their size did.`
    : `${count} came in slow periods in which the volume always wrote ${formatBytes(median)}/s, and more at other times: it looks like a limit of the volume.`
}

/** Describes the data that the judgement rests on, and the data that it leaves out. */
export function describeCoverage({
  writes,
  rolledUp,
  sums,
  isComplete,
  unknownVolumes,
  reportedVolumes,
}: StallsResponse): string {
  const parts = [
    `${formatPlural(writes, 'single journal write')}${isComplete ? '' : ', the newest ones'}`,
    rolledUp === null
      ? 'others were reported only as roll-ups, how many is not known'
      : rolledUp > 0
        ? `${formatCount(rolledUp)} more were reported only as roll-ups, which show no cause`
        : null,
    sums > 0 ? `${formatPlural(sums, 'roll-up')} ${sums === 1 ? 'holds' : 'hold'} a longest write that stalled` : null,
  ]
  const volumes =
    unknownVolumes > 0
      ? ` The volumes of ${formatPlural(unknownVolumes, 'environment')} are not known: those of one database are taken to share one.`
      : ''
  const reported =
    reportedVolumes.length === 0
      ? ''
      : ` Volumes as the server reports them: ${reportedVolumes.map(({ volume, environments }) => `${volume} (${formatPlural(environments, 'environment')})`).join(', ')}.`
  return `${parts.filter((part) => part !== null).join('; ')}.${reported}${volumes} Durations are wall time in managed code and include pauses of the server’s process. I/O is reported when it has ended.`
}
