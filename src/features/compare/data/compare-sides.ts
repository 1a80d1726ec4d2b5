import { compareEstimates, type Comparison } from '../../../base/statistics/estimate.ts'
import type { LineFigures, SideFigures } from '../contract.ts'

/** `mixed`: one quantile is higher, another lower. `too-few`: nothing could have been shown. `one-sided`: only one side has events. */
export type Verdict = 'slower' | 'faster' | 'mixed' | 'same' | 'too-few' | 'one-sided'

export interface ComparedLine {
  readonly key: string
  readonly name: string
  readonly path: string
  readonly kind: string
  readonly before: LineFigures | null
  readonly after: LineFigures | null
  readonly verdict: Verdict
  /** Of the quantiles, in the order of `SHARES`; empty: one side has no events. */
  readonly quantiles: readonly Comparison[]
  /** Of events per second; null: one side has none. */
  readonly rate: Comparison | null
  /** The load differs by so much that durations may differ because of it. */
  readonly loadDiffers: boolean
}

export interface Compared {
  readonly verdict: Exclude<Verdict, 'one-sided'>
  /** Changed ones first, by how much at least; then those of both sides, by events. */
  readonly lines: readonly ComparedLine[]
}

/** Load that differs by less is called the same. */
const LOAD_RATIO = 1.25

/** After against before, line by line. A line is found on the other side by its path, or by its name where only one has it. */
export function compareSides(before: SideFigures, after: SideFigures): Compared {
  const lines = pairsOf(before.lines, after.lines).map(([was, is]) => comparedLine(was, is))
  const ordered = lines.toSorted(
    (a, b) => weightOf(b) - weightOf(a) || sidesOf(b) - sidesOf(a) || eventsOf(b) - eventsOf(a),
  )
  return { lines: ordered, verdict: verdictOf(lines) }
}

const has = (lines: readonly ComparedLine[], verdict: Verdict): boolean =>
  lines.some((line) => line.verdict === verdict)

function verdictOf(lines: readonly ComparedLine[]): Compared['verdict'] {
  const [slower, faster] = [has(lines, 'slower'), has(lines, 'faster')]
  if ((slower && faster) || has(lines, 'mixed')) return 'mixed'
  if (slower) return 'slower'
  if (faster) return 'faster'
  return has(lines, 'same') ? 'same' : 'too-few'
}

function comparedLine(before: LineFigures | null, after: LineFigures | null): ComparedLine {
  const { name, path, kind } = (after ?? before) as LineFigures
  const base = { key: `${kind}|${path}`, name, path, kind, before, after }
  if (before?.quantiles == null || after?.quantiles == null)
    return { ...base, verdict: 'one-sided', quantiles: [], rate: null, loadDiffers: false }
  const quantiles = before.quantiles.flatMap((was, i) => {
    const is = after.quantiles?.[i]
    return is === undefined ? [] : [compareEstimates(was, is)]
  })
  const rate = before.rate === null || after.rate === null ? null : compareEstimates(before.rate, after.rate)
  const loadDiffers =
    rate !== null &&
    ((rate.change === 'higher' && rate.ratio >= LOAD_RATIO) ||
      (rate.change === 'lower' && rate.ratio <= 1 / LOAD_RATIO))
  return { ...base, verdict: lineVerdict(quantiles), quantiles, rate, loadDiffers }
}

function lineVerdict(quantiles: readonly Comparison[]): Verdict {
  const any = (change: Comparison['change']): boolean => quantiles.some((each) => each.change === change)
  if (any('higher')) return any('lower') ? 'mixed' : 'slower'
  if (any('lower')) return 'faster'
  return any('same') ? 'same' : 'too-few'
}

/** The quantile that changed most for certain, −1: none did. */
export function clearest(quantiles: readonly Comparison[]): number {
  const weights = quantiles.map(certainChange)
  const most = Math.max(0, ...weights)
  return most === 0 ? -1 : weights.indexOf(most)
}

/** By what ratio at least, as a logarithm; 0: no change is certain. */
function certainChange({ change, atLeast, atMost }: Comparison): number {
  if (change === 'higher') return Math.log(atLeast)
  return change === 'lower' && atMost !== null ? -Math.log(atMost) : 0
}

const weightOf = ({ quantiles }: ComparedLine): number => Math.max(0, ...quantiles.map(certainChange))
const sidesOf = ({ verdict }: ComparedLine): number => (verdict === 'one-sided' ? 1 : 2)
const eventsOf = ({ before, after }: ComparedLine): number => (before?.count ?? 0) + (after?.count ?? 0)

/** Lines of both sides by path and kind; of the others those by name and kind that are the only ones. */
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
