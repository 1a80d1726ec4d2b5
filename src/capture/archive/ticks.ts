import { msFromTicks, type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'

/**
 * Start of 2020 in ticks since 1970 (100 ns since 1970-01-01Z), the unit in files. These ticks exceed 2^53 and need 64
 * bits.
 */
const EPOCH = BigInt(msFromTicks(0 as Ticks)) * BigInt(TICKS_PER_MS)

export const archiveTicks = (ticks: number): bigint => BigInt(ticks) + EPOCH
export const ticksOfArchive = (ticks: bigint): Ticks => Number(ticks - EPOCH) as Ticks

const HALF = 2 ** 32
const EPOCH_LOW = Number(BigInt.asUintN(32, EPOCH))
const EPOCH_HIGH = Number(EPOCH >> 32n)
/** Halves of 32 bits of the ticks from 1970 to 2020. */
export const EPOCH_TICKS = { low: EPOCH_LOW, high: EPOCH_HIGH }
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
/** Indexes of the low and the high half in a 64 bit number. */
const [LOW, HIGH] = IS_LITTLE_ENDIAN ? ([0, 1] as const) : ([1, 0] as const)

/**
 * Writes a column of ticks, converted to those since 2020, into `numbers` from `at` on. Subtracts the halves separately,
 * which is exact and creates no object for each number.
 */
export function putTicks(column: BigInt64Array, numbers: Float64Array, at: number): void {
  const { buffer, byteOffset, length } = column
  const lows = new Uint32Array(buffer, byteOffset, 2 * length)
  const highs = new Int32Array(buffer, byteOffset, 2 * length)
  for (let i = 0; i < length; i++)
    numbers[at + i] =
      ((highs[2 * i + HIGH] as number) - EPOCH_HIGH) * HALF + ((lows[2 * i + LOW] as number) - EPOCH_LOW)
}

/** UTC day: `2026-11-26`. */
export const dayOf = (ticks: number): string => new Date(msFromTicks(ticks as Ticks)).toISOString().slice(0, 10)
