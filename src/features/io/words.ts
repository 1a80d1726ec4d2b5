import {
  formatByteRate,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatOrdinal,
  formatCount,
  formatPlural,
  formatShare,
  formatTime,
  UNKNOWN,
  type Clock,
} from '../../base/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import { parseSourceId, sourceLabel, type Gap } from '../../capture/state.ts'
import { kindLook } from './kinds.ts'
import type { IoCard, IoEventRow, IoSummaryAnswer } from './queries.ts'

/** Bytes a second while it ran; NaN where it took no measurable time. */
export const speedOf = (event: { readonly sizeBytes: number; readonly durationTicks: number }): number =>
  event.durationTicks === 0 ? Number.NaN : event.sizeBytes / (event.durationTicks / TICKS_PER_SECOND)

/** Where an event was: with several sources the database too, for every one has `Documents`. */
export const laneName = (event: IoEventRow, manySources: boolean): string => {
  const ref = parseSourceId(event.source)
  return manySources && ref !== null && ref.kind !== 'server'
    ? `${event.laneLabel} of ${sourceLabel(ref)}`
    : event.laneLabel
}

/** `data sync of 412 ms on Users/ByName at 02:13:07.123` */
export const nameEvent = (event: IoEventRow, clock: Clock, manySources: boolean): string =>
  `${kindLook(event.kind).one} of ${formatDuration(event.durationTicks)} on ${laneName(event, manySources)} at ${formatTime(event.startTicks, clock, 3)}`

/** `2 data syncs and 3 journal writes`, most first. */
function countKinds(events: readonly IoEventRow[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const parts = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([kind, count]) => formatPlural(count, kindLook(kind).one, kindLook(kind).many))
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}

/** What ran during an event, in one honest sentence: that they coincide is no proof of a cause. */
export function describeOverlaps(card: IoCard): string {
  if (card.overlapCount === 0) return 'Nothing else of what is watched ran at the same time.'
  const all = card.overlapCount > card.overlaps.length
  const which = all
    ? `${formatCount(card.overlapCount)} events, among the longest ${countKinds(card.overlaps)}`
    : countKinds(card.overlaps)
  const were = card.overlapCount === 1 ? 'was' : 'were'
  return `${which} ${were} running at the same time. That they coincide does not show that one held up the other.`
}

/**
 * How much of a range is known to be missing, for one sentence; the union over all sources would need the lanes, so the longest
 * single gap speaks. That the server stood still is said as what it is: nothing is missing.
 */
function describeGaps(gaps: readonly Gap[], range: TimeRange): string {
  const inView = gaps.filter(
    (gap) => gap.startTicks < range.endTicks && gap.endTicks > range.startTicks && gap.endTicks > gap.startTicks,
  )
  const length = (gap: Gap): number =>
    Math.min(gap.endTicks, range.endTicks) - Math.max(gap.startTicks, range.startTicks)
  const longest = (some: readonly Gap[]): string => formatDuration(Math.max(...some.map(length)))
  const stalls = inView.filter(({ reason }) => reason === 'server-stalled')
  const others = inView.filter(({ reason }) => reason !== 'server-stalled')
  return [
    ...(stalls.length === 0 ? [] : [` The server did not answer for ${longest(stalls)}.`]),
    ...(others.length === 0
      ? []
      : [` Not all of this view is known: ${formatPlural(others.length, 'gap')}, the longest ${longest(others)}.`]),
  ].join('')
}

export interface ViewFacts {
  readonly summary: IoSummaryAnswer
  readonly range: TimeRange
  /** From the first thing seen to the newest heard; null: nothing yet. */
  readonly known: TimeRange | null
  readonly gaps: readonly Gap[]
  /** Of the slowest event; null: not looked up yet. */
  readonly slowestCard: IoCard | null
  readonly clock: Clock
  readonly manySources: boolean
}

/**
 * What stands out in the view, in a sentence or two: the slowest event, how it compares with its kind, what ran
 * beside it, and what is not known.
 */
