import { formatBytes, formatCount, formatDuration, formatPlural, formatShare } from '../../../base/text/format.ts'
import { parseSourceId, sourceLabel } from '../../../capture/client/state.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import {
  GC_LATE_TICKS,
  LOAD_TICKS,
  type CauseJudgement,
  type CauseVerdict,
  type CeilingLimit,
  type Circumstance,
  type CircumstanceJudgement,
  type CircumstanceVerdict,
  type EnvironmentName,
  type StallCause,
  type StallRow,
  type StallRule,
  type StallsResponse,
} from '../contract.ts'
import { CAUSE_TITLES } from '../data/causes.ts'

export const CIRCUMSTANCE_TITLES: Readonly<Record<Circumstance, string>> = {
  cpu: 'CPU saturated',
  'low-memory': 'Low memory',
  gc: 'GC pause',
  'database-load': 'Database load',
}

/** When a stall counts as beside one: of what is reported late, the time of the report is all that is known. */
const BESIDE: Readonly<Record<Circumstance, string>> = {
  cpu: 'during it',
  'low-memory': 'during it',
  gc: `in the ${formatDuration(GC_LATE_TICKS)} before one was reported`,
  'database-load': `within ${formatDuration(LOAD_TICKS)} of one`,
}

export const CIRCUMSTANCE_VERDICTS: Readonly<Record<CircumstanceVerdict, string>> = {
  'may-contribute': 'may contribute',
  'no-evidence': 'no evidence',
  'too-few': 'too few to tell',
  'not-recorded': 'not recorded',
}

/** `Users/ByName`; of several sources, `Users/ByName of shop`. */
export function environmentName({ source, label }: EnvironmentName, isOfMany: boolean): string {
  const ref = parseSourceId(source)
  return isOfMany && ref !== null && ref.kind !== 'server' ? `${label} of ${sourceLabel(ref)}` : label
}

/** Coincidence, with what it is compared with. */
export function describeCircumstance(judgement: CircumstanceJudgement): string {
  const { circumstance, verdict, episodes, episodesDuring, writesShare } = judgement
  if (verdict === 'not-recorded') return 'Not recorded in the time of these writes.'
  if (episodes === 0) return 'No unexplained stall while it was recorded.'
  const share = Number.isNaN(writesShare) ? '' : `; so did ${formatShare(writesShare)} of the writes`
  return `${formatCount(episodesDuring)} of ${formatPlural(episodes, 'episode')} of unexplained stalls began ${BESIDE[circumstance]}${share}.`
}

export const KIND_TITLES: Readonly<Record<string, string>> = {
  JournalWrite: 'Journal write',
  DataFlush: 'Data flush',
  DataSync: 'Data sync',
  Compression: 'Compression',
}

/** Of what cannot be judged, why. */
export const causeOf = ({ of, cause }: StallRow): string =>
  of === 'sum' ? 'Too few to tell (roll-up)' : of === 'other' ? 'Not judged' : CAUSE_TITLES[cause]

/** How it holds up a write. */
export const MECHANISMS: Readonly<Record<StallCause, string>> = {
  sync: 'The write starts during a sync of its volume and ends when the sync ends; or writes become slow as syncs begin, and no longer are when they end.',
  neighbour:
    'The write starts during a commit of at least 1 MiB of another environment on its volume and ends with it.',
  compression:
    'The write follows the compression of its transaction and stalls; others about as large, near it, that follow none do not.',
  size: 'Other writes of about its size take as long.',
  ceiling:
    'In at least three slow periods, bytes over the time between completions are one steady rate, and not the device’s own: elsewhere the same sizes are faster, or several environments share the rate exactly.',
  outside:
    'Volumes that share nothing stall at the same time, more often than by chance, and complete nothing meanwhile.',
  unexplained: 'None of the causes that can be checked.',
}

export const VERDICTS: Readonly<Record<CauseVerdict, string>> = {
  explains: 'explains',
  contributes: 'contributes',
  'no-evidence': 'no evidence',
  'too-few': 'too few to tell',
}

const ms = (value: number): string => formatDuration(spanFromMs(value))

export const describeRule = ({ leastMs, timesMedian }: StallRule): string =>
  `at least ${ms(leastMs)} and ${String(timesMedian)} times the median of its environment`

