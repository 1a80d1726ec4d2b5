import { TICKS_PER_SECOND } from '../../../base/ticks.ts'

/** A smaller journal write costs the latency of the device: its bytes per second measure nothing. */
export const LATENCY_BELOW_BYTES = 256 * 1024

export interface SizedEvent {
  readonly kind: string
  readonly sizeBytes: number
  /** Present where the size is not known. */
  readonly hasNoSize?: true
  readonly durationTicks: number
}

/**
 * Bytes per second while the event ran; NaN where that is no speed of anything. A sync's size is what was flushed since
 * the sync before, most of it written back by the kernel long ago; a small journal write is latency; of a kind that we
 * do not know, we do not know what its size means.
 */
export function speedOf({ kind, sizeBytes, durationTicks, hasNoSize }: SizedEvent): number {
  if (durationTicks === 0 || hasNoSize === true) return Number.NaN
  const isSpeed =
    kind === 'DataFlush' || kind === 'Compression' || (kind === 'JournalWrite' && sizeBytes >= LATENCY_BELOW_BYTES)
  return isSpeed ? sizeBytes / (durationTicks / TICKS_PER_SECOND) : Number.NaN
}

/** Whether sums of this kind's bytes over time are a rate at which something was written. */
export const hasRate = (kind: string): boolean => kind !== 'DataSync'
