/**
 * Reads runs of I/O events from JSON bytes into columns, sixteen bytes at a time. AssemblyScript, compiled to WebAssembly
 * by the build (`tools/assembly.mjs`); its host, which has the contract, is `data/reading/event-runs.ts`.
 *
 * An entry is a text of at most 64 bytes with what it means: a key of events (`"Size":`), or a kind (`"JournalWrite"`).
 * ```
 * entry    0 text, zeros behind it   64 ones where the first sixteen bytes are text   80 length   81 field
 *          82 followers   83 follower × 6   92 rows staged
 * keys     64 entries, the first precedes an object's first key
 * kinds    16 entries
 * minute   the quote and the minute of the time that was read last, 18 bytes
 * staged   kinds × 6 columns × ROWS doubles
 * input    INPUT_BYTES, and room behind it for what is loaded at once
 * ```
 */

const TEXT_BYTES: usize = 64
const ENTRY_BYTES: usize = 96
const MASK: usize = 64
const LENGTH: usize = 80
const FIELD: usize = 81
const FOLLOWERS: usize = 82
const FOLLOWER: usize = 83
const STAGED_ROWS: usize = 92

const MOST_KEYS: usize = 64
const MOST_KINDS: usize = 16
const ROWS: usize = 2048
const COLUMN_BYTES: usize = ROWS * 8
const COLUMNS: usize = 6
const INPUT_BYTES: usize = 1 << 20

const KEYS = memory.data(6144, 16)
const KINDS = memory.data(1536, 16)
const MINUTE = memory.data(32, 16)
const STAGED = memory.data(1572864, 16)
const INPUT = memory.data(1048832, 16)

const OTHER: u32 = 0
const START: u32 = 1
const SIZE: u32 = 2
const ORIGINAL_SIZE: u32 = 3
const FILE_SIZE: u32 = 4
const COMPRESSED_SIZE: u32 = 5
const ACCELERATION: u32 = 6
const DURATION: u32 = 7
const TYPE: u32 = 8

const QUOTE: u32 = 0x22
const COMMA: u32 = 0x2c
const DOT: u32 = 0x2e
const ZERO: u32 = 0x30
const OPEN_OBJECT: u32 = 0x7b
const CLOSE_OBJECT: u32 = 0x7d
/** `Z"`, little endian. */
const Z_QUOTE: u32 = 0x225a

/** Bytes of `"2026-11-20T04:01:30.6364827Z"`. */
const TIME_BYTES: usize = 30
/** Most bytes that are looked at between two looks at the end of the input: a key, a time, a number. */
const STRIDE_BYTES: usize = TEXT_BYTES + 64

const TICKS_PER_SECOND: f64 = 10_000_000
const TICKS_PER_MS: f64 = 10_000
/** Ten years, as `MAX_SPAN_MS` of the wire. */
const MOST_SPAN_MS: f64 = 315_360_000_000
const MOST_EXACT: f64 = 9_007_199_254_740_991

const WHOLE_POWERS: StaticArray<u64> = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const POWERS_OF_TEN: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

/** Why a run stopped: at something else than an event as they were so far. */
const OTHERWISE: u32 = 0
/** At a time of another minute, at `timeAt`: put in the minute, and run again from `eventAt`. */
const AT_MINUTE: u32 = 1
/** As many rows of a kind are staged as fit. */
const FULL: u32 = 2
/** Too close to the end of the input. */
const AT_END: u32 = 3

/** Put in by the host: how many kinds there are. */
export let kindCount: u32 = 0
/** Put in by the host: ticks of the minute that is kept. */
export let minuteTicks: f64 = NaN
/** Events of the last run. */
export let readCount: u32 = 0
/** Behind the last event of the run; where it began when there was none. */
export let readUntil: usize = 0
/** Where the event begins that was not read. */
export let eventAt: usize = 0
export let timeAt: usize = 0

export const keysAt = KEYS
export const kindsAt = KINDS
export const minuteAt = MINUTE
export const stagedAt = STAGED
export const inputAt = INPUT

