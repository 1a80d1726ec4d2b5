import type { Brand } from '../../base/brand.ts'
import { exactRange, type Ticks, type TimeRange } from '../../base/ticks.ts'

/* How settings of panels are written in the URL. */

/** Created by `formatList`. */
export type ListText = Brand<string, 'ListText'>
/** Created by `formatBounds`. */
export type BoundsText = Brand<string, 'BoundsText'>
/** Created by `formatRangeAnd`. */
export type RangeText = Brand<string, 'RangeText'>

/** `<start>~<end>~<rest>`; both ends are empty without a range. Edges between two ticks move outwards. */
export function formatRangeAnd(range: TimeRange | null, rest: string): RangeText {
  const exact = range === null ? null : exactRange(range)
  return `${exact?.startTicks ?? ''}~${exact?.endTicks ?? ''}~${rest}` as RangeText
}

/** Parses a range and the rest of a text; null: another text. An empty or missing range is null. */
export function parseRangeAnd(text: string): { readonly range: TimeRange | null; readonly rest: string } | null {
  const match = /^(-?\d*)~(-?\d*)~(.*)$/s.exec(text)
  if (match === null) return null
  const [, start = '', end = '', rest = ''] = match
  const isRange = start !== '' && end !== '' && Number(end) > Number(start)
  return { range: isRange ? { startTicks: Number(start) as Ticks, endTicks: Number(end) as Ticks } : null, rest }
}

/** Writes a set, whose items may contain anything, as the text of a parameter. */
export const formatList = (items: ReadonlySet<string>): ListText =>
  [...items].map((item) => item.replace(/[%,]/g, encodeURIComponent)).join(',') as ListText

/** Parses a set; empty for another text. */
export function parseList(text: string | undefined): ReadonlySet<string> {
  if (text === undefined || text === '') return new Set()
  try {
    return new Set(text.split(',').map(decodeURIComponent))
  } catch {
    return new Set()
  }
}

/** `min-max`, either may be missing; empty: no bounds. */
export const formatBounds = (min: number | null, max: number | null): BoundsText | '' =>
  min === null && max === null ? '' : (`${min ?? ''}-${max ?? ''}` as BoundsText)

export function parseBounds<Unit extends number>(text = ''): readonly [Unit | null, Unit | null] {
  const match = /^(\d*)-(\d*)$/.exec(text)
  const read = (digits = ''): Unit | null => (digits === '' ? null : (Number(digits) as Unit))
  return [read(match?.[1]), read(match?.[2])]
}

/** A copy with `item` added or removed. */
export function toggled<T>(items: ReadonlySet<T>, item: T, on = !items.has(item)): ReadonlySet<T> {
  const next = new Set(items)
  if (on) next.add(item)
  else next.delete(item)
  return next
}
