import { compareEstimates } from '../../../base/statistics/estimate.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { ActivityEntry, EffectSide } from '../../../actions/client/activity-log.ts'
import { actionById } from '../../../actions/table.ts'
import { formatCount, formatDuration, formatPlural, formatShare } from '../../../base/text/format.ts'
import type { Gap } from '../../../capture/client/state.ts'

/** Each side is at most so long. */
export const SIDE_TICKS = 5 * 60 * TICKS_PER_SECOND
/** After so long the after side is measured first, and then again until it is complete. */
export const FIRST_TICKS = 20 * TICKS_PER_SECOND
/** The index whose batches show the effect of an entry; null: none do. */
export function measuredIndex({ call }: ActivityEntry): string | null {
  const { database, name } = call.target
  if (actionById(call.action)?.effect !== 'index-batches' || database === null || name === null) return null
  return `db:${database}|${name}`
}

interface Span {
  readonly startTicks: number
  readonly endTicks: number
}

/** What is measured before an action, up to its click. */
export const beforeOf = ({ startedTicks }: ActivityEntry): Span => ({
  startTicks: startedTicks - SIDE_TICKS,
  endTicks: startedTicks,
})

/** What is measured after it, from its end; null: it has not ended, or too shortly ago. */
export function afterOf({ endedTicks }: ActivityEntry, nowTicks: number | null): Span | null {
  if (endedTicks === null || nowTicks === null || nowTicks - endedTicks < FIRST_TICKS) return null
  return { startTicks: endedTicks, endTicks: Math.min(nowTicks, endedTicks + SIDE_TICKS) }
}

/** Whether something of a span is not known: before the recording began, or in a gap of the index or its database. */
export function isPartial(span: Span, index: string, gaps: readonly Gap[], knownFromTicks: number | null): boolean {
  const source = index.slice(0, index.indexOf('|'))
  return (
    knownFromTicks === null ||
    knownFromTicks > span.startTicks ||
    gaps.some(
      (gap) =>
        gap.source === source &&
        (gap.lane === null || gap.lane === index) &&
        gap.startTicks < span.endTicks &&
        gap.endTicks > span.startTicks,
    )
  )
}

const lengthOf = ({ startTicks, endTicks }: EffectSide): number => endTicks - startTicks

/** `12 batches in 5 min, median 340 ms, 4,000 documents, busy 3 %` */
export function sideWords(side: EffectSide): string {
  const median = side.medianTicks === null ? '' : `, median ${formatDuration(side.medianTicks)}`
  return `${formatPlural(side.batches, 'batch', 'batches')} in ${formatDuration(lengthOf(side))}${median}, ${formatPlural(side.documents, 'document')}, busy ${formatShare(side.busyShare)}${side.isPartial ? ' (recorded in part)' : ''}`
}

const times = (ratio: number): string => `${ratio >= 10 ? formatCount(Math.round(ratio)) : ratio.toFixed(1)} times`

/** What the comparison says, and no more than that: as the panel Compare judges, with what the batches vary by themselves. */
export function verdict(before: EffectSide, after: EffectSide): string {
  if (before.batches > 0 && after.batches === 0) return 'No batch since.'
  if (before.batches === 0 && after.batches > 0) return 'It works: there was no batch before.'
  if (before.batches === 0) return 'No batch before or after.'
  if (before.median == null || after.median == null) return TOO_FEW
  const { change, ratio, atLeast, atMost, showable } = compareEstimates(before.median, after.median)
  switch (change) {
    case 'higher':
      return `The median batch is ${times(ratio)} as long, at least ${times(atLeast)}.`
    case 'lower':
      return `The median batch was ${times(1 / ratio)} as long, at least ${times(1 / (atMost ?? ratio))}.`
    case 'same':
      return `No difference that so many batches could show: one of ${times(showable ?? Number.NaN)} would most likely have been shown.`
    case 'unclear':
      return TOO_FEW
  }
}

const TOO_FEW = 'Too few batches to compare their durations.'
