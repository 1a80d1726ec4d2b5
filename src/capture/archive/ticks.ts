import { msFromTicks, type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'

/** Ticks of 1970 (100 ns since 1970-01-01Z), as other tools count: a column of them is 64 bits wide, for they are beyond 2^53. */
const EPOCH = BigInt(msFromTicks(0 as Ticks)) * BigInt(TICKS_PER_MS)

export const archiveTicks = (ticks: number): bigint => BigInt(ticks) + EPOCH
export const ticksOfArchive = (ticks: bigint): Ticks => Number(ticks - EPOCH) as Ticks

const HALF = 2 ** 32
const EPOCH_LOW = Number(BigInt.asUintN(32, EPOCH))
const EPOCH_HIGH = Number(EPOCH >> 32n)
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
/** Places of the halves in a number of 64 bits. */
const [LOW, HIGH] = IS_LITTLE_ENDIAN ? ([0, 1] as const) : ([1, 0] as const)

/**
 * Puts a column of the archive, or one that counts from another moment, into `numbers` from `at` on. Halves are subtracted
 * apart, which is exact, and makes no object of each number.
 */
function putHalves(column: BigInt64Array, numbers: Float64Array, at: number, high: number, low: number): void {
  const { buffer, byteOffset, length } = column
  const lows = new Uint32Array(buffer, byteOffset, 2 * length)
  const highs = new Int32Array(buffer, byteOffset, 2 * length)
  for (let i = 0; i < length; i++)
    numbers[at + i] = ((highs[2 * i + HIGH] as number) - high) * HALF + ((lows[2 * i + LOW] as number) - low)
}

/** Ticks of a column. */
export const putTicks = (column: BigInt64Array, numbers: Float64Array, at: number): void =>
  putHalves(column, numbers, at, EPOCH_HIGH, EPOCH_LOW)

/** Whole numbers of a column; exact up to 2^53, as elsewhere. */
export const putWholes = (column: BigInt64Array, numbers: Float64Array, at: number): void =>
  putHalves(column, numbers, at, 0, 0)

/** UTC: `2026-11-26`. */
export const dayOf = (ticks: number): string => new Date(msFromTicks(ticks as Ticks)).toISOString().slice(0, 10)