export function describeView({ summary, range, known, gaps, slowestCard, clock, manySources }: ViewFacts): string {
  if (known !== null && range.startTicks >= known.endTicks)
    return 'Nothing is known of this view yet: it lies after the newest that was heard.'
  if (known !== null && range.endTicks <= known.startTicks)
    return 'Nothing is known of this view: it lies before the first thing that was seen.'
  const [slowest] = summary.slowest
  const missing = describeGaps(gaps, range)
  const rollUps = summary.kinds.reduce((sum, kind) => sum + kind.rollUps, 0)
  const ofKind = summary.kinds.find((kind) => kind.kind === slowest?.kind)
  if (slowest === undefined || ofKind === undefined) {
    if (rollUps > 0) {
      const worst = Math.max(
        ...summary.kinds.map((kind) => (Number.isNaN(kind.rollUpMaxTicks) ? 0 : kind.rollUpMaxTicks)),
      )
      return `No single events in view, only ${formatPlural(rollUps, 'band')} that the server had already summed up; the slowest event in them took ${formatDuration(worst)}.${missing}`
    }
    return `No I/O was seen in the ${formatDuration(range.endTicks - range.startTicks)} in view.${missing}`
  }
  const times = slowest.durationTicks / ofKind.p50Ticks
  const compared = ofKind.count > 9 && times >= 2 ? `, ${formatCount(times)} times the median of its kind` : ''
  const beside =
    slowestCard === null
      ? ''
      : slowestCard.overlapCount === 0
        ? '; nothing else ran at the same time'
        : `; it overlapped ${slowestCard.overlapCount > slowestCard.overlaps.length ? `${formatCount(slowestCard.overlapCount)} events` : countKinds(slowestCard.overlaps)}`
  const busiest = summary.kinds.toSorted((a, b) => b.busyTicks - a.busyTicks)[0]
  const share = busiest === undefined ? 0 : busiest.busyTicks / (range.endTicks - range.startTicks)
  const busy =
    busiest === undefined || share < 0.01
      ? ''
      : ` Most of the time went to ${kindLook(busiest.kind).many}: ${formatDuration(busiest.busyTicks)}, ${formatShare(share)} of the wall time.`
  return `Slowest: a ${nameEvent(slowest, clock, manySources)}${compared}${beside}.${busy}${missing}`
}

/** Every line of a card, as label and text. */
export function cardLines(card: IoCard, clock: Clock): readonly (readonly [label: string, text: string])[] {
  return [
    ['Start', `${formatDateTime(card.startTicks, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`],
    ['Duration', formatDuration(card.durationTicks)],
    ['Size', `${formatBytes(card.sizeBytes)} (${formatCount(card.sizeBytes)} B)`],
    ['Speed', formatByteRate(speedOf(card))],
    ...(card.kind === 'Compression'
      ? ([
          [
            'Compressed to',
            card.compressedBytes === null
              ? 'not told by the live feed'
              : `${formatBytes(card.compressedBytes)}, ${formatShare(card.compressedBytes / card.sizeBytes)} of it${card.acceleration === null ? '' : `, LZ4 acceleration ${card.acceleration}`}`,
          ],
        ] as const)
      : []),
    ['File', card.fileSizeBytes === null ? card.file : `${card.file}, ${formatBytes(card.fileSizeBytes)}`],
    [card.laneType === 'Index' ? 'Index' : 'Storage', `${card.laneLabel} (${card.source.replace(/^(db|file):/, '')})`],
    [
      'Rank',
      card.rankOf > 0
        ? `${card.rank === 1 ? 'slowest' : `${formatOrdinal(card.rank)} slowest`} of ${formatPlural(card.rankOf, kindLook(card.kind).one, kindLook(card.kind).many)}`
        : UNKNOWN,
    ],
  ]
}

/** A card to paste into a ticket. */
export const cardText = (card: IoCard, clock: Clock): string =>
  [
    kindLook(card.kind).title,
    ...cardLines(card, clock).map(([label, text]) => `${label}: ${text}`),
    `Path: ${card.path}`,
    describeOverlaps(card),
  ].join('\n')