/** The most important fact first. */
export function describeStalls(
  { total, sums, writes, rolledUp, judgements, circumstances, slowMedians }: StallsResponse,
  rule: StallRule,
): string {
  const of = `${formatPlural(writes, 'journal write')} (${describeRule(rule)})`
  if (writes === 0)
    return rolledUp !== 0
      ? 'The server reported journal writes only as sums: too few single writes to tell.'
      : 'No journal writes yet.'
  if (total === 0)
    return sums > 0
      ? `${formatPlural(sums, 'roll-up')} hold a write that stalled; from roll-ups alone there is too little to tell why.`
      : `No stalls among ${of}.${describeSlow(slowMedians)}`
  const main = judgements
    .filter(({ cause, stalls }) => cause !== 'unexplained' && stalls > 0)
    .toSorted((a, b) => b.stalls - a.stalls)[0]
  const cause =
    main === undefined
      ? 'None of the causes that were checked explains them.'
      : `${CAUSE_TITLES[main.cause]} ${VERDICTS[main.verdict]} ${main.verdict === 'contributes' ? 'to ' : ''}${formatShare(main.stalls / main.allStalls)} of them.`
  const present = circumstances
    .filter(({ verdict }) => verdict === 'may-contribute')
    .map(({ circumstance }) => ` ${CIRCUMSTANCE_TITLES[circumstance]} may contribute.`)
  return `${formatCount(total)} of ${of} stalled. ${cause}${present.join('')}${describeSlow(slowMedians)}`
}

/** Where all writes are slow, none of them stands out. */
function describeSlow(medians: readonly number[]): string {
  if (medians.length === 0) return ''
  const [least, most] = [ms(Math.min(...medians)), ms(Math.max(...medians))]
  const take = least === most ? most : `${least} to ${most}`
  return ` In ${formatPlural(medians.length, 'environment')} the median write takes ${take}: they are slow as a whole, which this rule does not count.`
}

/** Why a verdict is what it is, with its counter-examples. */
export function describeEvidence(judgement: CauseJudgement): string {
  const { cause, exposed, exposedStalls, expected, endedWith, expectedEndedWith } = judgement
  const { compressions, limit, effectMs, stalls, allStalls } = judgement
  if (cause === 'unexplained')
    return stalls === 0 ? '' : `${formatCount(stalls)} of ${formatPlural(allStalls, 'stall')}.`
  if (limit !== null) return describeLimit(limit)
  if (endedWith === null && compressions === null) return describeTogether(expected)
  if (exposed === 0) return 'There was none of it during these writes.'
  const parts = [
    `${formatCount(exposedStalls)} of ${formatPlural(exposed, 'write')} that ${compressions === null ? 'started during it' : FOLLOWED[compressions]} stalled`,
    expected === null ? null : `${expected.toFixed(1)} by chance`,
    endedWith === null
      ? null
      : `${formatCount(endedWith)} ended with it${expectedEndedWith === null ? '' : ` (${expectedEndedWith.toFixed(1)} by chance)`}`,
    exposed - exposedStalls > 0
      ? `${formatCount(exposed - exposedStalls)} ${exposed - exposedStalls === 1 ? 'was' : 'were'} not held up`
      : null,
  ]
  const effect =
    effectMs === null
      ? ''
      : ` Such a write takes ${ms(Math.abs(effectMs[0]))} ${effectMs[0] < 0 ? 'less' : 'more'} on average (95 %: ${ms(effectMs[1])} to ${ms(effectMs[2])}).`
  return `${parts.filter((part) => part !== null).join('; ')}.${effect}`
}

const FOLLOWED: Readonly<Record<NonNullable<CauseJudgement['compressions']>, string>> = {
  any: 'followed one',
  slow: 'followed one that took unusually long',
}

const describeTogether = (expected: number | null): string =>
  expected === null ? '' : `${expected.toFixed(1)} stalls of several volumes would end together by chance.`

/** What the volume did not exceed. */
const describeLimit = ({ unit, perSecond, periods }: CeilingLimit): string =>
  `${unit === 'bytes' ? `${formatBytes(perSecond)}/s` : `${formatCount(Math.round(perSecond))} writes per second`}, not exceeded in ${formatPlural(periods, 'slow period')}.`

/** What the judgement rests on, and what it leaves out. */
export function describeCoverage({
  writes,
  rolledUp,
  sums,
  isComplete,
  unknownVolumes,
  reportedVolumes,
}: StallsResponse): string {
  const parts = [
    `${formatPlural(writes, 'single journal write')} judged${isComplete ? '' : ', the newest ones'}`,
    rolledUp === null
      ? 'others were reported only as roll-ups, how many is not known'
      : rolledUp > 0
        ? `${formatCount(rolledUp)} more were reported only as roll-ups, which show no cause`
        : null,
    sums > 0 ? `${formatPlural(sums, 'roll-up')} ${sums === 1 ? 'holds' : 'hold'} a longest write that stalled` : null,
  ]
  const volumes =
    unknownVolumes > 0
      ? ` The volumes of ${formatPlural(unknownVolumes, 'environment')} are not known: only those of one database are taken to share one, and nothing outside of volumes is looked for.`
      : ''
  const reported =
    reportedVolumes.length === 0
      ? ''
      : ` Volumes as the server reports them: ${reportedVolumes.map(({ volume, environments }) => `${volume} (${formatPlural(environments, 'environment')})`).join(', ')}.`
  return `${parts.filter((part) => part !== null).join('; ')}.${reported}${volumes} Durations are wall time in managed code: pauses of the server’s process are inside.`
}