function byteAt(at: usize): u32 {
  return load<u8>(at)
}

function differ(a: usize, b: usize): bool {
  return v128.any_true(v128.xor(v128.load(a), v128.load(b)))
}

/** Whether the text of an entry stands at `at`. */
function stands(entry: usize, at: usize): bool {
  const first = v128.xor(v128.load(entry), v128.load(at))
  if (v128.any_true(v128.and(first, v128.load(entry + MASK)))) return false
  const length: usize = byteAt(entry + LENGTH)
  if (length <= 16) return true
  for (let done: usize = 16; done + 16 <= length; done += 16) if (differ(entry + done, at + done)) return false
  // the last sixteen bytes overlap those before where the length is no multiple
  return !differ(entry + length - 16, at + length - 16)
}

/** Of the keys that were seen to come after `key` the one at `at`; 0: none. */
function followerAt(key: usize, at: usize): usize {
  const count = byteAt(key + FOLLOWERS)
  for (let i: u32 = 0; i < count; i++) {
    const follower = KEYS + <usize>byteAt(key + FOLLOWER + i) * ENTRY_BYTES
    if (stands(follower, at)) return follower
  }
  return 0
}

/** The kind whose name in quotes is at `at`; 0: none that is known. */
function kindAt(at: usize): usize {
  for (let i: u32 = 0; i < kindCount; i++) {
    const kind = KINDS + <usize>i * ENTRY_BYTES
    if (stands(kind, at)) return kind
  }
  return 0
}

/** Behind the closing quote of the text that continues at `from`; 0: it does not close before `end`. */
function behindText(from: usize, end: usize): usize {
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
    // a backslash, and what it escapes
    at += 2
  }
  return 0
}

