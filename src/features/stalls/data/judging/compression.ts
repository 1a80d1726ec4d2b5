import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { StallRule } from '../../contract.ts'
import { stallMsOf } from './baseline.ts'
import { durationOf, rowsWithin, type Lane, type Stall, type WriteRef } from './events.ts'
import { differenceOfMeans, medianOf, poissonTail } from './statistics.ts'

/** A write that begins later after a compression belongs to another transaction, ms; measured: 0.05 to 23. */
const FOLLOWS_MS = 250
/** A compression is slow from so many ms on, and from so many times what its bytes take in its lane. */
const SLOW = { leastMs: 5, times: 4 }
/** Writes to compare with are at most so far away, ms, and so many before and after it; they are looked for among so many. */
const NEAR_MS = 60_000
const EACH_SIDE = 4
const LOOKED_AT = 200
/** They are about as large, or larger: so that size alone can never make the compressed ones slower. */
const SIZES = { least: 0.9, most: 2 }
/** Fewer to compare with tell nothing of a write. */
const ENOUGH_BESIDE = 2
const ENOUGH_EXPOSED = 20
const COMPARED_SHARE = 0.5
const ENOUGH_STALLS = 5
const ENOUGH_EPISODES = 3
/** Stalls that begin so much later, ms, are of another episode. */
const APART_MS = 2000
/** Chance that is taken for none, for one of two kinds of exposure. */
const SURE = 0.0005 / 2
/** So many of the stalls may be there by chance. */
const BY_CHANCE = 0.1
/** Of the writes that followed a compression at least so many stall. */
const STALLED_SHARE = 0.1
/** Of what runs just before, beside, or just after the stalls so many stall, at most, for each of these that stalls. */
const VICINITY = { share: 0.2, ms: 500 }
const EXAMPLES = 20
/** Writes that are compared, spread evenly, and stalls around which others are looked at: more tell no more. */
const MOST = { compared: 20_000, vicinities: 2000 }

/** What a write is exposed to: a compression of its transaction, or only one that took unusually long. */
type Exposure = 'any' | 'slow' | 'quick'

interface Judged {
  readonly isGuilty: boolean
  /** Whether there was enough to compare. */
  readonly isEnough: boolean
  /** Writes that followed a compression, and those of them that stalled with no other cause found. */
  readonly exposed: number
  readonly stalled: readonly number[]
  /** Stalls that there would be among them if they stalled like the others near them; null: there are none to compare with. */
  readonly expected: number | null
  /** At most so much of the stalls is there by chance, 0 to 1. */
  readonly byChance: number
  readonly effectMs: readonly [mean: number, low: number, high: number] | null
  readonly counterExamples: readonly WriteRef[]
}

export interface CompressionResult extends Judged {
  /** Which compressions count. */
  readonly compressions: 'any' | 'slow'
}

interface Compressed {
  readonly lanes: readonly Lane[]
  /** Median write of each lane, ms. */
  readonly medians: readonly number[]
  readonly rule: StallRule
  readonly stalls: readonly Stall[]
  /** Whether another mechanism holds up this stall: such writes are left out on both sides. */
  readonly isHeld: (at: number) => boolean
  readonly random: () => number
  readonly step: () => Promise<void>
}

/**
 * Whether the compression of its transaction makes a write stall. The server compresses a large transaction and then writes it, so that
 * every such write comes after one: nothing ends with it. What tells is the comparison with writes of the same lane at about the same
 * time, about as large or larger, that followed none, or no slow one.
 */
export async function findCompression(compressed: Compressed): Promise<CompressionResult> {
  const writes = writesOf(compressed)
  await compressed.step()
  const any = judge(compressed, writes, 'any')
  await compressed.step()
  const slow = judge(compressed, writes, 'slow')
  await compressed.step()
  // Slow ones stall beside writes that followed none as well where all that followed one do.
  return slow.isGuilty && !judge(compressed, writes, 'quick').isGuilty
    ? { ...slow, compressions: 'slow' }
    : { ...any, compressions: 'any' }
}

