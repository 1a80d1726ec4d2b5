import { stepShare } from '../../../../base/columns/duration-steps.ts'
import { formatByteRate, formatCount, formatDuration, formatRate } from '../../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../../base/ticks.ts'
import type { IoKindThroughput, IoThroughputResponse } from '../../../../feeds/io/contract/density.ts'
import { hasRate } from '../../../../feeds/io/contract/speed.ts'

/** A figure of each kind over the range in view; one chart. */
export interface Multiple {
  readonly title: string
  readonly isShown: (kind: string) => boolean
  /** NaN: not known. */
  readonly valueOf: (kind: IoKindThroughput, column: number, columnTicks: number) => number
  readonly format: (value: number) => string
  /** 0 to 1, from the foot to the top. */
  readonly heightOf: (value: number, most: number) => number
}

const ofMost = (value: number, most: number): number => (most === 0 ? 0 : value / most)
const seconds = (ticks: number): number => ticks / TICKS_PER_SECOND

const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const formatMean = (value: number): string => (value < 9.95 ? twoDigits.format(value) : formatCount(value))

/** Throughput together with its cost in time, so that one is never read without the other. */
export const MULTIPLES: readonly Multiple[] = [
  {
    title: 'Events per second',
    isShown: () => true,
    valueOf: ({ count }, column, columnTicks) => (count[column] ?? 0) / seconds(columnTicks),
    format: formatRate,
    heightOf: ofMost,
  },
  {
    title: 'Bytes per second, without data syncs',
    isShown: hasRate,
    valueOf: ({ bytes }, column, columnTicks) => (bytes[column] ?? 0) / seconds(columnTicks),
    format: formatByteRate,
    heightOf: ofMost,
  },
  {
    title: 'In flight, mean',
    isShown: () => true,
    valueOf: ({ busyTicks }, column, columnTicks) => (busyTicks[column] ?? 0) / columnTicks,
    format: formatMean,
    heightOf: ofMost,
  },
  {
    title: 'In flight, most at once',
    isShown: () => true,
    valueOf: ({ deepest, summedUp }, column) => (summedUp[column] === 1 ? Number.NaN : (deepest[column] ?? 0)),
    format: formatCount,
    heightOf: ofMost,
  },
  {
    title: 'Slowest, 10 µs to 10 s',
    isShown: () => true,
    valueOf: ({ slowestTicks }, column) => slowestTicks[column] ?? 0,
    format: formatDuration,
    heightOf: stepShare,
  },
]

/** Time range in which events of a kind are not known; kind null: all kinds. */
export type UnknownSpan = TimeRange & { readonly kind: string | null }

/** Whether a column overlaps a span without data, for one kind, or for any kind if null. */
export function unknownColumns(
  unknown: readonly UnknownSpan[],
  { startTicks }: TimeRange,
  columnTicks: number,
  columns: number,
  ofKind: string | null,
): readonly boolean[] {
  const own = unknown.filter(({ kind }) => ofKind === null || kind === null || kind === ofKind)
  return Array.from({ length: columns }, (_, column) => {
    const left = startTicks + column * columnTicks
    return own.some((span) => span.startTicks < left + columnTicks && span.endTicks > left)
  })
}

/** Values by column; NaN: not known. */
export const valuesOf = (
  { valueOf }: Multiple,
  kind: IoKindThroughput,
  columnTicks: number,
  isUnknown: readonly boolean[],
): readonly number[] =>
  Array.from(kind.count, (_, column) => (isUnknown[column] === true ? Number.NaN : valueOf(kind, column, columnTicks)))

/** Largest known value; NaN: none is known. */
export function mostOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.length === 0 ? Number.NaN : Math.max(...known)
}

/** `at most 12 /s`. */
export const describeMost = ({ format }: Multiple, most: number): string =>
  Number.isNaN(most) ? 'not known' : `at most ${format(most)}`

/** Describes what the charts leave out. Only a current response can show that nothing is left out. */
export function describeLeftOut(
  response: Pick<IoThroughputResponse, 'kinds'> | null,
  hasGaps: boolean,
  isCurrent: boolean,
): string {
  if (response === null) return ''
  const isSummed = response.kinds.some(({ summedUp }) => summedUp.includes(1))
  const words = [
    isSummed
      ? 'Shaded: also events that are known only from roll-ups, which are not counted; how many ran at once is not known there.'
      : '',
    hasGaps ? 'Shaded without a line: coverage gaps, in which events may be missing.' : '',
  ]
  return isSummed || hasGaps || !isCurrent
    ? words.filter((each) => each !== '').join(' ')
    : 'No event is known only from a roll-up: all are counted.'
}
