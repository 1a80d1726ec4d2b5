import {
  capitalise,
  formatCount,
  formatDuration,
  formatPlural,
  formatRate,
  formatShare,
} from '../../../base/text/format.ts'
import { formatUnit } from '../../../base/text/format-unit.ts'
import { formatDifference } from '../../../base/text/format-ratio.ts'
import type { LineFigures } from '../contract.ts'
import { clearest, hasOtherStalls, type Compared, type ComparedLine, type Verdict } from '../data/compare-sides.ts'

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  slower: 'slower',
  faster: 'faster',
  higher: 'higher',
  lower: 'lower',
  mixed: 'higher and lower',
  same: 'no difference shown',
  drifts: 'too variable to tell',
  'too-few': 'too few values',
  'one-sided': 'on one side only',
}

export const shareName = (share: number | null): string =>
  share === null ? 'mean' : `p${String(Math.round(share * 100))}`

/** `JournalWrite` → `journal write`. */
const lowerKind = (kind: string): string => kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
export const kindTitle = (kind: string): string =>
  /^(?:cpu|gc)$/.test(kind) ? kind.toUpperCase() : capitalise(lowerKind(kind))
/** Whether a line is a figure of the server, whose kind is a group and not a kind of event. */
const isFigure = ({ before, after }: Pick<ComparedLine, 'before' | 'after'>): boolean => (after ?? before)?.mean != null
const manyOf = (kind: string): string =>
  kind.startsWith('time per ')
    ? kind.replace('time', 'times')
    : /(?:s|sh|ch)$/.test(kind)
      ? `${lowerKind(kind)}es`
      : `${lowerKind(kind)}s`

/** `journal writes of Orders`; for the server the name of the figure. */
const lineWords = (line: ComparedLine): string => (isFigure(line) ? line.name : `${manyOf(line.kind)} of ${line.name}`)

/** `p99 41 ms → 63 ms (+54 %, at least +31 %)`: the figure with the largest certain change. */
function changeWords(line: ComparedLine): string {
  const { figures, unit } = line
  const found = clearest(figures)
  const stalls = hasOtherStalls(line) ? stallWords(line) : ''
  if (found === undefined) return stalls
  const { share, before, after, comparison, isAtLoad } = found
  const least = comparison.change === 'higher' ? comparison.atLeast : (comparison.atMost ?? Number.NaN)
  return `${shareName(share)} ${formatUnit(before.value, unit)} → ${formatUnit(after.value, unit)} (${formatDifference(comparison.ratio)}${isAtLoad ? ' at the same load' : ''}, at least ${formatDifference(least)})${stalls === '' ? '' : `, ${stalls}`}`
}

/** `stalled 0 → 59 times (0 % → 1.40 % of them, longest 905 ms)` */
function stallWords({ stalls }: ComparedLine): string {
  if (stalls === null) return ''
  const { before, after } = stalls
  const longest = Math.max(before.longestTicks || 0, after.longestTicks || 0)
  return `stalled ${formatCount(before.stalls)} → ${formatCount(after.stalls)} times (${formatShare(before.share)} → ${formatShare(after.share)} of them, longest ${formatDuration(longest)})`
}

const more = (count: number): string => (count === 0 ? '' : `, and ${formatPlural(count, 'more line')}`)

/** `Slower: journal writes of Orders p99 …, and 2 more lines.`; empty: no line with that verdict. */
function partWords(lines: readonly ComparedLine[], wanted: Verdict, words: string): string {
  const [first, ...others] = lines.filter(({ verdict }) => verdict === wanted)
  return first === undefined ? '' : `${words}${lineWords(first)} ${changeWords(first)}${more(others.length)}.`
}

const joined = (sentences: readonly string[]): string => sentences.filter((each) => each !== '').join(' ')

/** Sentences about the comparison: durations first, then used resources. */
export function describeCompared({ verdict, lines }: Compared): string {
  if (lines.length === 0) return 'Neither side has values in its range.'
  if (lines.every(({ before }) => before === null))
    return 'Only after has values: nothing was recorded in the range of before.'
  if (lines.every(({ after }) => after === null))
    return 'Only before has values: nothing was recorded in the range of after.'
  const durations = lines.filter(({ role }) => role === 'duration')
  const used = lines.filter(({ role }) => role === 'use')
  return joined([
    describeDurations(verdict, durations, used.length > 0),
    partWords(used, 'higher', 'Higher: '),
    partWords(used, 'lower', 'Lower: '),
    partWords(used, 'mixed', 'Higher and lower: '),
  ])
}

