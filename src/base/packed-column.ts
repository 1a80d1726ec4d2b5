/**
 * A sealed column of whole numbers, kept in the narrowest form that holds each of them exactly:
 * one value for all, 8, 16 or 32 bit offsets from the smallest, or doubles.
 */
export interface PackedColumn {
  readonly length: number
  /** Smallest value; the offsets count from it (0 for doubles). */
  readonly base: number
  /** Null: every value equals `base`. */
  readonly offsets: Uint8Array | Uint16Array | Uint32Array | Float64Array | null
}

/** Packs the first `length` values. Any double survives, NaN included; whole numbers close together pack best. O(n). */
export function packColumn(values: Float64Array, length: number): PackedColumn {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let whole = true
  for (let i = 0; i < length; i++) {
    const value = values[i] as number
    if (value < min) min = value
    if (value > max) max = value
    if (!Number.isSafeInteger(value)) whole = false
  }
  if (length === 0) return { length, base: 0, offsets: null }
  if (!whole || max - min > 0xffff_ffff) {
    if (min === max && !Number.isNaN(values[0]) && allEqual(values, length)) return { length, base: min, offsets: null }
    return { length, base: 0, offsets: values.slice(0, length) }
  }
  const spread = max - min
  if (spread === 0) return { length, base: min, offsets: null }
  const offsets =
    spread <= 0xff ? new Uint8Array(length) : spread <= 0xffff ? new Uint16Array(length) : new Uint32Array(length)
  for (let i = 0; i < length; i++) offsets[i] = (values[i] as number) - min
  return { length, base: min, offsets }
}

function allEqual(values: Float64Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (values[i] !== values[0]) return false
  return true
}

/** Value of row `i`, 0 ≤ i < length. */
export const readPacked = (column: PackedColumn, i: number): number =>
  column.offsets === null ? column.base : column.base + (column.offsets[i] as number)

/** Writes all values to `target` from `at` on. */
export function unpackColumn(column: PackedColumn, target: Float64Array, at: number): void {
  const { offsets, base, length } = column
  if (offsets === null) target.fill(base, at, at + length)
  else for (let i = 0; i < length; i++) target[at + i] = base + (offsets[i] as number)
}

export const packedBytes = (column: PackedColumn): number => column.offsets?.byteLength ?? 0
