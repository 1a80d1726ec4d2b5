import { spanFromMs } from '../../../../base/ticks.ts'
import { MAX_SPAN_MS, type IoRollUpRow } from './wire.ts'

/** Fields of a roll-up as read: times in ticks, durations in ms. NaN: missing, or not a number. */
export interface RollUpFields {
  readonly start: number
  readonly end: number
  readonly size: number
  readonly duration: number
  readonly active: number
  readonly min: number
  readonly max: number
}

const isSpan = (ms: number): boolean => ms >= 0 && ms <= MAX_SPAN_MS

/**
 * Roll-up of the fields that make sense, and the names of the others, whose values are NaN. A start or end that makes
 * no sense follows from the other one and the duration, at least that of the longest event. Null: it has no place in
 * time, or nothing but its place.
 */
export function rollUpOf({ start, end, size, duration, active, min, max }: RollUpFields): {
  readonly rollUp: IoRollUpRow | null
  readonly unknown: readonly string[]
} {
  const unknown: string[] = []
  const known = (name: string, isSound: boolean, value: () => number): number => {
    if (isSound) return value()
    unknown.push(name)
    return Number.NaN
  }
  const isOrdered = !(min > max)
  const sizeBytes = known('Size', size >= 0 && Number.isSafeInteger(size), () => size)
  const busyTicks = known('ActiveDuration', isSpan(active), () => spanFromMs(active))
  const minTicks = known('MinDuration', isSpan(min) && isOrdered, () => spanFromMs(min))
  const maxTicks = known('MaxDuration', isSpan(max) && isOrdered, () => spanFromMs(max))
  const lasted = spanFromMs(isSpan(duration) ? duration : isSpan(max) ? max : 0)
  const startTicks = known('Start', !Number.isNaN(start), () => start)
  const endTicks = known('End', end >= (Number.isNaN(start) ? end : start), () => end)
  const isPlaced = !(Number.isNaN(startTicks) && Number.isNaN(endTicks))
  if (!isPlaced || [sizeBytes, busyTicks, maxTicks].every(Number.isNaN)) return { rollUp: null, unknown }
  return {
    rollUp: {
      startTicks: Number.isNaN(startTicks) ? endTicks - lasted : startTicks,
      endTicks: Number.isNaN(endTicks) ? startTicks + lasted : endTicks,
      sizeBytes,
      busyTicks,
      minTicks,
      maxTicks,
    },
    unknown,
  }
}