function describeDurations(verdict: Compared['verdict'], lines: readonly ComparedLine[], isOfServer: boolean): string {
  switch (verdict) {
    case 'slower':
    case 'faster':
      return partWords(lines, verdict, `After is ${verdict}: `)
    case 'mixed':
      return joined([
        'After is slower and faster.',
        partWords(lines, 'slower', 'Slower: '),
        partWords(lines, 'faster', 'Faster: '),
        partWords(lines, 'mixed', 'Both: '),
      ])
    case 'same':
      return `No difference${isOfServer ? ' in durations' : ''} that this much data could show.${describeShowable(lines)}`
    case 'drifts':
      return 'Too variable to tell: durations rise and fall over so long a time that each side has only a few independent stretches of it. Choose longer ranges.'
    case 'too-few':
      return isOfServer
        ? 'Durations cannot be compared: too few samples on a side.'
        : 'Too few events to compare. Choose longer ranges: each side needs a line with at least 16 events in 12 parts of its range.'
  }
}

/** Smallest difference that the line with the most events could have shown. */
function describeShowable(lines: readonly ComparedLine[]): string {
  const count = ({ before, after }: ComparedLine): number => (before?.count ?? 0) + (after?.count ?? 0)
  const [most] = lines
    .filter(({ figures }) => figures.some(({ comparison }) => comparison.showable !== null))
    .toSorted((a, b) => count(b) - count(a))
  if (most === undefined) return ''
  const sizes = most.figures.flatMap(({ share, comparison: { showable } }) =>
    showable === null ? [] : [`${formatDifference(showable)} at ${share === null ? 'the mean' : shareName(share)}`],
  )
  return ` In ${lineWords(most)}${isFigure(most) ? '' : ', the line with most events'}, a change of ${sizes.join(', ')} would most likely have been shown.`
}

/** Lines with different load; empty: none was shown. */
export function describeLoad(lines: readonly ComparedLine[]): string {
  const [first, ...others] = lines
    .filter(({ loadDiffers }) => loadDiffers)
    .toSorted((a, b) => (b.after?.count ?? 0) - (a.after?.count ?? 0))
  if (first === undefined) return ''
  const loadOf = (side: LineFigures | null): string =>
    isFigure(first)
      ? formatUnit(side?.mean?.value ?? Number.NaN, first.unit)
      : formatRate(side?.rate?.value ?? Number.NaN)
  return `The load differs: ${lineWords(first)} ${loadOf(first.before)} → ${loadOf(first.after)}${more(others.length)}. Durations may differ because of it.`
}

/** Describes the data behind the figures. */
export function describeBasis({ lines }: Compared): string {
  const sums = lines.reduce((sum, { before, after }) => sum + (before?.rollUps ?? 0) + (after?.rollUps ?? 0), 0)
  const oneSided = lines.filter(({ verdict }) => verdict === 'one-sided').length
  const known = lines.flatMap(({ before, after }) => [before, after]).filter((side) => side !== null)
  const partly = known.some(({ knownTicks, count }) => count > 0 && knownTicks === 0)
  const sampled = known.filter(({ mean }) => mean !== null)
  const lengths = [...new Set(sampled.map(({ sampleTicks }) => sampleTicks))].toSorted((a, b) => a - b)
  const differs = lines.some(
    ({ before, after }) => before !== null && after !== null && before.sampleTicks !== after.sampleTicks,
  )
  return joined([
    oneSided === 0
      ? ''
      : `${formatPlural(oneSided, 'line')} ${oneSided === 1 ? 'has' : 'have'} values on one side only.`,
    sums === 0
      ? ''
      : `${formatPlural(sums, 'roll-up')} in the ranges are in no figure: their events were not seen one by one.`,
    lines.some(({ figures }) => figures.some(({ isAtLoad }) => isAtLoad))
      ? 'Durations of lines marked “at the same load” grow with the events per second; they are compared as they would be at the load in between.'
      : '',
    partly ? 'Rates are given only where the time of a side is known.' : '',
    lengths.length === 0
      ? ''
      : `Samples are means of ${lengths.map((ticks) => formatDuration(ticks)).join(' or ')}${differs ? '; quantiles are compared only where both sides have them of the same length' : ''}.`,
  ])
}