const NONE = 0
const QUICKLY = 1
const SLOWLY = 2
/** Of a write: whether and why it is long. */
const FAST = -1
const HELD = -2

/** Of one lane, for each of its writes. */
interface LaneWrites {
  readonly lane: number
  readonly events: Lane['writes']
  /** `NONE`, `QUICKLY` or `SLOWLY`: how its transaction was compressed. */
  readonly packed: Uint8Array
  /** `FAST`, `HELD`, or the index of its stall. */
  readonly stall: Int32Array
  readonly stallMs: number
}

function writesOf({ lanes, medians, rule, stalls, isHeld }: Compressed): LaneWrites[] {
  const all = lanes.map((lane, id): LaneWrites => ({
    lane: id,
    events: lane.writes,
    packed: packedOf(lane),
    stall: new Int32Array(lane.writes.start.length).fill(FAST),
    stallMs: stallMsOf(rule, medians[id] ?? 0),
  }))
  for (const [at, { lane, row }] of stalls.entries()) (all[lane] as LaneWrites).stall[row] = isHeld(at) ? HELD : at
  return all
}

/** Each compression belongs to the write that begins next. */
function packedOf({ writes, compressions }: Lane): Uint8Array {
  const packed = new Uint8Array(writes.start.length)
  const { start, end, bytes } = compressions
  const usual = medianOf(
    Float64Array.from(start, (_, row) => durationOf(compressions, row) / Math.max(1, bytes[row] ?? 0)),
  )
  for (let row = 0; row < start.length; row++) {
    const write = bisectNumbers(writes.start, start[row] as number)
    const begins = writes.start[write] ?? Number.POSITIVE_INFINITY
    if (begins > (end[row] as number) + FOLLOWS_MS || begins >= (start[row + 1] ?? Number.POSITIVE_INFINITY)) continue
    const slowMs = Math.max(SLOW.leastMs, SLOW.times * usual * (bytes[row] as number))
    packed[write] = durationOf(compressions, row) >= slowMs ? SLOWLY : QUICKLY
  }
  return packed
}

const isExposed = (packed: number | undefined, exposure: Exposure): boolean =>
  exposure === 'any' ? packed !== NONE : packed === (exposure === 'slow' ? SLOWLY : QUICKLY)

const countOf = (packed: Uint8Array, exposure: Exposure): number =>
  packed.reduce((count, each) => count + (isExposed(each, exposure) ? 1 : 0), 0)

/** Exposed writes beside others. */
interface Comparison {
  readonly exposed: number
  readonly stalled: readonly number[]
  /** Of those that were looked at, which have enough others beside them. */
  readonly compared: number
  readonly comparedShare: number
  /** Writes to compare with, and those of them that stalled. */
  readonly beside: number
  readonly besideStalled: number
  /** Durations, ms. */
  readonly own: readonly number[]
  readonly others: readonly number[]
  readonly counterExamples: readonly WriteRef[]
}

function compare(all: readonly LaneWrites[], exposure: Exposure): Comparison {
  let [exposed, compared, besideStalled] = [0, 0, 0]
  const lookedAt = { all: 0, stalled: 0, comparedStalled: 0 }
  const stalled: number[] = []
  const [own, others]: [number[], number[]] = [[], []]
  const counterExamples: WriteRef[] = []
  const every = Math.ceil(all.reduce((sum, { packed }) => sum + countOf(packed, exposure), 0) / MOST.compared)
  for (const writes of all) {
    const { lane, events, packed, stall } = writes
    for (let row = 0; row < packed.length; row++) {
      if (!isExposed(packed[row], exposure) || stall[row] === HELD) continue
      exposed++
      if (stall[row] !== FAST) stalled.push(stall[row] as number)
      else if (counterExamples.length < EXAMPLES) counterExamples.push({ lane, row })
      if (exposed % every !== 0) continue
      lookedAt.all++
      if (stall[row] !== FAST) lookedAt.stalled++
      const near = comparedWith(writes, row, exposure)
      if (near.length < ENOUGH_BESIDE) continue
      compared++
      if (stall[row] !== FAST) lookedAt.comparedStalled++
      besideStalled += near.filter((each) => stall[each] !== FAST).length
      own.push(durationOf(events, row))
      for (const each of near) others.push(durationOf(events, each))
    }
  }
  // Small ones that are compared say nothing of large ones that stall and have nothing beside them.
  const comparedShare = Math.min(
    compared / Math.max(1, lookedAt.all),
    lookedAt.comparedStalled / Math.max(1, lookedAt.stalled),
  )
  const beside = others.length
  return { exposed, stalled, compared, comparedShare, beside, besideStalled, own, others, counterExamples }
}

