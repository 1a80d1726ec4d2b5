import { msFromTicks, type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'

/** Ticks of 1970 (100 ns since 1970-01-01Z), as other tools count: a column of them is 64 bits wide, for they are beyond 2^53. */
const EPOCH = BigInt(msFromTicks(0 as Ticks)) * BigInt(TICKS_PER_MS)

export const archiveTicks = (ticks: number): bigint => BigInt(ticks) + EPOCH
export const ticksOfArchive = (ticks: bigint): Ticks => Number(ticks - EPOCH) as Ticks

/** UTC: `2026-11-26`. */
export const dayOf = (ticks: number): string => new Date(msFromTicks(ticks as Ticks)).toISOString().slice(0, 10)
