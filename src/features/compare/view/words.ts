import { capitalise, formatCount, formatDuration, formatPlural, formatRate } from '../../../base/text/format.ts'
import type { Comparison } from '../../../base/statistics/estimate.ts'
import { SHARES } from '../contract.ts'
import { clearest, type Compared, type ComparedLine, type Verdict } from '../data/compare-sides.ts'

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  slower: 'slower',
  faster: 'faster',
  mixed: 'slower and faster',
  same: 'no difference shown',
  'too-few': 'too few events',
  'one-sided': 'on one side only',
}

export const shareName = (share: number): string => `p${String(Math.round(share * 100))}`

/** `JournalWrite` → `journal write`. */
const lowerKind = (kind: string): string => kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
export const kindTitle = (kind: string): string => capitalise(lowerKind(kind))
const manyOf = (kind: string): string => (/(?:s|sh|ch)$/.test(kind) ? `${lowerKind(kind)}es` : `${lowerKind(kind)}s`)

/** `journal writes of Orders`. */
export const lineWords = ({ kind, name }: Pick<ComparedLine, 'kind' | 'name'>): string => `${manyOf(kind)} of ${name}`

/** A ratio as a difference: `+54 %`, `−8 %`, `× 12`. */
export function formatDifference(ratio: number): string {
  if (!Number.isFinite(ratio)) return '—'
  if (ratio >= 10) return `× ${formatCount(Math.round(ratio))}`
  const percent = (ratio - 1) * 100
  const digits = Math.abs(percent) < 9.95 ? 1 : 0
  const text = Math.abs(percent).toFixed(digits).replace(/\.0$/, '')
  if (text === '0') return '0 %'
  return `${percent < 0 ? '−' : '+'}${text} %`
}

/** The 95 % interval of the ratio. */
export const formatInterval = ({ low, high }: Comparison): string =>
  `${formatDifference(low)} to ${high === null ? 'unknown' : formatDifference(high)}`

/** `p99 41 ms → 63 ms (+54 %, at least +31 %)`: the quantile that changed most for certain. */
function changeWords({ before, after, quantiles }: ComparedLine): string {
  const at = clearest(quantiles)
  const comparison = quantiles[at]
  const [was, is] = [before?.quantiles?.[at], after?.quantiles?.[at]]
  if (comparison === undefined || was === undefined || is === undefined) return ''
  const least = comparison.change === 'higher' ? comparison.atLeast : (comparison.atMost ?? Number.NaN)
  return `${shareName(SHARES[at] ?? 0)} ${formatDuration(was.value)} → ${formatDuration(is.value)} (${formatDifference(comparison.ratio)}, at least ${formatDifference(least)})`
}

const more = (count: number): string => (count === 0 ? '' : `, and ${formatPlural(count, 'more line')}`)

/** What the comparison says, in one sentence. */
export function describeCompared({ verdict, lines }: Compared): string {
  const of = (wanted: Verdict): readonly ComparedLine[] => lines.filter((line) => line.verdict === wanted)
  if (lines.length === 0) return 'Neither side has events in its range.'
  switch (verdict) {
    case 'slower':
    case 'faster': {
      const changed = of(verdict)
      const [first] = changed
      return first === undefined
        ? ''
        : `After is ${verdict}: ${lineWords(first)} ${changeWords(first)}${more(changed.length - 1)}.`
    }
    case 'mixed': {
      const part = (wanted: Verdict, words: string): string => {
        const [first] = of(wanted)
        return first === undefined
          ? ''
          : `${words}: ${lineWords(first)} ${changeWords(first)}${more(of(wanted).length - 1)}. `
      }
      return `After is slower and faster. ${part('slower', 'Slower')}${part('faster', 'Faster')}${part('mixed', 'Both')}`.trim()
    }
    case 'same':
      return `No difference that this much data could show.${describeShowable(lines)}`
    case 'too-few':
      return 'Too few events to compare. Choose longer ranges: each side needs a line with at least 16 events in 12 parts of its range.'
  }
}

/** The size of difference that the line with most events could have shown. */
function describeShowable(lines: readonly ComparedLine[]): string {
  const [most] = lines
    .filter(({ quantiles }) => quantiles.some(({ showable }) => showable !== null))
    .toSorted((a, b) => (b.before?.count ?? 0) + (b.after?.count ?? 0) - (a.before?.count ?? 0) - (a.after?.count ?? 0))
  if (most === undefined) return ''
  const sizes = most.quantiles.flatMap(({ showable }, i) =>
    showable === null ? [] : [`${formatDifference(showable)} at ${shareName(SHARES[i] ?? 0)}`],
  )
  return ` In ${lineWords(most)}, the line with most events, a change of ${sizes.join(', ')} would most likely have been shown.`
}

/** Phases with different load; empty: none was shown. */
export function describeLoad(lines: readonly ComparedLine[]): string {
  const [first, ...others] = lines
    .filter(({ loadDiffers }) => loadDiffers)
    .toSorted((a, b) => (b.after?.count ?? 0) - (a.after?.count ?? 0))
  if (first === undefined) return ''
  const rates = `${formatRate(first.before?.rate?.value ?? Number.NaN)} → ${formatRate(first.after?.rate?.value ?? Number.NaN)}`
  return `The load differs: ${lineWords(first)} ${rates}${more(others.length)}. Durations may differ because of it.`
}

/** What the figures rest on. */
export function describeBasis({ lines }: Compared): string {
  const sums = lines.reduce((sum, { before, after }) => sum + (before?.rollUps ?? 0) + (after?.rollUps ?? 0), 0)
  const oneSided = lines.filter(({ verdict }) => verdict === 'one-sided').length
  const known = lines.flatMap(({ before, after }) => [before, after]).filter((side) => side !== null)
  const partly = known.some(({ knownTicks, count }) => count > 0 && knownTicks === 0)
  return [
    oneSided === 0
      ? ''
      : `${formatPlural(oneSided, 'line')} ${oneSided === 1 ? 'has' : 'have'} events on one side only.`,
    sums === 0
      ? ''
      : `${formatPlural(sums, 'roll-up')} in the ranges are in no figure: their events were not seen one by one.`,
    partly ? 'Rates are given only where the time of a side is known.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}