function judge({ stalls, random }: Compressed, all: readonly LaneWrites[], exposure: Exposure): Judged {
  const comparison = compare(all, exposure)
  const { exposed, stalled, compared, comparedShare, beside, besideStalled } = comparison
  // One more than were found: none among few is no proof that there are none.
  const most = (exposed * (besideStalled + 1)) / (beside + 1)
  const byChance = most / Math.max(1, stalled.length)
  const found = stalled.map((at) => stalls[at] as Stall)
  const isGuilty =
    compared >= ENOUGH_STALLS &&
    comparedShare >= COMPARED_SHARE &&
    found.length >= Math.max(ENOUGH_STALLS, STALLED_SHARE * exposed) &&
    byChance <= BY_CHANCE &&
    poissonTail(found.length, most) < SURE &&
    episodesOf(found) >= ENOUGH_EPISODES &&
    vicinityShare(all, found, exposure) <= (VICINITY.share * found.length) / exposed
  return {
    isGuilty,
    isEnough: compared >= ENOUGH_EXPOSED,
    exposed,
    stalled,
    expected: beside === 0 ? null : (exposed * besideStalled) / beside,
    byChance,
    effectMs: differenceOfMeans(comparison.own, comparison.others, random),
    counterExamples: comparison.counterExamples,
  }
}

/** Rows of writes before and after it that are comparable, and not exposed. */
function comparedWith({ events, packed, stall }: LaneWrites, row: number, exposure: Exposure): number[] {
  const found: number[] = []
  const [start, bytes] = [events.start[row] as number, events.bytes[row] as number]
  for (const step of [-1, 1]) {
    let left = EACH_SIDE
    for (let i = 1; i <= LOOKED_AT && left > 0; i++) {
      const at = row + step * i
      const begins = events.start[at]
      if (begins === undefined || Math.abs(begins - start) > NEAR_MS) break
      const size = events.bytes[at] as number
      if (stall[at] === HELD || (exposure === 'slow' ? packed[at] === SLOWLY : packed[at] !== NONE)) continue
      if (size < SIZES.least * bytes || size > SIZES.most * bytes) continue
      found.push(at)
      left--
    }
  }
  return found
}

/** How many times stalls came that are apart. */
function episodesOf(stalls: readonly Stall[]): number {
  let [episodes, begin] = [0, Number.NEGATIVE_INFINITY]
  for (const { start } of stalls.toSorted((a, b) => a.start - b.start)) {
    if (start <= begin + APART_MS) continue
    episodes++
    begin = start
  }
  return episodes
}

/** Of the other writes of any lane that run beside the stalls or just before or after them, the share that stalls, 0 to 1. */
function vicinityShare(all: readonly LaneWrites[], stalls: readonly Stall[], exposure: Exposure): number {
  let [writes, stalled] = [0, 0]
  const every = Math.ceil(stalls.length / MOST.vicinities)
  for (const { start, end } of stalls.filter((_, i) => i % every === 0))
    for (const { events, packed, stall, stallMs } of all) {
      // One that began before may reach into it.
      const [first, last] = rowsWithin(events, start - VICINITY.ms - stallMs, end + VICINITY.ms)
      for (let row = first; row < last; row++) {
        if (isExposed(packed[row], exposure)) continue
        writes++
        if (stall[row] !== FAST) stalled++
      }
    }
  return stalled / Math.max(1, writes)
}
