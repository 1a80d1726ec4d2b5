import { compareAtLoad } from '../../../base/statistics/at-load.ts'
import { changeOfAll, compareEstimates, type Comparison, type Estimate } from '../../../base/statistics/estimate.ts'
import type { FigureUnit } from '../../../base/text/format-unit.ts'
import { SHARES, type LineFigures, type LineRole, type SideFigures } from '../contract.ts'
import { compareStalls, type ComparedStalls } from './stalls.ts'

/**
 * `mixed`: one figure is higher and another lower. `higher` and `lower`: for lines other than durations. `too-few`: too
 * little data to show a change. `drifts`: values change too slowly for this amount of data. `one-sided`: only one side
 * has values.
 */
export type Verdict = 'slower' | 'faster' | 'higher' | 'lower' | 'mixed' | 'same' | 'drifts' | 'too-few' | 'one-sided'

export interface ComparedFigure {
  /** Share of the quantile, 0 to 1; null: the mean. */
  readonly share: (typeof SHARES)[number] | null
  readonly before: Estimate
  readonly after: Estimate
  readonly comparison: Comparison
  /** Whether both sides are compared as estimated at equal load, unlike the figures of the sides. */
  readonly isAtLoad: boolean
}

export interface ComparedLine {
  readonly key: string
  readonly name: string
  readonly path: string
  readonly kind: string
  readonly unit: FigureUnit
  readonly role: LineRole
  readonly before: LineFigures | null
  readonly after: LineFigures | null
  readonly verdict: Verdict
  /** Mean of samples, and quantiles; empty: one side has no values. No quantiles if samples have different lengths. */
  readonly figures: readonly ComparedFigure[]
  /** Comparison of the events per second; null: a side has none. */
  readonly rate: Comparison | null
  /** Whether the load differs so much that durations may differ because of it. */
  readonly loadDiffers: boolean
  /** Stalls of journal writes; null: not counted for this line. */
  readonly stalls: ComparedStalls | null
}

export interface Compared {
  /** Verdict from durations alone. */
  readonly verdict: 'slower' | 'faster' | 'mixed' | 'same' | 'drifts' | 'too-few'
  /** Changed lines first, durations before others, by minimum change; then lines of both sides, by events. */
  readonly lines: readonly ComparedLine[]
}

/** Ratio of loads below which they count as equal. */
const LOAD_RATIO = 1.25
/** Standard errors by which two counts must differ, if single events are independent. */
const COUNTS_DIFFER = 4

/** Share of drifting durations above which all are assumed to drift, even where that is not detected. */
const DRIFTING_SHARE = 0.25

/** Compares after with before, line by line. A line is matched by its path, or by its name if that is unique. */
export function compareSides(before: SideFigures, after: SideFigures): Compared {
  const pairs = pairsOf(before.lines, after.lines)
  const tests = pairs.filter(([was, is]) => was?.slow !== undefined && is?.slow !== undefined).length
  const lines = withDrift(pairs.map(([was, is]) => comparedLine(was, is, tests)))
  const ordered = lines.toSorted(
    (a, b) => weightOf(b) - weightOf(a) || sidesOf(b) - sidesOf(a) || eventsOf(b) - eventsOf(a),
  )
  return { lines: ordered, verdict: verdictOf(lines.filter(({ role }) => role === 'duration')) }
}

/** Whether the frequency of stalls differs, which is a fact of the ranges, whatever changes the durations. */
export const hasOtherStalls = ({ stalls }: ComparedLine): boolean =>
  stalls?.change === 'higher' || stalls?.change === 'lower'

const isDrifting = ({ figures }: ComparedLine): boolean =>
  figures.some(({ before, after, isAtLoad }) => !isAtLoad && (before.drifts === true || after.drifts === true))

/** Changes verdicts if several lines drift: a device that changes its speed affects all at once. */
function withDrift(lines: readonly ComparedLine[]): readonly ComparedLine[] {
  const judged = lines.filter(({ role, figures }) => role === 'duration' && figures.length > 0)
  const drifting = judged.filter(isDrifting)
  if (drifting.length === 0 || drifting.length < DRIFTING_SHARE * judged.length) return lines
  return lines.map((line) =>
    line.role !== 'duration' || line.figures.every(({ isAtLoad }) => isAtLoad) || hasOtherStalls(line)
      ? line
      : {
          ...line,
          verdict: 'drifts',
          figures: line.figures.map((figure) => ({
            ...figure,
            comparison: { ...figure.comparison, change: 'unclear', showable: null },
          })),
        },
  )
}

const has = (lines: readonly ComparedLine[], verdict: Verdict): boolean =>
  lines.some((line) => line.verdict === verdict)

function verdictOf(lines: readonly ComparedLine[]): Compared['verdict'] {
  const [slower, faster] = [has(lines, 'slower'), has(lines, 'faster')]
  if ((slower && faster) || has(lines, 'mixed')) return 'mixed'
  if (slower) return 'slower'
  if (faster) return 'faster'
  if (has(lines, 'same')) return 'same'
  return has(lines, 'drifts') ? 'drifts' : 'too-few'
}

