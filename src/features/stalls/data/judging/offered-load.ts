import type { VolumeWrites } from './completions.ts'
import type { Stall } from './events.ts'
import { spreadOf } from './statistics.ts'

/** Writes that follow a stall, at least, to tell what decides. */
const ENOUGH_FOLLOWING = 20
/** A write that begins so soon after a stall has what gathered during it, ms. */
const FOLLOWS_MS = 20
/** A limit makes the rates of the stalls themselves so many times as steady as those of what gathers in them. */
const FOLLOWING_SPREAD = 1.4

/**
 * Whether what gathers during a stall is a steady rate, rather than what the stall wrote: then the next size follows from the duration, not
 * the duration from the size, and the rate is what clients send. `spread`: of the rates of the stalls.
 */
export function isOfferedLoad(volume: VolumeWrites, stalls: readonly Stall[], spread: number): boolean {
  const byId = new Map(volume.map(({ id, writes }) => [id, writes]))
  const rates = stalls.flatMap(({ lane, row, start, end }) => {
    const writes = byId.get(lane)
    const next = writes?.start[row + 1]
    if (writes === undefined || next === undefined || next - end > FOLLOWS_MS) return []
    return (writes.bytes[row + 1] as number) / Math.max(0.01, end - start)
  })
  return rates.length >= ENOUGH_FOLLOWING && spreadOf(rates) < FOLLOWING_SPREAD * spread
}
