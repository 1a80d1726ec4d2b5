/**
 * Reads the operation tree of one index batch from JSON bytes, sixteen bytes at a time. AssemblyScript, compiled to
 * WebAssembly by the build (`tools/assembly.mjs`); its host, which has the contract, is `data/reading/tree-runs.ts`.
 *
 * An entry (`base/assembly/json-scan.ts`) is a name of an operation below a certain other (`"Map"`), a group of figures
 * (`"MapDetails":`) or a figure (`"AllocationBudget":`).
 * ```
 * operation  … 84 id of its path   88 its first child   90 the next one below the same parent   92 the child that came first
 *            last time   94 what followed it below the same parent last time   (0: none)
 * group      … 84 its first figure   86 how many figures
 * figure     … 84 its id
 * run        0 length   16 text, as `,"MapDetails":null,"CleanupDetails":null`
 * operations 16,384 entries, the first has the roots as children
 * groups     8 entries
 * figures    64 entries
 * runs       8 × RUN_BYTES, the longest first
 * levels     40 × 16: state with which an operation continues after its children
 * paths      4 bytes for each operation of the tree
 * ticks      8 bytes for each
 * found      figures of the tree: operation, id and value, doubles
 * input      INPUT_BYTES, and padding for vector loads past the end
 * ```
 */
import {
  behindText,
  byteAt,
  CLOSE_OBJECT,
  COMMA,
  isWhole,
  MOST_SPAN_MS,
  numberAt,
  numberValue,
  OPEN_OBJECT,
  QUOTE,
  same,
  spanOf,
  stands,
  ZERO,
} from '../../../base/assembly/json-scan'
import { ENTRY_BYTES, INPUT_BYTES, LENGTH } from '../../../base/assembly/entry-layout'
import {
  CHILD,
  FIGURE,
  FIGURE_COUNT,
  FIRST,
  FIRST_FIGURE,
  FOLLOWER,
  MOST_FOUND,
  MOST_OPERATIONS,
  MOST_RUNS,
  NEXT,
  PATH,
  RUN_BYTES,
  RUN_TEXT,
} from './tree-layout'

/**
 * Maximum number of siblings that are compared when the child differs from the one of the last tree. One parent may
 * have the fields of many indexes.
 */
const MOST_TRIED = 64
const MOST_NODES: u32 = 4000
const MOST_LEVELS: u32 = 40

const OPERATIONS = memory.data(MOST_OPERATIONS * ENTRY_BYTES, 16)
const GROUPS = memory.data(768, 16)
const FIGURES = memory.data(6144, 16)
const RUNS = memory.data(MOST_RUNS * RUN_BYTES, 16)
const LEVELS = memory.data(640, 16)
const PATHS = memory.data(16000, 16)
const TICKS = memory.data(32000, 16)
const FOUND = memory.data(MOST_FOUND * 24, 16)
const INPUT = memory.data(INPUT_BYTES + 1024, 16)

const LEVEL_BYTES: usize = 16
const LEVEL_PARENT: usize = 0
const LEVEL_GROUPS: usize = 4
const LEVEL_NODE: usize = 8

/** Maximum number of bytes read between two checks for the end of the input: a run, a key and a number. */
const STRIDE_BYTES: usize = 768

const CLOSE_ARRAY: u32 = 0x5d
const OPEN_ARRAY: u32 = 0x5b
const COLON: u32 = 0x3a
const BACKSLASH: u32 = 0x5c
/** Little-endian texts: `null`, `{"Name":`, `,"Operat` and `rations":`. */
const NULL: u32 = 0x6c6c756e
const OPEN_NAME: u64 = 0x3a22656d614e227b
const OPERATIONS_BEGIN: u64 = 0x74617265704f222c
const OPERATIONS_END: u64 = 0x3a22736e6f697461
const OPERATIONS_BYTES: usize = 14

/** Bit of a level's `groups` that is set when its operations were read. The lower bits stand for one group each. */
const HAS_OPERATIONS: u32 = 1 << 31

/**
 * Ids from `REASON` on are not figures: the reason why a batch ended, the group inside another one, and a key that is
 * not read.
 */
const REASON: u32 = 1000
const INNER_GROUP: u32 = 1001
const OTHER: u32 = 1002