function comparedLine(before: LineFigures | null, after: LineFigures | null, tests: number): ComparedLine {
  const { name, path, kind, unit, role } = (after ?? before) as LineFigures
  const base = { key: `${kind}|${path}`, name, path, kind, unit, role, before, after }
  if (before?.quantiles == null || after?.quantiles == null)
    return { ...base, verdict: 'one-sided', figures: [], rate: null, loadDiffers: false, stalls: null }
  const figures = figuresOf(before, after)
  const rate = before.rate === null || after.rate === null ? null : compareEstimates(before.rate, after.rate)
  const load = role === 'load' ? (figures[0]?.comparison ?? null) : rate
  const loadDiffers =
    load !== null &&
    ((load.change === 'higher' && load.ratio >= LOAD_RATIO) ||
      (load.change === 'lower' && load.ratio <= 1 / LOAD_RATIO) ||
      (load === rate && load.change === 'unclear' && differInCount(before.count, after.count, load.ratio)))
  const stalls = compareStalls(before, after, tests)
  return { ...base, verdict: lineVerdict(figures, role, stalls), figures, rate, loadDiffers, stalls }
}

/**
 * Whether the observed loads differ. If the load drifts within the ranges, no bounds apply to other ranges, but the
 * events of these are counted.
 */
function differInCount(before: number, after: number, ratio: number): boolean {
  const times = Math.abs(Math.log(ratio))
  return times >= Math.log(LOAD_RATIO) && times >= COUNTS_DIFFER * Math.sqrt(1 / before + 1 / after)
}

function figuresOf(before: LineFigures, after: LineFigures): ComparedFigure[] {
  const pair = (
    share: ComparedFigure['share'],
    was: Estimate | null | undefined,
    is: Estimate | null | undefined,
    atLoad?: Comparison,
  ): ComparedFigure[] =>
    was == null || is == null
      ? []
      : [
          {
            share,
            before: was,
            after: is,
            comparison: atLoad ?? compareEstimates(was, is),
            isAtLoad: atLoad !== undefined,
          },
        ]
  const mean = pair(null, before.mean, after.mean)
  if (before.sampleTicks !== after.sampleTicks) return mean
  const atLoad = before.atLoad === null || after.atLoad === null ? null : compareAtLoad(before.atLoad, after.atLoad)
  return [
    ...mean,
    ...SHARES.flatMap((share, i) => pair(share, before.quantiles?.[i], after.quantiles?.[i], atLoad?.[i])),
  ]
}

function lineVerdict(figures: readonly ComparedFigure[], role: LineRole, stalls: ComparedStalls | null): Verdict {
  const ofFigures = figures.map(({ comparison: { change: each } }) => ({ change: each }))
  const change = changeOfAll(stalls === null ? ofFigures : [...ofFigures, stalls])
  if (change === 'unclear')
    return figures.some(({ before, after }) => before.drifts === true || after.drifts === true) ? 'drifts' : 'too-few'
  if (role === 'duration' && change === 'higher') return 'slower'
  return role === 'duration' && change === 'lower' ? 'faster' : change
}

/** The figure with the largest certain change; undefined: none. */
export function clearest(figures: readonly ComparedFigure[]): ComparedFigure | undefined {
  const weights = figures.map(certainChange)
  const most = Math.max(0, ...weights)
  return most === 0 ? undefined : figures[weights.indexOf(most)]
}

/** Logarithm of the minimum change; 0: no certain change. */
function certainChange({ comparison: { change, atLeast, atMost } }: ComparedFigure): number {
  if (change === 'higher') return Math.log(atLeast)
  return change === 'lower' && atMost !== null ? -Math.log(atMost) : 0
}

/** Weight of a line with more or fewer stalls but without a change of quantiles. */
const LEAST_WEIGHT = 1e-3
/** Weight that puts durations first. */
const ROLE_WEIGHT = 1000

function weightOf(line: ComparedLine): number {
  const { figures, role } = line
  const most = Math.max(hasOtherStalls(line) ? LEAST_WEIGHT : 0, ...figures.map(certainChange))
  return most > 0 && role === 'duration' ? most + ROLE_WEIGHT : most
}

const sidesOf = ({ verdict }: ComparedLine): number => (verdict === 'one-sided' ? 1 : 2)
const eventsOf = ({ before, after }: ComparedLine): number => (before?.count ?? 0) + (after?.count ?? 0)

/** Pairs of lines of both sides, by path and kind; others by name and kind if these are unique. */
function pairsOf(
  before: readonly LineFigures[],
  after: readonly LineFigures[],
): (readonly [LineFigures | null, LineFigures | null])[] {
  const byPath = ({ path, kind }: LineFigures): string => JSON.stringify([path, kind])
  const byName = ({ name, kind }: LineFigures): string => JSON.stringify([name, kind])
  const first = joined(before, after, byPath)
  const second = joined(first.before, first.after, byName)
  return [
    ...first.pairs,
    ...second.pairs,
    ...second.before.map((line) => [line, null] as const),
    ...second.after.map((line) => [null, line] as const),
  ]
}

function joined(
  before: readonly LineFigures[],
  after: readonly LineFigures[],
  keyOf: (line: LineFigures) => string,
): {
  readonly pairs: (readonly [LineFigures, LineFigures])[]
  readonly before: readonly LineFigures[]
  readonly after: readonly LineFigures[]
} {
  const unique = (lines: readonly LineFigures[]): Map<string, LineFigures | null> => {
    const found = new Map<string, LineFigures | null>()
    for (const line of lines) found.set(keyOf(line), found.has(keyOf(line)) ? null : line)
    return found
  }
  const [left, right] = [unique(before), unique(after)]
  const pairs: (readonly [LineFigures, LineFigures])[] = []
  for (const [key, was] of left) {
    const is = right.get(key)
    if (was !== null && is != null) pairs.push([was, is])
  }
  const paired = new Set(pairs.flat())
  const rest = (lines: readonly LineFigures[]): LineFigures[] => lines.filter((line) => !paired.has(line))
  return { pairs, before: rest(before), after: rest(after) }
}
