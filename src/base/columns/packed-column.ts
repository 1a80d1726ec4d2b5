/**
 * An immutable column of numbers in the narrowest form that holds each of them exactly: one value for all rows; 8, 16
 * or 32 bit offsets from the smallest value; or doubles.
 */
export interface PackedColumn {
  readonly length: number
  /** Value that the offsets are added to: the smallest value; 0 for doubles. */
  readonly base: number
  /** Offsets of the values; null where every value equals `base`. */
  readonly offsets: Uint8Array | Uint16Array | Uint32Array | Float64Array | null
}

/** Packs the first `length` values exactly, NaN included; whole numbers close together take least. O(n). */
export function packColumn(values: Float64Array, length: number): PackedColumn {
  if (length === 0) return { length, base: 0, offsets: null }
  if (allEqual(values, length)) return { length, base: values[0] as number, offsets: null }
  const { min, max } = rangeOf(values, length)
  const spread = max - min
  const offsets =
    spread <= 0xff
      ? fill8(new Uint8Array(length), values, length, min)
      : spread <= 0xffff
        ? fill16(new Uint16Array(length), values, length, min)
        : spread <= 0xffff_ffff
          ? fill32(new Uint32Array(length), values, length, min)
          : null
  return offsets === null ? { length, base: 0, offsets: values.slice(0, length) } : { length, base: min, offsets }
}

// The loop is repeated for each array type, here and below: one loop over all three types would be several times
// slower.

/** Returns null if a value cannot be stored exactly (a fraction, NaN). */
function fill8(offsets: Uint8Array, values: Float64Array, length: number, base: number): Uint8Array | null {
  for (let i = 0; i < length; i++) {
    const value = values[i] as number
    const offset = value - base
    offsets[i] = offset
    if (offsets[i] !== offset || base + offset !== value) return null
  }
  return offsets
}

function fill16(offsets: Uint16Array, values: Float64Array, length: number, base: number): Uint16Array | null {
  for (let i = 0; i < length; i++) {
    const value = values[i] as number
    const offset = value - base
    offsets[i] = offset
    if (offsets[i] !== offset || base + offset !== value) return null
  }
  return offsets
}

function fill32(offsets: Uint32Array, values: Float64Array, length: number, base: number): Uint32Array | null {
  for (let i = 0; i < length; i++) {
    const value = values[i] as number
    const offset = value - base
    offsets[i] = offset
    if (offsets[i] !== offset || base + offset !== value) return null
  }
  return offsets
}

// Each loop has a function of its own, which engines optimise as a whole.

/** Ignores NaN. */
function rangeOf(values: Float64Array, length: number): { readonly min: number; readonly max: number } {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < length; i++) {
    const value = values[i] as number
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}

/** Returns false if any value is NaN. */
function allEqual(values: Float64Array, length: number): boolean {
  const first = values[0]
  for (let i = 0; i < length; i++) if (values[i] !== first) return false
  return true
}

/** Value of row `i`, 0 ≤ i < length. */
export const readPacked = (column: PackedColumn, i: number): number =>
  column.offsets === null ? column.base : column.base + (column.offsets[i] as number)

/** Writes all values to `target` from `at` on. */
export const unpackColumn = (column: PackedColumn, target: Float64Array, at: number): void =>
  unpackRange(column, 0, column.length, target, at)

/** Writes the values of rows [from, to) to `target` from `at` on. */
export function unpackRange(
  { offsets, base }: PackedColumn,
  from: number,
  to: number,
  target: Float64Array,
  at: number,
) {
  if (offsets === null) target.fill(base, at, at + to - from)
  else if (offsets instanceof Uint16Array) unpack16(offsets, base, from, to, target, at)
  else if (offsets instanceof Uint8Array) unpack8(offsets, base, from, to, target, at)
  else if (offsets instanceof Uint32Array) unpack32(offsets, base, from, to, target, at)
  else target.set(offsets.subarray(from, to), at)
}

function unpack8(offsets: Uint8Array, base: number, from: number, to: number, target: Float64Array, at: number): void {
  for (let i = from; i < to; i++) target[at + i - from] = base + (offsets[i] as number)
}

function unpack16(
  offsets: Uint16Array,
  base: number,
  from: number,
  to: number,
  target: Float64Array,
  at: number,
): void {
  for (let i = from; i < to; i++) target[at + i - from] = base + (offsets[i] as number)
}

function unpack32(
  offsets: Uint32Array,
  base: number,
  from: number,
  to: number,
  target: Float64Array,
  at: number,
): void {
  for (let i = from; i < to; i++) target[at + i - from] = base + (offsets[i] as number)
}

export const packedBytes = (column: PackedColumn): number => column.offsets?.byteLength ?? 0
