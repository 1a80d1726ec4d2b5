import { completedAfter, type VolumeWrites } from './completions.ts'
import { durationOf, type Stall } from './events.ts'
import { durationMsOf } from './rates.ts'
import { LEAST_BYTES } from './size.ts'
import { covers, lengthOf, unionOf, type Span } from './spans.ts'
import { medianOf, quantileOf } from './statistics.ts'

/** Sizes within this factor are about the same, and tell nothing. */
const SIMILAR = 1.25
/** A write that follows within this share of the time of an operation is held up by the limit as well. */
const CLOSE = 0.3
/** It takes less than this share of that time, where its size decides. */
const SOONER = 0.8
const ENOUGH_SMALLER = 5
const SOONER_SHARE = 0.5
/** The same size goes in so much of the time of an operation, at other times. */
const FASTER = 0.5
const ENOUGH_FASTER = 5
/** Of stalls, the share within syncs that cover at most so much of the time. */
const WITHIN = { stalls: 0.9, time: 0.6 }

/**
 * Whether it is the size that gives the stalls their rate: of one environment alone with commits of one size, each takes as long as its bytes,
 * and smaller ones that follow at once take less. A limit of operations holds up these as well. `rate`: operations per ms.
 */
export function isOfSizes(volume: VolumeWrites, stalls: readonly Stall[], rate: number): boolean {
  let [smaller, sooner] = [0, 0]
  for (const stall of stalls) {
    const next = completedAfter(volume, stall.end)
    if (next === null || next.start - stall.end > CLOSE / rate || next.bytes * SIMILAR > stall.bytes) continue
    smaller++
    if (next.end - stall.end < SOONER / rate) sooner++
  }
  if (smaller >= ENOUGH_SMALLER) return sooner >= SOONER_SHARE * smaller
  // All of one size, and none of that size is ever faster: nothing tells one from the other.
  const sizes = stalls.map(({ bytes }) => bytes)
  const isOneSize = medianOf(sizes) >= LEAST_BYTES && quantileOf(sizes, 0.9) <= SIMILAR * quantileOf(sizes, 0.1)
  return isOneSize && fasterOf(volume, medianOf(sizes) / SIMILAR, FASTER / rate) < ENOUGH_FASTER
}

/** How many writes of so many bytes and more took less than that, ms. */
function fasterOf(volume: VolumeWrites, leastBytes: number, mostMs: number): number {
  let faster = 0
  for (const { writes } of volume)
    for (let row = 0; row < writes.start.length; row++)
      if ((writes.bytes[row] as number) >= leastBytes && durationOf(writes, row) < mostMs) faster++
  return faster
}

/** Whether nearly all of the stalls begin while spans last that cover far less of the time: then these slow the volume, and no limit does. */
export function isWithinSpans(volume: VolumeWrites, stalls: readonly Stall[], spans: readonly Span[]): boolean {
  const covered = unionOf(spans)
  const starts = volume.map(({ writes }) => writes.start[0] ?? Number.POSITIVE_INFINITY)
  const ends = volume.map(({ writes }) => writes.end.at(-1) ?? Number.NEGATIVE_INFINITY)
  const wholeMs = durationMsOf({ start: Math.min(...starts), end: Math.max(...ends) })
  if (lengthOf(covered) > WITHIN.time * wholeMs) return false
  return stalls.filter(({ start }) => covers(covered, start)).length >= WITHIN.stalls * stalls.length
}
