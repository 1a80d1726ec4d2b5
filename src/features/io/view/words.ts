import { timesIn, type TimeText } from '../../../capture/client/times.ts'
import {
  formatByteRate,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatOrdinal,
  formatCount,
  formatPlural,
  formatShare,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { visibleText } from '../../../base/text/visible.ts'
import { GAP_WORDS } from '../../../capture/frame/notices/gap-words.ts'
import { parseSourceId, sourceLabel, type Gap, type GapReason, type SourceId } from '../../../capture/client/state.ts'
import type { FactLine } from '../../../ui/FactLines.tsx'
import { kindLook } from './timeline/kinds.ts'
import { FOLDED_FILE_NAME, FOLDED_KIND, IO_LIMITS } from '../../../feeds/io/contract/limits.ts'
import type { IoCard, IoEventRow } from '../../../feeds/io/contract/rows.ts'
import type { IoFolded } from '../../../feeds/io/contract/lanes.ts'
import type { IoKindSummary, IoSummaryResponse } from '../../../feeds/io/contract/summary.ts'
import { speedOf, type SizedEvent } from '../../../feeds/io/contract/speed.ts'

/** Text such as `1.20 GiB/s (page cache)`; `—` if bytes over duration are not meaningful. */
export function speedText(event: SizedEvent): string {
  const speed = speedOf(event)
  if (Number.isNaN(speed)) return UNKNOWN
  const of = kindLook(event.kind).speed?.of ?? ''
  return of === '' ? formatByteRate(speed) : `${formatByteRate(speed)} (${of})`
}

/** Size of an event, and its speed if it has one. */
export function sizeLines(event: SizedEvent): readonly FactLine[] {
  if (event.hasNoSize === true) return [['Size', UNKNOWN]]
  const size = `${formatBytes(event.sizeBytes)} (${formatCount(event.sizeBytes)} B)`
  const speed = speedText(event)
  const title = kindLook(event.kind).speed?.title
  return [
    ['Size', event.kind === 'DataSync' ? `covers ${size} flushed since the last sync` : size],
    ...(title === undefined || speed === UNKNOWN ? [] : [[title, speed] as const]),
  ]
}

/** Environment of an event; with several sources also its database, because every database has `Documents`. */
export const laneName = (event: IoEventRow, manySources: boolean): string => {
  const ref = parseSourceId(event.source)
  return manySources && ref !== null && ref.kind !== 'server'
    ? `${event.laneLabel} of ${sourceLabel(ref)}`
    : event.laneLabel
}

/** Text such as `data sync of 412 ms on Users/ByName at 02:13:07.123`. */
export const nameEvent = (event: IoEventRow, time: TimeText, manySources: boolean): string =>
  `${kindLook(event.kind).one} of ${formatDuration(event.durationTicks)} on ${laneName(event, manySources)} at ${time(event.startTicks, 3)}`

/** Text such as `2 data syncs and 3 journal writes`, most frequent first. */
function countKinds(events: readonly IoEventRow[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const parts = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([kind, count]) => formatPlural(count, kindLook(kind).one, kindLook(kind).many))
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}

/** Describes in one sentence which events ran during an event, without claiming a cause: they only coincide. */
export function describeOverlaps(card: IoCard): string {
  if (card.overlapCount === 0) return 'No other I/O in the monitored sources overlapped.'
  const all = card.overlapCount > card.overlaps.length
  const which = all
    ? `${formatCount(card.overlapCount)} events, among the longest ${countKinds(card.overlaps)}`
    : countKinds(card.overlaps)
  const were = card.overlapCount === 1 ? 'was' : 'were'
  return `${which} ${were} running at the same time. That they coincide does not show that one held up the other.`
}

/**
 * Describes in one sentence how much of a range is known to be missing. The union over all sources would require the
 * lanes, so it gives the longest single gap. Times in which the server was unresponsive are described separately,
 * because no data is missing then.
 */
function describeGaps(gaps: readonly Gap[], range: TimeRange): string {
  const inView = gaps.filter(
    (gap) => gap.startTicks < range.endTicks && gap.endTicks > range.startTicks && gap.endTicks > gap.startTicks,
  )
  const length = (gap: Gap): number =>
    Math.min(gap.endTicks, range.endTicks) - Math.max(gap.startTicks, range.startTicks)
  const longest = (some: readonly Gap[]): string => formatDuration(Math.max(...some.map(length)))
  const silences = inView.filter(({ reason }) => reason === 'server-unresponsive')
  const others = inView.filter(({ reason }) => reason !== 'server-unresponsive')
  return [
    ...(silences.length === 0 ? [] : [` The server did not answer for ${longest(silences)}.`]),
    ...(others.length === 0
      ? []
      : [` Data is missing in this view: ${formatPlural(others.length, 'gap')}, the longest ${longest(others)}.`]),
  ].join('')
}

/**
 * Reason why a range has no data at all: every source has gaps over all of it, and the longest of them gives the
 * reason; null: some time has data.
 */
function unknownBecause(gaps: readonly Gap[], range: TimeRange, sources: readonly SourceId[]): GapReason | null {
  let longest: Gap | null = null
  for (const source of sources) {
    let untilTicks: number = range.startTicks
    const own = gaps.filter((gap) => gap.source === source && gap.lane === null && gap.kind === null)
    for (const gap of own.toSorted((a, b) => a.startTicks - b.startTicks)) {
      if (gap.startTicks > untilTicks || gap.endTicks <= untilTicks) continue
      untilTicks = gap.endTicks
      if (longest === null || gap.endTicks - gap.startTicks > longest.endTicks - longest.startTicks) longest = gap
    }
    if (untilTicks < range.endTicks) return null
  }
  return longest?.reason ?? null
}

export interface ViewFacts {
  readonly summary: IoSummaryResponse
  readonly range: TimeRange
  /** Range from the first data to the newest; null: no data yet. */
  readonly known: TimeRange | null
  readonly gaps: readonly Gap[]
  readonly sources: readonly SourceId[]
  /** Card of the event that is named first (`firstNamed`); null: not loaded yet. */
  readonly firstCard: IoCard | null
  /** Events hidden by a filter, so that their absence has no meaning: journal writes, or some of every kind. */
  readonly hidden: 'nothing' | 'journal-writes' | 'some'
  readonly clock: Clock
  readonly manySources: boolean
}

const JOURNAL = 'JournalWrite'

const ofKind = ({ kinds }: IoSummaryResponse, kind: string): IoKindSummary | undefined =>
  kinds.find((each) => each.kind === kind)

/** Event that the sentence is about: the slowest journal write, else the slowest of all. */
export const firstNamed = (summary: IoSummaryResponse): IoEventRow | null =>
  ofKind(summary, JOURNAL)?.slowest ?? summary.slowest[0] ?? null

/** Whether the summarised range contains neither events nor roll-ups. */
export const isEmptySummary = ({ kinds, slowest }: IoSummaryResponse): boolean =>
  slowest.length === 0 && kinds.every(({ count, rollUps }) => count === 0 && rollUps === 0)

/**
 * Describes what stands out in the view: the slowest journal write, for which its commit waited; events that ran at the
 * same time; the slowest of the other kinds; the kind that took most of the time; and missing data.
 */
export function describeView(facts: ViewFacts): string {
  const { summary, range, known, gaps, firstCard, hidden, manySources } = facts
  const time = timesIn(range, facts.clock)
  if (known !== null && range.startTicks >= known.endTicks)
    return 'No data yet: this view lies after the newest data received.'
  if (known !== null && range.endTicks <= known.startTicks)
    return 'No data: this view lies before the first data received.'
  const missing = describeGaps(gaps, range)
  if (isEmptySummary(summary)) {
    const reason = unknownBecause(gaps, range, facts.sources)
    if (reason !== null) return `No data for this view: ${GAP_WORDS[reason]}.`
    const passing = hidden === 'nothing' ? '' : ' that passes the filters'
    return `No I/O${passing} in the ${formatDuration(range.endTicks - range.startTicks)} in view.${missing}`
  }
  const rollUps = summary.kinds.reduce((sum, kind) => sum + kind.rollUps, 0)
  const [slowest] = summary.slowest
  if (slowest === undefined)
    return `No single events in view, only ${formatPlural(rollUps, 'roll-up')} of older events; the slowest event in them took ${formatDuration(slowestRolledUp(summary))}.${missing}`

  const journal = ofKind(summary, JOURNAL)
  const write = journal?.slowest ?? null
  const beside = describeBeside(firstCard)
  const [busiest] = summary.kinds
    .filter(({ whole }) => !Number.isNaN(whole.busyTicks))
    .toSorted((a, b) => b.whole.busyTicks - a.whole.busyTicks)
  const share = busiest === undefined ? 0 : busiest.whole.busyTicks / (range.endTicks - range.startTicks)
  const busy =
    busiest === undefined || share < 0.01
      ? ''
      : ` Most I/O time: ${kindLook(busiest.kind).many}, ${busiest.whole.isShare ? 'about ' : ''}${formatDuration(busiest.whole.busyTicks)} (${formatShare(share)} of the view).`
  if (journal === undefined || write === null) {
    const none =
      hidden === 'journal-writes'
        ? 'Journal writes are filtered out.'
        : hidden === 'some'
          ? 'No journal write in view passes the filters.'
          : (journal?.rollUps ?? 0) > 0
            ? `Journal writes are known as roll-ups only; the slowest took ${formatDuration(journal?.rollUpMaxTicks ?? Number.NaN)}.`
            : 'No journal write in view.'
    return `${none} Slowest: a ${nameEvent(slowest, time, manySources)}${compare(slowest, ofKind(summary, slowest.kind))}${beside}.${busy}${missing}`
  }
  const others = summary.kinds.flatMap((each) => (each.kind === JOURNAL || each.slowest === null ? [] : [each.slowest]))
  const [other] = others.toSorted((a, b) => b.durationTicks - a.durationTicks)
  return [
    `Slowest journal write (commits wait for these): ${formatDuration(write.durationTicks)} on ${laneName(write, manySources)} at ${time(write.startTicks, 3)}`,
    `${compare(write, journal)}${beside}.`,
    journal.rollUpMaxTicks > write.durationTicks
      ? ` A rolled-up one took ${formatDuration(journal.rollUpMaxTicks)}.`
      : '',
    other === undefined ? '' : ` Slowest other: a ${nameEvent(other, time, manySources)}.`,
    busy,
    missing,
  ].join('')
}

/** Text such as `, 42 times the median`; empty: too few events to compare with, or not unusual. */
function compare({ durationTicks }: IoEventRow, kind: IoKindSummary | undefined): string {
  if (kind === undefined || kind.count < 10) return ''
  const times = durationTicks / kind.p50Ticks
  return times >= 2 ? `, ${formatCount(times)} times the median` : ''
}

const describeBeside = (card: IoCard | null): string =>
  card === null
    ? ''
    : card.overlapCount === 0
      ? '; no other I/O overlapped'
      : `; it overlapped ${card.overlapCount > card.overlaps.length ? `${formatCount(card.overlapCount)} events` : countKinds(card.overlaps)}`

const slowestRolledUp = ({ kinds }: IoSummaryResponse): number =>
  Math.max(...kinds.map(({ rollUpMaxTicks }) => (Number.isNaN(rollUpMaxTicks) ? 0 : rollUpMaxTicks)))

/** Describes what of a hostile or huge file is not stored separately; empty: everything is. */
export function describeFolded({ environments, kinds, files, rollUps }: IoFolded): string {
  const parts = [
    ...(environments === 0
      ? []
      : [
          `${formatPlural(environments, 'environment')} beyond the first ${formatCount(IO_LIMITS.lanes)} ${environments === 1 ? 'is' : 'are'} shown as one lane`,
        ]),
    ...(kinds === 0
      ? []
      : [
          `${formatPlural(kinds, 'kind')} beyond the first ${formatCount(IO_LIMITS.kinds)} ${kinds === 1 ? 'is' : 'are'} shown as “${FOLDED_KIND}”`,
        ]),
    ...(files ? [`files beyond the first ${formatCount(IO_LIMITS.files)} are shown as “${FOLDED_FILE_NAME}”`] : []),
    ...(rollUps === 0
      ? []
      : [
          `${formatPlural(rollUps, 'roll-up')} beyond the first ${formatCount(IO_LIMITS.rollUps)} ${rollUps === 1 ? 'is' : 'are'} shown as one of ${rollUps === 1 ? 'its' : 'their'} lane and kind`,
        ]),
  ]
  if (parts.length === 0) return ''
  const sentence = parts.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. Their events count in every figure.`
}

/** All lines of a card, as label and text. */
export function cardLines(card: IoCard, clock: Clock): readonly FactLine[] {
  return [
    ['Start', `${formatDateTime(card.startTicks, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`],
    ['Duration', formatDuration(card.durationTicks)],
    ...sizeLines(card),
    ...(card.kind === 'Compression'
      ? ([
          [
            'Compressed to',
            card.compressedBytes === null
              ? 'not reported by the live feed'
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

/** Text of a card, for pasting into a ticket. */
export const cardText = (card: IoCard, clock: Clock): string =>
  [
    kindLook(card.kind).title,
    ...cardLines(card, clock).map(([label, text]) => `${label}: ${text}`),
    `Path: ${card.path}`,
    describeOverlaps(card),
  ]
    .map(visibleText)
    .join('\n')
