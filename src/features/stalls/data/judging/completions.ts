import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { CeilingLimit } from '../../contract.ts'
import type { Lane, Stall } from './events.ts'

/** Completions whose pace is taken together. */
const STEPS = { least: 4, most: 8 }

/** What a limit per second is of. */
export interface Measure {
  readonly unit: CeilingLimit['unit']
  readonly amountOf: (bytes: number) => number
  /** Rates within this factor are the same rate. */
  readonly same: number
}

export const BYTES: Measure = { unit: 'bytes', amountOf: (bytes) => bytes, same: 1.15 }
/** Only that it keeps a pace distinguishes a limit of operations from a slow device. */
export const OPERATIONS: Measure = { unit: 'operations', amountOf: () => 1, same: 1.06 }

/** Journal writes of the environments of a volume. */
export type VolumeWrites = readonly { readonly id: number; readonly writes: Lane['writes'] }[]

/** Those of the lanes `ids`. */
export const volumeOf = (lanes: readonly Lane[], ids: readonly number[]): VolumeWrites =>
  ids.map((id) => ({ id, writes: (lanes[id] as Lane).writes }))

export type Served = Pick<Stall, 'start' | 'end' | 'bytes'>

/** The write of the volume that was complete last before `endMs`; null: there is none. Writes of a lane follow each other. */
export function completedBefore(volume: VolumeWrites, endMs: number): Served | null {
  let last: Served | null = null
  for (const { writes } of volume) {
    const row = bisectNumbers(writes.end, endMs) - 1
    const end = writes.end[row]
    if (end !== undefined && (last === null || end > last.end))
      last = { start: writes.start[row] ?? end, end, bytes: writes.bytes[row] ?? 0 }
  }
  return last
}

/** The write of the volume that was complete first after `endMs`; null: there is none. */
export function completedAfter(volume: VolumeWrites, endMs: number): Served | null {
  let next: Served | null = null
  for (const { writes } of volume) {
    let row = bisectNumbers(writes.end, endMs)
    while (writes.end[row] === endMs) row++
    const end = writes.end[row]
    if (end !== undefined && (next === null || end < next.end))
      next = { start: writes.start[row] ?? end, end, bytes: writes.bytes[row] ?? 0 }
  }
  return next
}

/** Writes of a lane that are complete at one moment: far more than any, but where a file says so. */
const MOST_AT_ONCE = 100

/** What was complete at this very moment: on a clock of whole ms several writes are. */
function amountAt({ amountOf }: Measure, volume: VolumeWrites, endMs: number): number {
  let amount = 0
  for (const { writes } of volume) {
    const first = bisectNumbers(writes.end, endMs)
    for (let row = first; row < first + MOST_AT_ONCE && writes.end[row] === endMs; row++)
      amount += amountOf(writes.bytes[row] ?? 0)
  }
  return amount
}

/** After a pause of its length and more a write was served from its own start on. */
export const servedFrom = (before: Served | null, { start, end }: Served): number =>
  before === null || start - before.end > 0.5 * (end - start) ? start : before.end

/** Amount per ms of the time between the completion before and its own. */
export function rateOf(measure: Measure, volume: VolumeWrites, write: Served): number {
  const amount = amountAt(measure, volume, write.end)
  return amount / Math.max(0.01, write.end - servedFrom(completedBefore(volume, write.end), write))
}

/**
 * The same of it and the write before together: one that took a little longer after it was let through is complete with the
 * next one.
 */
export function rateOfTwo(measure: Measure, volume: VolumeWrites, write: Served): number {
  const before = completedBefore(volume, write.end)
  if (before === null) return Number.NaN
  const from = servedFrom(completedBefore(volume, before.end), before)
  const amount = amountAt(measure, volume, write.end) + amountAt(measure, volume, before.end)
  return amount / Math.max(0.01, write.end - from)
}

/**
 * The same over several completions that follow each other without a pause; NaN where they are few, or one of them is most of
 * the amount: such as a commit and what waited for it.
 */
export function paceOf(measure: Measure, volume: VolumeWrites, last: Served): number {
  let [amount, most] = [0, 0]
  let write = last
  for (let step = 1; ; step++) {
    const own = amountAt(measure, volume, write.end)
    amount += own
    most = Math.max(most, own)
    const before = completedBefore(volume, write.end)
    const from = servedFrom(before, write)
    if (before === null || from === write.start || step === STEPS.most)
      return step < STEPS.least || most > 0.5 * amount ? Number.NaN : amount / Math.max(0.01, last.end - from)
    write = before
  }
}

/** Of each, `rateOf`. */
export const ratesOf = (measure: Measure, volume: VolumeWrites, stalls: readonly Served[]): number[] =>
  stalls.map((stall) => rateOf(measure, volume, stall))
