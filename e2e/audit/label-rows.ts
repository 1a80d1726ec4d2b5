import type { Outline } from './outline.ts'
import { quantityOf } from './quantity.ts'

/** A row of the table of a lane of labels. */
export interface LabelRow {
  /** Start as shown, in whole seconds of UTC: the fraction is cut off. */
  readonly from: string
  readonly fromMs: number
  /** End by the length shown, which is rounded. */
  readonly toMs: number
  readonly lengthMs: number
  readonly title: string
  readonly evidence: string
}

const EPOCH_MS = Date.UTC(2020, 0)

export const ticksOfMs = (ms: number): number => (ms - EPOCH_MS) * 10_000

/** Rows of the lane with this name, whose table is open. */
export function labelRows(outline: Outline, lane: string): LabelRow[] {
  const table = outline.find('group', `${lane}: evidence`)?.table()
  return (table?.rows ?? []).flatMap(([from = '', length = '', title = '', evidence = '']) => {
    const fromMs = Date.parse(`${from.replace(' ', 'T')}Z`)
    const lengthMs = quantityOf(length)?.value
    if (Number.isNaN(fromMs) || lengthMs === undefined) return []
    return [{ from, fromMs, toMs: fromMs + lengthMs, lengthMs, title, evidence }]
  })
}
