import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { Bottleneck, BottlenecksParams, BottlenecksResponse } from '../../contract/bottleneck.ts'
import type { ServerModel } from '../model.ts'
import { intervalsOf } from './label.ts'
import { BOTTLENECK_RULES } from './rules.ts'
import { readSteps, stepsOf, type JournalSource } from './steps.ts'

/** Time, ticks, before now that is not judged: a step that has just begun may cover another time than its figures. */
export const LEAST_TICKS = 5 * TICKS_PER_SECOND
const MOST = 1000

const judge = (
  model: ServerModel,
  range: { readonly startTicks: Ticks; readonly endTicks: Ticks },
  most: number,
  journal: JournalSource | null,
  nowTicks: Ticks,
): { readonly stepTicks: number; readonly intervals: readonly Bottleneck[] } => {
  const { extent } = model.series
  if (extent === null) return { stepTicks: stepsOf(range, most).stepTicks, intervals: [] }
  const startTicks = Math.max(range.startTicks, extent.startTicks) as Ticks
  const endTicks = Math.min(range.endTicks, nowTicks - LEAST_TICKS, extent.endTicks) as Ticks
  const steps = stepsOf({ startTicks, endTicks }, most)
  const intervals = intervalsOf(readSteps(model, steps, journal, nowTicks), steps, nowTicks)
  return { stepTicks: steps.stepTicks, intervals }
}

export function bottlenecksResponse(
  model: ServerModel,
  { most, ...range }: BottlenecksParams,
  journal: JournalSource | null,
  nowTicks: Ticks,
): BottlenecksResponse {
  const { intervals } = judge(model, range, Math.min(MOST, Math.max(1, most)), journal, nowTicks)
  return {
    intervals,
    rules: BOTTLENECK_RULES.map(({ title, reason }) => ({ title, reason })),
  }
}