/** Set by the host: the number of groups and of runs, and which group lies inside another one. */
export let groupCount: u32 = 0
export let innerGroup: u32 = 0
export let runCount: u32 = 0
/** Numbers of operations and figures of the last tree. */
export let nodeCount: u32 = 0
export let foundCount: u32 = 0
/** Offset of the first reason (at its quote) in the first group, and in any other group; 0: none. */
export let reasonAt: usize = 0
export let otherReasonAt: usize = 0

export const operationsAt = OPERATIONS
export const groupsAt = GROUPS
export const figuresAt = FIGURES
export const runsAt = RUNS
export const pathsAt = PATHS
export const ticksAt = TICKS
export const foundAt = FOUND
export const inputAt = INPUT

function operation(index: u32): usize {
  return OPERATIONS + <usize>index * ENTRY_BYTES
}

/** Whether the text at `at` is `,"DurationInMs":`. */
function standsDuration(at: usize): bool {
  const text = i8x16(0x2c, 0x22, 0x44, 0x75, 0x72, 0x61, 0x74, 0x69, 0x6f, 0x6e, 0x49, 0x6e, 0x4d, 0x73, 0x22, 0x3a)
  return !v128.any_true(v128.xor(v128.load(at), text))
}

/**
 * Finds the operation below `parent` whose name is at `at`: first tries the one expected from the last tree, then up to
 * `MOST_TRIED` children. 0: not found.
 */
function childAt(parent: usize, expected: u32, at: usize): u32 {
  if (expected != 0 && stands(operation(expected), at)) return expected
  let index: u32 = load<u16>(parent + CHILD)
  for (let i = 0; i < MOST_TRIED && index != 0; i++) {
    if (stands(operation(index), at)) return index
    index = load<u16>(operation(index) + NEXT)
  }
  return 0
}

/** Length of the run of empty groups at `at`; 0: it is not a known run. */
function runAt(at: usize): usize {
  for (let i: u32 = 0; i < runCount; i++) {
    const run = RUNS + <usize>i * RUN_BYTES
    const length: usize = load<u32>(run)
    const after = byteAt(at + length)
    if ((after == COMMA || after == CLOSE_OBJECT) && same(run + RUN_TEXT, at, length)) return length
  }
  return 0
}

/** Address after the colon of the key at `at`; 0: no key, or a key with escapes. */
function behindKey(at: usize, last: usize): usize {
  if (byteAt(at) != QUOTE) return 0
  const behind = behindText(at + 1, last)
  if (behind == 0 || byteAt(behind) != COLON) return 0
  for (let pos = at + 1; pos < behind; pos++) if (byteAt(pos) == BACKSLASH) return 0
  return behind + 1
}

/**
 * Reads the figures of a group of `node`. `from` is the address after its `{`. Returns the address after its `}`; 0: it
 * could not be read.
 */
function figuresFrom(group: usize, node: u32, from: usize, last: usize): usize {
  let pos = from
  if (byteAt(pos) == CLOSE_OBJECT) return pos + 1
  const first: u32 = load<u16>(group + FIRST_FIGURE)
  const count: u32 = load<u16>(group + FIGURE_COUNT)
  let expected: u32 = 0
  while (true) {
    if (pos >= last) return 0
    let id = OTHER
    for (let i: u32 = 0; i < count; i++) {
      const at = expected + i < count ? expected + i : expected + i - count
      const figure = FIGURES + <usize>(first + at) * ENTRY_BYTES
      if (!stands(figure, pos)) continue
      id = load<u16>(figure + FIGURE)
      pos += byteAt(figure + LENGTH)
      expected = at + 1
      break
    }
    if (id == OTHER) pos = behindKey(pos, last)
    if (pos == 0 || pos >= last) return 0
    const byte = byteAt(pos)
    if (byte - ZERO <= 9) {
      pos = numberAt(pos)
      if (pos == 0) return 0
      if (id < REASON) {
        if (foundCount == MOST_FOUND || !isWhole(numberValue)) return 0
        const into = FOUND + <usize>foundCount * 24
        foundCount++
        store<f64>(into, node)
        store<f64>(into + 8, id)
        store<f64>(into + 16, numberValue)
      }
    } else if (byte == QUOTE) {
      if (id < REASON) return 0
      if (id == REASON) {
        if (group == GROUPS && reasonAt == 0) reasonAt = pos
        else if (group != GROUPS && otherReasonAt == 0) otherReasonAt = pos
      }
      pos = behindText(pos + 1, last)
    } else if (byte == OPEN_OBJECT && id == INNER_GROUP)
      pos = figuresFrom(GROUPS + <usize>innerGroup * ENTRY_BYTES, node, pos + 1, last)
    else if (load<u32>(pos) == NULL) pos += 4
    else return 0
    if (pos == 0) return 0
    const after = byteAt(pos++)
    if (after == CLOSE_OBJECT) return pos
    if (after != COMMA) return 0
  }
}

