import { TICKS_PER_SECOND } from '../../../base/ticks.ts'

/**
 * Size below which a journal write is dominated by the latency of the device, so that its bytes per second are
 * meaningless.
 */
export const LATENCY_BELOW_BYTES = 256 * 1024

export interface SizedEvent {
  readonly kind: string
  readonly sizeBytes: number
  /** Present if the size is not known. */
  readonly hasNoSize?: true
  readonly durationTicks: number
}

/**
 * Bytes per second while the event ran; NaN if that is not a meaningful speed. The size of a sync is what was flushed
 * since the previous sync, most of which the kernel wrote back long before; a small journal write measures latency; for
 * an unknown kind the meaning of its size is not known.
 */
export function speedOf({ kind, sizeBytes, durationTicks, hasNoSize }: SizedEvent): number {
  if (durationTicks === 0 || hasNoSize === true) return Number.NaN
  const isSpeed =
    kind === 'DataFlush' || kind === 'Compression' || (kind === 'JournalWrite' && sizeBytes >= LATENCY_BELOW_BYTES)
  return isSpeed ? sizeBytes / (durationTicks / TICKS_PER_SECOND) : Number.NaN
}

/** Whether the sum of this kind's bytes over time is a write rate. */
export const hasRate = (kind: string): boolean => kind !== 'DataSync'
