import { compareEstimates } from '../../../base/statistics/estimate.ts'
import { parseTicks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { ActivityEntry, EffectSide } from '../../../actions/client/activity-entry.ts'
import { REPLACEMENT_OF } from '../../../actions/rows/index-reading.ts'
import { actionById } from '../../../actions/table.ts'
import { formatCount, formatDuration, formatPlural, formatShare } from '../../../base/text/format.ts'
import { allIndexesLane, type Gap } from '../../../capture/client/state.ts'

/** Maximum length of each side. */
export const SIDE_TICKS = 5 * 60 * TICKS_PER_SECOND
/** Time after which the side after an action is first measured; repeated until it is complete. */
export const FIRST_TICKS = 20 * TICKS_PER_SECOND
/** Time for which the side before is measured again, since batches arrive late. */
const LATE_TICKS = 60 * TICKS_PER_SECOND
/** The server's clock is known from its newest data: an action may be dated this much too early. */
const CLOCK_TICKS = 3 * TICKS_PER_SECOND
/** Minimum length of a meaningful side. */
const LEAST_TICKS = 5 * TICKS_PER_SECOND
/** Index whose batches show the effect of an entry; null: none. */
export function measuredIndex({ call }: ActivityEntry): string | null {
  const { database, name } = call.target
  if (actionById(call.action)?.recorded?.kind !== 'index-batches' || database === null || name === null) return null
  return `db:${database}|${name}`
}

/**
 * Index that an action has rebuilt, and the time, up to a little after its end because of the uncertainty of the
 * server's clock. Null: it rebuilds none, or has not ended.
 */
export function rebuildOf(entry: ActivityEntry): { readonly index: string; readonly span: Span } | null {
  const { call, startedTicks, endedTicks, made } = entry
  const recorded = actionById(call.action)?.recorded
  const { database, name } = call.target
  if (recorded?.kind !== 'index-batches' || recorded.rebuild === undefined || endedTicks === null) return null
  if (database === null || name === null) return null
  // The creation time of an index is by the server's clock.
  const madeTicks = made === undefined ? Number.NaN : parseTicks(made)
  const startTicks = Number.isNaN(madeTicks) ? startedTicks : madeTicks
  return {
    index: `db:${database}|${recorded.rebuild === 'beside' ? REPLACEMENT_OF : ''}${name}`,
    span: { startTicks, endTicks: Math.max(endedTicks, startTicks) + CLOCK_TICKS },
  }
}

/** Whether more data of a rebuild may still arrive. */
export const isRebuildOpen = ({ state, endedTicks, rebuild }: ActivityEntry, nowTicks: number | null): boolean =>
  state === 'done' &&
  endedTicks !== null &&
  (rebuild === undefined || (nowTicks !== null && nowTicks - endedTicks < LATE_TICKS))

/** Summary of a rebuild: `3 batches in 4 s, median 1 s, 800 documents, busy 90 %`. */
export function rebuildWords(side: EffectSide): string {
  if (side.batches === 0) return `No batch of it was recorded${side.isPartial ? ', and not all of its time was' : ''}.`
  // The time measured after its end only covers the uncertainty of the clocks.
  const endTicks = side.endTicks - CLOCK_TICKS
  const busyTicks = side.busyShare * (side.endTicks - side.startTicks)
  return sideWords({ ...side, endTicks, busyShare: Math.min(1, busyTicks / Math.max(1, endTicks - side.startTicks)) })
}

export interface Span {
  readonly startTicks: number
  readonly endTicks: number
}

/** Neighbouring actions on the same target, which limit the measured effect of an action. */
export interface Between {
  readonly fromTicks: number
  readonly untilTicks: number
}

/** Times of the nearest other actions on the same target, before and after, among all actions on this server. */
export function betweenOthers(entry: ActivityEntry, all: readonly ActivityEntry[]): Between {
  let [fromTicks, untilTicks] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const other of all) {
    if (other.id === entry.id || other.server !== entry.server || !isOnSame(entry, other) || changedNothing(other))
      continue
    if (other.startedTicks >= entry.startedTicks) untilTicks = Math.min(untilTicks, other.startedTicks)
    else fromTicks = Math.max(fromTicks, Math.min(entry.startedTicks, other.endedTicks ?? other.startedTicks))
  }
  return { fromTicks, untilTicks }
}

/** Whether two entries affect the same target; an action on a database, or on all its indexes, affects each of them. */
const isOnSame = ({ call: { target: a } }: ActivityEntry, { call: { target: b } }: ActivityEntry): boolean =>
  a.database === b.database && (a.name === b.name || a.name === null || b.name === null)

const changedNothing = ({ state }: ActivityEntry): boolean => state === 'nothing' || state === 'gone'

/** Span to measure before an action, up to its click; null: another action ended too shortly before. */
export function beforeOf({ startedTicks }: ActivityEntry, { fromTicks }: Between): Span | null {
  const startTicks = Math.max(startedTicks - SIDE_TICKS, fromTicks + CLOCK_TICKS)
  return startedTicks - startTicks < LEAST_TICKS ? null : { startTicks, endTicks: startedTicks }
}

/** The part of a span from the first recorded batch on; the whole if there is none in it (null, NaN: none). */
export const fromFirst = ({ startTicks, endTicks }: Span, firstTicks: number | null): Span => ({
  startTicks: firstTicks !== null && firstTicks > startTicks && firstTicks < endTicks ? firstTicks : startTicks,
  endTicks,
})