/**
 * Reads the tree at `from`. Returns the address after it; 0: a part of it is not known, or it is too close to `end`.
 */
export function run(from: usize, end: usize): usize {
  nodeCount = 0
  foundCount = 0
  reasonAt = 0
  otherReasonAt = 0
  if (from + STRIDE_BYTES > end) return 0
  const last = end - STRIDE_BYTES
  let pos = from
  let depth: u32 = 0
  let parent = OPERATIONS
  /** Address of the expected child's index: in the parent for a first child, otherwise in the child before it. */
  let hint = parent + FIRST
  while (true) {
    if (pos >= last || nodeCount == MOST_NODES || load<u64>(pos) != OPEN_NAME) return 0
    pos += 8
    const index = childAt(parent, load<u16>(hint), pos)
    if (index == 0) return 0
    let own = operation(index)
    pos += byteAt(own + LENGTH)
    if (!standsDuration(pos)) return 0
    pos = numberAt(pos + 16)
    if (pos == 0 || numberValue > MOST_SPAN_MS) return 0
    let node = nodeCount++
    store<i32>(PATHS + <usize>node * 4, load<i32>(own + PATH))
    store<f64>(TICKS + <usize>node * 8, spanOf(numberValue))
    store<u16>(hint, index)
    let groups: u32 = 0
    while (true) {
      if (pos >= last) return 0
      const byte = byteAt(pos)
      if (byte == CLOSE_OBJECT) {
        pos++
        if (depth == 0) return pos
        const after = byteAt(pos++)
        if (after == COMMA) {
          hint = own + FOLLOWER
          break
        }
        if (after != CLOSE_ARRAY) return 0
        depth--
        const level = LEVELS + <usize>depth * LEVEL_BYTES
        own = parent
        parent = load<u32>(level + LEVEL_PARENT)
        groups = load<u32>(level + LEVEL_GROUPS)
        node = load<u32>(level + LEVEL_NODE)
        continue
      }
      if (byte != COMMA) return 0
      const length = runAt(pos)
      if (length != 0) {
        pos += length
        continue
      }
      if (load<u64>(pos) == OPERATIONS_BEGIN && load<u64>(pos + OPERATIONS_BYTES - 8) == OPERATIONS_END) {
        pos += OPERATIONS_BYTES
        if ((groups & HAS_OPERATIONS) != 0 || byteAt(pos++) != OPEN_ARRAY) return 0
        groups |= HAS_OPERATIONS
        if (byteAt(pos) == CLOSE_ARRAY) {
          pos++
          continue
        }
        if (depth == MOST_LEVELS) return 0
        const level = LEVELS + <usize>depth * LEVEL_BYTES
        depth++
        store<u32>(level + LEVEL_PARENT, <u32>parent)
        store<u32>(level + LEVEL_GROUPS, groups)
        store<u32>(level + LEVEL_NODE, node)
        parent = own
        hint = parent + FIRST
        break
      }
      pos++
      let group: usize = 0
      let bit: u32 = 1
      for (let i: u32 = 0; i < groupCount; i++, bit <<= 1) {
        const entry = GROUPS + <usize>i * ENTRY_BYTES
        if (!stands(entry, pos)) continue
        group = entry
        break
      }
      if (group == 0) return 0
      pos += byteAt(group + LENGTH)
      if (load<u32>(pos) == NULL) pos += 4
      else {
        if ((groups & bit) != 0 || byteAt(pos) != OPEN_OBJECT) return 0
        groups |= bit
        pos = figuresFrom(group, node, pos + 1, last)
        if (pos == 0) return 0
      }
    }
  }
}
