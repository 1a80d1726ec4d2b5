import { formatShare } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { Bottleneck, BottleneckLabel } from '../../contract/bottleneck.ts'
import { BOTTLENECK_RULES, type BottleneckRule } from './rules.ts'
import type { StepFigures, Steps } from './steps.ts'

const CPU = 'the CPU'

/** Missing figures without which it is not known whether nothing is at its limit. */
function missing({ cpu, queue, journal, merger, writesPerSecond }: StepFigures): string[] {
  return [
    ...(cpu === null ? [CPU] : []),
    ...(queue === null && journal === null ? ['the disks'] : []),
    ...(merger === null && writesPerSecond !== 0 ? ['the transaction merger'] : []),
  ]
}

export function labelOf(step: StepFigures): BottleneckLabel {
  const rule = BOTTLENECK_RULES.find(({ isAtLimit }) => isAtLimit(step) === true)
  if (rule !== undefined) return rule.label
  return missing(step).length === 0 ? 'none' : 'unknown'
}

const UNNAMED: Readonly<Partial<Record<BottleneckLabel, string>>> = { none: 'No limit', unknown: 'Not measured' }

const titleOf = (label: BottleneckLabel): string =>
  UNNAMED[label] ?? BOTTLENECK_RULES.find((rule) => rule.label === label)?.title ?? ''

/** Merges neighbouring steps with equal labels into intervals. O(steps). */
export function intervalsOf(figures: readonly StepFigures[], { stepTicks }: Steps, nowTicks: Ticks): Bottleneck[] {
  const intervals: Bottleneck[] = []
  for (let from = 0, to = 0; from < figures.length; from = to) {
    const label = labelOf(figures[from] as StepFigures)
    while (to < figures.length && labelOf(figures[to] as StepFigures) === label) to++
    const endTicks = Math.min((figures[to - 1] as StepFigures).startTicks + stepTicks, nowTicks) as Ticks
    intervals.push(describeInterval(label, figures.slice(from, to), endTicks))
  }
  return intervals
}

/** Describes an interval of one or more steps that all have this label. */
export const describeInterval = (
  label: BottleneckLabel,
  steps: readonly StepFigures[],
  endTicks: Ticks,
): Bottleneck => ({
  startTicks: (steps[0] as StepFigures).startTicks,
  endTicks,
  label,
  ...wordsOf(label, steps),
})

function wordsOf(
  label: BottleneckLabel,
  steps: readonly StepFigures[],
): Pick<Bottleneck, 'title' | 'evidence' | 'competing' | 'others'> {
  const words = {
    title: titleOf(label),
    evidence: [] as string[],
    competing: [] as string[],
    others: [] as string[],
  }
  const said: string[] = []
  const add = (to: string[], { describe }: BottleneckRule, of: readonly StepFigures[]): void => {
    const text = describe(of)
    // The two rules of the merger have the same text.
    if (text === null || said.some((each) => text.startsWith(each) || each.startsWith(text))) return
    said.push(text)
    to.push(of.length === steps.length ? text : `In ${formatShare(of.length / steps.length)} of this time: ${text}`)
  }
  for (const rule of BOTTLENECK_RULES) {
    const atLimit = steps.filter((step) => rule.isAtLimit(step) === true)
    if (atLimit.length === 0) continue
    if (rule.label === label) add(words.evidence, rule, steps)
    // A merger that waits for writes is not a competing limit: it shows free capacity.
    else if (rule.label !== 'client') add(words.competing, rule, atLimit)
  }
  for (const rule of BOTTLENECK_RULES)
    if (steps.every((step) => rule.isAtLimit(step) !== true)) add(words.others, rule, steps)
  if (label === 'unknown') {
    const lacking = new Set(steps.flatMap(missing))
    // The page may show the samples that there are, so that they must not be called unmeasured.
    const isSampled = lacking.has(CPU) && steps.some(({ cpuSamples }) => cpuSamples > 0)
    if (isSampled) lacking.delete(CPU)
    const parts = [
      ...(isSampled ? [`Too few samples: ${CPU}.`] : []),
      ...(lacking.size === 0 ? [] : [`Not measured: ${[...lacking].join(', ')}.`]),
    ]
    return { ...words, title: lacking.size === 0 ? 'Too few samples' : titleOf(label), evidence: [parts.join(' ')] }
  }
  return label === 'none' ? { ...words, evidence: words.others, others: [] } : words
}
