import { bisectLeft } from '../../../base/columns/bisect.ts'
import { NumberSet } from '../../../base/columns/number-set.ts'
import { textHash } from '../../../base/text/text-hash.ts'
import { addUnknown } from '../../../capture/worker/gap-log.ts'
import { FIRST_FOLDED } from '../contract/limits.ts'
import type { IoRollUpRow } from './reading/wire.ts'

/** The server folds 256 events and the 257th into one roll-up (`IoMeterBuffer`, seen on 5.4, 6.2 and 7.1). */
const EVENTS_PER_FOLD = 257

/** A roll-up, with the part of it that was also seen event by event. */
export interface IoRollUp extends IoRollUpRow {
  readonly file: number
  readonly seenCount: number
  readonly seenBytes: number
  readonly seenBusyTicks: number
  /**
   * Start of the part that was not seen event by event, which lasts to the end; the start of the roll-up if nothing was
   * seen.
   */
  readonly unseenFromTicks: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Unseen {
  count: number
  /** Number of events in the roll-ups; null: not known. */
  events: number | null
  bytes: number
  busyTicks: number
}

/** Roll-ups of one kind of one lane, sorted by start; the server repeats them with every whole document. */
export class RollUpTable {
  readonly #rows: Mutable<IoRollUp>[] = []
  #isSorted = true
  /**
   * Hashes of known roll-ups. Null if there are none: captures with very many lanes have very many tables without
   * roll-ups.
   */
  #known: NumberSet | null = null
  /**
   * Represents the roll-ups that are not stored separately, and is one of the rows; null: all are stored separately.
   */
  #folded: Mutable<IoRollUp> | null = null
  #longestTicks = 0

  /** Ascending by start. */
  get rows(): readonly IoRollUp[] {
    if (!this.#isSorted) this.#rows.sort((a, b) => a.startTicks - b.startTicks)
    this.#isSorted = true
    return this.#rows
  }

  get byteLength(): number {
    return this.#rows.length * ROLL_UP_BYTES + (this.#known?.byteLength ?? 0)
  }

  has(rollUp: IoRollUpRow, file: number): boolean {
    return this.#known?.has(keyOf(rollUp, file)) === true
  }

  /** Sums of the unseen parts of roll-ups, as far as they are known. */
  readonly unseen: Unseen = { count: 0, events: 0, bytes: 0, busyTicks: 0 }

  /**
   * Adds a roll-up unless it is already in the table. `isFolded`: it is beyond the limit and not stored separately, but
   * still counts.
   */
  add(rollUp: IoRollUp, isFolded = false): void {
    if (!isCovered(rollUp)) {
      this.unseen.count++
      this.unseen.events = addUnknown(this.unseen.events, unseenCount(rollUp))
      this.unseen.bytes += orNone(unseenBytes(rollUp))
      this.unseen.busyTicks += orNone(unseenBusyTicks(rollUp))
    }
    this.#known ??= new NumberSet()
    this.#known.add(keyOf(rollUp, rollUp.file))
    const row = isFolded ? this.#fold(rollUp) : this.#push(rollUp)
    this.#longestTicks = Math.max(this.#longestTicks, row.endTicks - row.startTicks)
  }

  #fold(rollUp: IoRollUp): IoRollUp {
    const folded = this.#folded
    if (folded === null) return (this.#folded = this.#push({ ...rollUp, file: FIRST_FOLDED }))
    folded.startTicks = Math.min(folded.startTicks, rollUp.startTicks)
    folded.unseenFromTicks = Math.min(folded.unseenFromTicks, rollUp.unseenFromTicks)
    folded.endTicks = Math.max(folded.endTicks, rollUp.endTicks)
    // An unknown figure of one makes that of all unknown.
    folded.minTicks = Math.min(folded.minTicks, rollUp.minTicks)
    folded.maxTicks = Math.max(folded.maxTicks, rollUp.maxTicks)
    for (const sum of SUMS) folded[sum] += rollUp[sum]
    this.#isSorted = false
    return folded
  }

  #push(row: Mutable<IoRollUp>): Mutable<IoRollUp> {
    this.#isSorted &&= (this.#rows.at(-1)?.startTicks ?? row.startTicks) <= row.startTicks
    this.#rows.push(row)
    return row
  }

  /** Roll-ups that overlap [startTicks, endTicks), ascending by start. */
  overlapping(startTicks: number, endTicks: number): readonly IoRollUp[] {
    const found: IoRollUp[] = []
    const { rows } = this
    for (let i = bisectLeft(rows, startTicks - this.#longestTicks, startOf); i < rows.length; i++) {
      const row = rows[i] as IoRollUp
      if (row.startTicks >= endTicks) break
      if (row.endTicks > startTicks || row.startTicks >= startTicks) found.push(row)
    }
    return found
  }
}

const SUMS = ['sizeBytes', 'busyTicks', 'seenCount', 'seenBytes', 'seenBusyTicks'] as const

/** Ten numbers and an object header; an estimate, since engines do not report it. */
const ROLL_UP_BYTES = 112

const keyOf = ({ startTicks, endTicks, sizeBytes }: IoRollUpRow, file: number): number =>
  textHash(`${file}|${startTicks}|${endTicks}|${sizeBytes}`)

const startOf = (row: IoRollUp): number => row.startTicks

/** Whether every event of a roll-up was seen individually, so that it adds nothing. */
export function isCovered({ seenCount, seenBytes, seenBusyTicks, sizeBytes, busyTicks }: IoRollUp): boolean {
  const isKnown = Number.isFinite(sizeBytes) || Number.isFinite(busyTicks)
  if (!isKnown) return seenCount >= EVENTS_PER_FOLD
  return seenCount > 0 && !(seenBytes < sizeBytes) && !(seenBusyTicks < busyTicks - seenCount * 100)
}

/** Bytes of its events that were not seen individually; NaN: not known. */
export const unseenBytes = ({ sizeBytes, seenBytes }: IoRollUp): number => Math.max(0, sizeBytes - seenBytes)

/** Busy time of its events that were not seen individually, ticks; NaN: not known. */
export const unseenBusyTicks = ({ busyTicks, seenBusyTicks }: IoRollUp): number =>
  Math.max(0, busyTicks - seenBusyTicks)

/** The number for a sum of what is known; 0 if it is not. */
export const orNone = (value: number): number => (Number.isNaN(value) ? 0 : value)

/** Number of its events that were not seen individually; null: not known, because it is not a full fold. */
export function unseenCount(rollUp: IoRollUp): number | null {
  if (isCovered(rollUp)) return 0
  const missing = EVENTS_PER_FOLD - rollUp.seenCount
  return missing > 0 ? missing : null
}
