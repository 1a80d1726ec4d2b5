/**
 * Parts common to all scans of JSON bytes. AssemblyScript, compiled into each of them by the build (`tools/assembly.mjs`).
 *
 * An entry is a text of at most 64 bytes with what it means, written by the host (`../json/scan-memory.ts`):
 * ```
 * entry    0 text, zeros behind it   64 ones where the first sixteen bytes are text   80 length   81 … as each scan has it
 * ```
 */

import { LENGTH, MASK } from './entry-layout'

export const QUOTE: u32 = 0x22
export const COMMA: u32 = 0x2c
export const DOT: u32 = 0x2e
export const ZERO: u32 = 0x30
export const OPEN_OBJECT: u32 = 0x7b
export const CLOSE_OBJECT: u32 = 0x7d

const TICKS_PER_MS: f64 = 10_000
/** Ten years, the value of `MAX_SPAN_MS` in the decoders. */
export const MOST_SPAN_MS: f64 = 315_360_000_000
const MOST_EXACT: f64 = 9_007_199_254_740_991

const WHOLE_POWERS: StaticArray<u64> = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const POWERS_OF_TEN: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

export function byteAt(at: usize): u32 {
  return load<u8>(at)
}

export function differ(a: usize, b: usize): bool {
  return v128.any_true(v128.xor(v128.load(a), v128.load(b)))
}

/** Whether the text of an entry is at `at`. */
export function stands(entry: usize, at: usize): bool {
  const first = v128.xor(v128.load(entry), v128.load(at))
  if (v128.any_true(v128.and(first, v128.load(entry + MASK)))) return false
  const length: usize = byteAt(entry + LENGTH)
  return length <= 16 || same(entry, at, length)
}

/** Whether `length` bytes, at least 16, are equal at both places. */
export function same(a: usize, b: usize, length: usize): bool {
  for (let done: usize = 0; done + 16 <= length; done += 16) if (differ(a + done, b + done)) return false
  // where the length is not a multiple of 16, the last block overlaps the one before
  return !differ(a + length - 16, b + length - 16)
}

/** Position after the closing quote of the text that continues at `from`; 0: it does not close before `end`. */
export function behindText(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    const bytes = v128.load(at)
    const marks = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))))
    if (marks == 0) {
      at += 16
      continue
    }
    at += ctz(marks)
    if (byteAt(at) == QUOTE) return at < end ? at + 1 : 0
    // skips the backslash and the character that it escapes
    at += 2
  }
  return 0
}

/** Position after the characters of a number at `from`; 0: they reach `end`. */
export function behindNumber(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    const bytes = v128.load(at)
    const fromMinus = v128.and(i8x16.ge_u(bytes, i8x16.splat(0x2d)), i8x16.le_u(bytes, i8x16.splat(0x39)))
    const plain = v128.and(fromMinus, i8x16.ne(bytes, i8x16.splat(0x2f)))
    const exponent = i8x16.eq(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x65))
    const isNumber = v128.or(v128.or(plain, exponent), i8x16.eq(bytes, i8x16.splat(0x2b)))
    const others = ~i8x16.bitmask(isNumber) & 0xffff
    if (others != 0) return at + ctz(others)
    at += 16
  }
  return 0
}

/** Marks the bytes that are not digits, in eight bytes that were xored with eight zeros (0x30). */
export function noDigits(bytes: u64): u64 {
  return (bytes | (bytes + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0
}

/** Value of eight digits, the first in the lowest byte. Each of the three multiplications joins neighbouring digits. */
export function valueOf(digits: u64): u64 {
  const twos = ((digits * 2561) >> 8) & 0x00ff00ff00ff00ff
  const fours = ((twos * 6553601) >> 16) & 0x0000ffff0000ffff
  return (fours * 42949672960001) >> 32
}

/** Number of digits that the last `digitsAt` read. */
let digitCount: u32 = 0

/** Value of at most 15 digits at `at`; `digitCount` is 0 if there are more. No branch depends on their number. */
function digitsAt(at: usize): u64 {
  const bytes = load<u64>(at) ^ 0x3030303030303030
  const others = noDigits(bytes)
  if (others != 0) {
    const bits = ctz(others) & ~7
    digitCount = <u32>(bits >> 3)
    return bits == 0 ? 0 : valueOf(bytes << (64 - bits))
  }
  const more = load<u64>(at + 8) ^ 0x3030303030303030
  const moreOthers = noDigits(more)
  const moreBits = ctz(moreOthers) & ~7
  if (moreOthers == 0) {
    digitCount = 0
    return 0
  }
  digitCount = 8 + <u32>(moreBits >> 3)
  const low = moreBits == 0 ? 0 : valueOf(more << (64 - moreBits))
  return valueOf(bytes) * unchecked(WHOLE_POWERS[<i32>(moreBits >> 3)]) + low
}

/** Value of the number that `numberAt` read. */
export let numberValue: f64 = 0

/** Position after the plain number at `at`: at most 15 digits and a point; 0: none. Sets `numberValue`. */
export function numberAt(at: usize): usize {
  const digits = digitsAt(at)
  const wholeDigits = digitCount
  if (wholeDigits == 0) return 0
  let pos = at + wholeDigits
  numberValue = <f64>digits
  if (byteAt(pos) != DOT) return pos
  const fraction = digitsAt(++pos)
  // dividing whole digits by a power of ten, both exact in a double, gives the double nearest to the text
  if (digitCount == 0 || wholeDigits + digitCount > 15) return 0
  const power = unchecked(POWERS_OF_TEN[digitCount])
  numberValue = <f64>(digits * <u64>power + fraction) / power
  return pos + digitCount
}

export function isWhole(value: f64): bool {
  return value <= MOST_EXACT && Math.trunc(value) == value
}

/** Milliseconds to ticks, as `spanFromMs` does. */
export function spanOf(ms: f64): f64 {
  const span = ms * TICKS_PER_MS
  const below = Math.floor(span)
  return span - below >= 0.5 ? below + 1 : below
}