/** Span to measure after an action, from its end to the next one; null: the action has not ended, or the span is too short. */
export function afterOf(
  { endedTicks }: ActivityEntry,
  nowTicks: number | null,
  { untilTicks }: Between,
): (Span & { readonly isComplete: boolean }) | null {
  if (endedTicks === null || nowTicks === null) return null
  const startTicks = endedTicks + CLOCK_TICKS
  const mostTicks = Math.min(startTicks + SIDE_TICKS, untilTicks - CLOCK_TICKS)
  if (nowTicks < Math.min(endedTicks + FIRST_TICKS, mostTicks) || mostTicks - startTicks < LEAST_TICKS) return null
  return { startTicks, endTicks: Math.min(nowTicks, mostTicks), isComplete: nowTicks >= mostTicks + LATE_TICKS }
}

/** Whether more data from before an action may still arrive. */
export const isBeforeOpen = ({ before, startedTicks }: ActivityEntry, nowTicks: number | null): boolean =>
  before === undefined || (nowTicks !== null && nowTicks - startedTicks < LATE_TICKS)

/** The more complete of two measurements of the same span: a page that was reloaded may know less. */
export const fuller = (known: EffectSide | null | undefined, now: EffectSide | null): EffectSide | null =>
  known == null || (now !== null && now.batches >= known.batches) ? now : known

/**
 * The same for the time after an action, whose span grows: a complete measurement is not replaced by a partial one. One
 * that extends beyond the next action is replaced, since that was made meanwhile in another page.
 */
export function furtherAfter(known: EffectSide | null | undefined, now: EffectSide | null): EffectSide | null {
  if (known == null || (now !== null && now.endTicks < known.endTicks)) return now
  return now !== null && (known.isPartial || !now.isPartial) ? fuller(known, now) : known
}

const sourceOf = (lane: string): string => lane.slice(0, lane.indexOf('|'))

/** Gaps within a span, of one of these lanes (null: of the whole source); in some gaps no data is missing. */
const missingWithin = (
  gaps: readonly Gap[],
  { startTicks, endTicks }: Span,
  source: string,
  lanes: readonly (string | null)[],
): readonly Gap[] =>
  gaps.filter(
    (gap) =>
      gap.source === source &&
      gap.missingCount !== 0 &&
      lanes.includes(gap.lane) &&
      gap.startTicks < endTicks &&
      gap.endTicks > startTicks,
  )

/** Gaps in the I/O of one kind in a lane, `<source>|<name>`. */
export const ioMissing = (gaps: readonly Gap[], span: Span, lane: string, ioKind: string): readonly Gap[] =>
  missingWithin(gaps, span, sourceOf(lane), [null, lane]).filter(({ kind }) => kind === null || kind === ioKind)

/** Whether part of a span is unknown: before the recording began, or in a gap of the index or its database. */
export const isPartial = (span: Span, index: string, gaps: readonly Gap[], knownFromTicks: number | null): boolean =>
  knownFromTicks === null ||
  knownFromTicks > span.startTicks ||
  missingWithin(gaps, span, sourceOf(index), [allIndexesLane(sourceOf(index)), index]).length > 0

const lengthOf = ({ startTicks, endTicks }: EffectSide): number => endTicks - startTicks

/** `12 batches in 5 min, median 340 ms, 4,000 documents, busy 3 %` */
export function sideWords(side: EffectSide): string {
  const partly = side.isPartial ? ' (recorded in part)' : ''
  // A batch counts at its end: one that is still running only adds busy time.
  if (side.batches === 0) return `0 batches in ${formatDuration(lengthOf(side))}${partly}`
  const median = side.medianTicks === null ? '' : `, median ${formatDuration(side.medianTicks)}`
  return `${formatPlural(side.batches, 'batch', 'batches')} in ${formatDuration(lengthOf(side))}${median}, ${formatPlural(side.documents, 'document')}, busy ${formatShare(side.busyShare)}${partly}`
}

const times = (ratio: number): string => `${ratio >= 10 ? formatCount(Math.round(ratio)) : ratio.toFixed(1)} times`

/** Verdict of the comparison without a cause, judged as in the panel Compare, with the normal variation of batches. */
export function verdict(before: EffectSide, after: EffectSide): string {
  if (before.batches > 0 && after.batches === 0)
    return after.isPartial ? 'No batch was recorded after it.' : 'No batch after it.'
  if (before.batches === 0 && after.batches > 0)
    return before.isPartial ? 'It works: no batch was recorded before.' : 'It works: there was no batch before.'
  if (before.batches === 0)
    return before.isPartial || after.isPartial ? 'No batch was recorded before or after.' : 'No batch before or after.'
  if (before.median == null || after.median == null) return TOO_FEW
  const { change, ratio, atLeast, atMost, showable } = compareEstimates(before.median, after.median)
  switch (change) {
    case 'higher':
      return `The median batch takes ${times(ratio)} as long now, at least ${times(atLeast)}.`
    case 'lower':
      return `The median batch took ${times(1 / ratio)} as long before, at least ${times(1 / (atMost ?? ratio))}.`
    case 'same':
      return `Too few batches to tell (a change below ${times(showable ?? Number.NaN)} would not show).`
    case 'unclear':
      return TOO_FEW
  }
}

const TOO_FEW = 'Too few batches to compare their durations.'