/** Behind the digits, `+`, `-`, `.`, `e` and `E` at `from`; 0: they reach `end`. */
function behindNumber(from: usize, end: usize): usize {
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

/** Bits of the bytes that are no digits, of eight bytes that were xored with eight zeros (0x30). */
function noDigits(bytes: u64): u64 {
  return (bytes | (bytes + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0
}

/** Of eight digits, the first in the lowest byte: three multiplications, each joins neighbours. */
function valueOf(digits: u64): u64 {
  const twos = ((digits * 2561) >> 8) & 0x00ff00ff00ff00ff
  const fours = ((twos * 6553601) >> 16) & 0x0000ffff0000ffff
  return (fours * 42949672960001) >> 32
}

/** Seconds and their fraction of the time at `at`, in ticks; −1: they are not written as the server writes them. */
function secondsAt(at: usize): f64 {
  const tens = byteAt(at + 18) - ZERO
  const ones = byteAt(at + 19) - ZERO
  // a dot and seven digits
  const fraction = (load<u64>(at + 20) ^ 0x3030303030303030) & ~(<u64>0xff)
  if (tens > 5 || ones > 9 || noDigits(fraction) != 0) return -1
  return <f64>(tens * 10 + ones) * TICKS_PER_SECOND + <f64>valueOf(fraction)
}

/** Digits that were read by `digitsAt`. */
let digitCount: u32 = 0

/** The whole number of at most 15 digits at `at`; more of them count as none. No branch depends on how many there are. */
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

function isWhole(value: f64): bool {
  return value <= MOST_EXACT && Math.trunc(value) == value
}

function wholeOr(value: f64, least: f64): f64 {
  return value >= least && isWhole(value) ? value : -1
}

/** Takes events from the `{` at `from` on; loads at most `STRIDE_BYTES` beyond `end`. Returns why it stopped. */
export function run(from: usize, end: usize): u32 {
  readCount = 0
  readUntil = from
  eventAt = from
  if (from + STRIDE_BYTES > end) return AT_END
  const last = end - STRIDE_BYTES
  let pos = from
  while (true) {
    eventAt = pos
    if (pos >= last) return AT_END
    if (byteAt(pos) != OPEN_OBJECT) return OTHERWISE
    let start: f64 = NaN
    let size: f64 = NaN
    let originalSize: f64 = NaN
    let fileSize: f64 = -1
    let compressed: f64 = -1
    let acceleration: f64 = -1
    let duration: f64 = NaN
    let kind: usize = 0
    let key: usize = KEYS
    while (true) {
      pos++
      if (pos >= last) return AT_END
      key = followerAt(key, pos)
      if (key == 0) return OTHERWISE
      pos += byteAt(key + LENGTH)
      const field = byteAt(key + FIELD)
      const byte = byteAt(pos)
      if (byte == QUOTE) {
        if (field == OTHER) {
          pos = behindText(pos + 1, last)
          if (pos == 0) return AT_END
        } else if (field == START) {
          if (<u32>load<u16>(pos + TIME_BYTES - 2) != Z_QUOTE || byteAt(pos + 20) != DOT) return OTHERWISE
          if (differ(MINUTE, pos) || load<u16>(MINUTE + 16) != load<u16>(pos + 16)) {
            timeAt = pos
            return AT_MINUTE
          }
          const seconds = secondsAt(pos)
          if (seconds < 0) return OTHERWISE
          start = minuteTicks + seconds
          pos += TIME_BYTES
        } else if (field == TYPE) {
          kind = kindAt(pos)
          if (kind == 0) return OTHERWISE
          pos += byteAt(kind + LENGTH)
        } else return OTHERWISE
      } else if (field == OTHER) {
        const behind = behindNumber(pos, last)
        if (behind == 0) return AT_END
        if (behind == pos) return OTHERWISE
        pos = behind
      } else {
        let digits = digitsAt(pos)
        const wholeDigits = digitCount
        if (wholeDigits == 0) return OTHERWISE
        pos += wholeDigits
        let value = <f64>digits
        if (byteAt(pos) == DOT) {
          const fraction = digitsAt(++pos)
          // whole digits and a power of ten that a double holds exactly: the quotient is the double nearest to the text
          if (digitCount == 0 || wholeDigits + digitCount > 15) return OTHERWISE
          digits = digits * <u64>unchecked(POWERS_OF_TEN[digitCount]) + fraction
          value = <f64>digits / unchecked(POWERS_OF_TEN[digitCount])
          pos += digitCount
        }
        if (field == DURATION) duration = value
        else if (field == SIZE) size = value
        else if (field == FILE_SIZE) fileSize = value
        else if (field == ORIGINAL_SIZE) originalSize = value
        else if (field == COMPRESSED_SIZE) compressed = value
        else if (field == ACCELERATION) acceleration = value
        else return OTHERWISE
      }
      const after = byteAt(pos)
      if (after == CLOSE_OBJECT) break
      if (after != COMMA) return OTHERWISE
    }
    pos++
    const bytesMoved = size >= 0 ? size : originalSize
    const isSound =
      start == start && duration >= 0 && duration <= MOST_SPAN_MS && bytesMoved >= 0 && isWhole(bytesMoved)
    if (kind == 0 || !isSound) return OTHERWISE
    const row: usize = load<u32>(kind + STAGED_ROWS)
    const into = STAGED + ((kind - KINDS) / ENTRY_BYTES) * (COLUMNS * COLUMN_BYTES) + row * 8
    const span = duration * TICKS_PER_MS
    const below = Math.floor(span)
    store<f64>(into, start)
    store<f64>(into + COLUMN_BYTES, span - below >= 0.5 ? below + 1 : below)
    store<f64>(into + 2 * COLUMN_BYTES, bytesMoved)
    store<f64>(into + 3 * COLUMN_BYTES, wholeOr(fileSize, 0))
    store<f64>(into + 4 * COLUMN_BYTES, wholeOr(compressed, 1))
    store<f64>(into + 5 * COLUMN_BYTES, wholeOr(acceleration, 1))
    store<u32>(kind + STAGED_ROWS, <u32>row + 1)
    readCount++
    readUntil = pos
    eventAt = pos
    if (row + 1 == ROWS) return FULL
    if (byteAt(pos) != COMMA) return OTHERWISE
    pos++
  }
}
