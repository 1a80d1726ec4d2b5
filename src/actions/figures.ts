import { formatBytes, formatCount, formatDateTime, formatDuration, UNKNOWN } from '../base/text/format.ts'
import { type Ticks, TICKS_PER_MS } from '../base/ticks.ts'

/** A figure that an action was to change. */
export interface Figure {
  readonly label: string
  readonly unit: 'bytes' | 'count' | 'ms' | 'ticks' | 'text' | 'percent'
  /** Value as read; null: none, or not reported. */
  readonly value: number | string | null
  /** Smallest and largest of the values in a mean. */
  readonly range?: readonly [low: number, high: number]
  /** Intended direction; left out: no verdict. */
  readonly aim?: 'less' | 'more'
}

/** Figures before and after an action. Null: not readable. */
export interface Figures {
  readonly before: readonly Figure[] | null
  readonly after: readonly Figure[] | null
}

/** `12.3 MiB`; a mean has its range. */
function figureWords({ unit, value, range }: Figure): string {
  const words = wordsOf(unit, value)
  return range === undefined ? words : `${words} (${wordsOf(unit, range[0])} to ${wordsOf(unit, range[1])})`
}

function wordsOf(unit: Figure['unit'], value: Figure['value']): string {
  if (value === null) return UNKNOWN
  if (typeof value === 'string') return value
  switch (unit) {
    case 'bytes':
      return formatBytes(value)
    case 'ms':
      return formatDuration(value * TICKS_PER_MS)
    case 'ticks':
      return `${formatDateTime(value as Ticks, 'utc', 0)} UTC`
    case 'percent':
      return `${formatCount(Math.round(value))} %`
    default:
      return formatCount(value)
  }
}

/** Verdict on two figures. Means differ only if their ranges do not contain each other's mean. Empty: none. */
export function figureVerdict(before: Figure | undefined, after: Figure | undefined): string {
  const aim = after?.aim ?? before?.aim
  if (aim === undefined || typeof before?.value !== 'number' || typeof after?.value !== 'number') return ''
  const [a, b] = [before.range ?? [before.value, before.value], after.range ?? [after.value, after.value]]
  const isSame = before.range === undefined ? before.value === after.value : b[0] <= a[1] && a[0] <= b[1]
  if (isSame) return before.range === undefined ? 'unchanged' : 'no clear difference'
  const difference = wordsOf(after.unit, Math.abs(after.value - before.value))
  const direction = after.value < before.value ? 'less' : 'more'
  return `${difference} ${direction}${direction === aim ? '' : ', not as intended'}`
}

/** `12.3 MiB → 0 Bytes`. A side that could not be read is marked; one without this figure is left out. */
export function changeWords({ before, after }: Figures, label: string): string {
  const sides = [before, after].map((side) => {
    const figure = side?.find((each) => each.label === label)
    return side === null ? 'not known' : figure === undefined ? null : figureWords(figure)
  })
  return sides.filter((words) => words !== null).join(' → ')
}
