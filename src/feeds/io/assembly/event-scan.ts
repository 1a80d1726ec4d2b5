/**
 * Reads runs of I/O events from JSON bytes into columns, sixteen bytes at a time. AssemblyScript, compiled to WebAssembly
 * by the build (`tools/assembly.mjs`); its host, which has the contract, is `data/reading/event-runs.ts`.
 *
 * An entry (`base/assembly/json-scan.ts`) is a key of events (`"Size":`), or a kind (`"JournalWrite"`).
 * ```
 * entry    … 81 field   82 followers   83 follower × 6   92 rows staged
 * keys     64 entries, the first precedes an object's first key
 * kinds    16 entries
 * minute   the quote and the minute of the time that was read last, 18 bytes
 * staged   kinds × 6 columns × ROWS doubles
 * input    INPUT_BYTES, and room behind it for what is loaded at once
 * ```
 */
import {
  behindNumber,
  behindText,
  byteAt,
  CLOSE_OBJECT,
  COMMA,
  differ,
  DOT,
  isWhole,
  MOST_SPAN_MS,
  noDigits,
  numberAt,
  numberValue,
  OPEN_OBJECT,
  QUOTE,
  spanOf,
  stands,
  valueOf,
  ZERO,
} from '../../../base/assembly/json-scan'
import { ENTRY_BYTES, INPUT_BYTES, LENGTH, TEXT_BYTES } from '../../../base/assembly/entry-layout'
import { COLUMNS, FIELD, FOLLOWER, FOLLOWERS, MOST_KEYS, MOST_KINDS, ROWS, STAGED_ROWS } from './event-layout'

const COLUMN_BYTES: usize = ROWS * 8

const KEYS = memory.data(MOST_KEYS * ENTRY_BYTES, 16)
const KINDS = memory.data(MOST_KINDS * ENTRY_BYTES, 16)
const MINUTE = memory.data(32, 16)
const STAGED = memory.data(MOST_KINDS * COLUMNS * ROWS * 8, 16)
const INPUT = memory.data(INPUT_BYTES + 256, 16)

const OTHER: u32 = 0
const START: u32 = 1
const SIZE: u32 = 2
const ORIGINAL_SIZE: u32 = 3
const FILE_SIZE: u32 = 4
const COMPRESSED_SIZE: u32 = 5
const ACCELERATION: u32 = 6
const DURATION: u32 = 7
const TYPE: u32 = 8

/** `Z"`, little endian. */
const Z_QUOTE: u32 = 0x225a

/** Bytes of `"2026-11-20T04:01:30.6364827Z"`. */
const TIME_BYTES: usize = 30
/** Maximum number of bytes read between two checks for the end of the input: a key, a time, a number. */
const STRIDE_BYTES: usize = TEXT_BYTES + 64

const TICKS_PER_SECOND: f64 = 10_000_000

/** Reason why a run stopped: the input differs from the events read so far. */
const OTHERWISE: u32 = 0
/** Reason: a time in another minute, at `timeAt`. The host sets the minute and runs again from `eventAt`. */
const AT_MINUTE: u32 = 1
/** Reason: the stage is full for one kind. */
const FULL: u32 = 2
/** Reason: too close to the end of the input. */
const AT_END: u32 = 3

/** Number of kinds; set by the host. */
export let kindCount: u32 = 0
/** Start of the stored minute, ticks; set by the host. */
export let minuteTicks: f64 = NaN
/** Number of events read by the last run. */
export let readCount: u32 = 0
/** Address behind the last event of the run; its start if it read no event. */
export let readUntil: usize = 0
/** Address of the first event that was not read. */
export let eventAt: usize = 0
export let timeAt: usize = 0

export const keysAt = KEYS
export const kindsAt = KINDS
export const minuteAt = MINUTE
export const stagedAt = STAGED
export const inputAt = INPUT

/** Follower of `key` at place `at` among the keys that were seen after it; 0: none. */
function followerAt(key: usize, at: usize): usize {
  const count = byteAt(key + FOLLOWERS)
  for (let i: u32 = 0; i < count; i++) {
    const follower = KEYS + <usize>byteAt(key + FOLLOWER + i) * ENTRY_BYTES
    if (stands(follower, at)) return follower
  }
  return 0
}

/** Kind whose quoted name is at `at`; 0: not a known kind. */
function kindAt(at: usize): usize {
  for (let i: u32 = 0; i < kindCount; i++) {
    const kind = KINDS + <usize>i * ENTRY_BYTES
    if (stands(kind, at)) return kind
  }
  return 0
}

/** Seconds, with their fraction, of the time at `at`, in ticks; −1: not in the server's format. */
function secondsAt(at: usize): f64 {
  const tens = byteAt(at + 18) - ZERO
  const ones = byteAt(at + 19) - ZERO
  // A dot and seven digits.
  const fraction = (load<u64>(at + 20) ^ 0x3030303030303030) & ~(<u64>0xff)
  if (tens > 5 || ones > 9 || noDigits(fraction) != 0) return -1
  return <f64>(tens * 10 + ones) * TICKS_PER_SECOND + <f64>valueOf(fraction)
}

function wholeOr(value: f64, least: f64): f64 {
  return value >= least && isWhole(value) ? value : -1
}

/**
 * Reads events from the `{` at `from`; loads at most `STRIDE_BYTES` beyond `end`. Returns the reason why it stopped.
 */
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
        const behind = numberAt(pos)
        if (behind == 0) return OTHERWISE
        pos = behind
        const value = numberValue
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
    store<f64>(into, start)
    store<f64>(into + COLUMN_BYTES, spanOf(duration))
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
