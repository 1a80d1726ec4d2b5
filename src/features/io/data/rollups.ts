import { bisectLeft } from '../../../base/columns/bisect.ts'
import { addUnknown } from '../../../capture/worker/gap-log.ts'
import type { IoRollUpRow } from './reading/wire.ts'

/** The server folds 256 events and the 257th into one roll-up (`IoMeterBuffer`, seen on 5.4, 6.2 and 7.1). */
const EVENTS_PER_FOLD = 257

/** A roll-up with what of it was also seen event by event. */
export interface IoRollUp extends IoRollUpRow {
  readonly file: number
  readonly seenCount: number
  readonly seenBytes: number
  readonly seenBusyTicks: number
  /** From here to its end it holds what was not seen event by event; its start where nothing was. */
  readonly unseenFromTicks: number
}

interface Untold {
  count: number
  /** Null: not known. */
  events: number | null
  bytes: number
  busyTicks: number
}

/** Roll-ups of one kind of one lane, sorted by start; the server repeats them with every whole document. */
export class RollUpTable {
  readonly rows: IoRollUp[] = []
  /** Null while there are none: captures of very many lanes have very many tables without. */
  #known: Set<string> | null = null
  #longestTicks = 0

  has(rollUp: IoRollUpRow, file: number): boolean {
    return this.#known?.has(keyOf(rollUp, file)) === true
  }

  /** Of what no event tells: roll-ups that hold more than was seen event by event. */
  readonly untold: Untold = { count: 0, events: 0, bytes: 0, busyTicks: 0 }

  /** One that is not there yet. */
  add(rollUp: IoRollUp): void {
    if (!isCovered(rollUp)) {
      this.untold.count++
      this.untold.events = addUnknown(this.untold.events, unseenCount(rollUp))
      this.untold.bytes += Math.max(0, rollUp.sizeBytes - rollUp.seenBytes)
      this.untold.busyTicks += Math.max(0, rollUp.busyTicks - rollUp.seenBusyTicks)
    }
    this.#known ??= new Set()
    this.#known.add(keyOf(rollUp, rollUp.file))
    this.#longestTicks = Math.max(this.#longestTicks, rollUp.endTicks - rollUp.startTicks)
    const last = this.rows.at(-1)
    if (last === undefined || last.startTicks <= rollUp.startTicks) this.rows.push(rollUp)
    else this.rows.splice(bisectLeft(this.rows, rollUp.startTicks, startOf), 0, rollUp)
  }

  /** Those that overlap [startTicks, endTicks), ascending by start. */
  overlapping(startTicks: number, endTicks: number): readonly IoRollUp[] {
    const found: IoRollUp[] = []
    for (let i = bisectLeft(this.rows, startTicks - this.#longestTicks, startOf); i < this.rows.length; i++) {
      const row = this.rows[i] as IoRollUp
      if (row.startTicks >= endTicks) break
      if (row.endTicks > startTicks || row.startTicks >= startTicks) found.push(row)
    }
    return found
  }
}

const keyOf = ({ startTicks, endTicks, sizeBytes }: IoRollUpRow, file: number): string =>
  `${file}|${startTicks}|${endTicks}|${sizeBytes}`

const startOf = (row: IoRollUp): number => row.startTicks

/** Every event of it was seen on its own, so it adds nothing. */
export const isCovered = (rollUp: IoRollUp): boolean =>
  rollUp.seenCount > 0 &&
  rollUp.seenBytes >= rollUp.sizeBytes &&
  rollUp.seenBusyTicks >= rollUp.busyTicks - rollUp.seenCount * 100

/** How many events of it were not seen one by one; null: not known, it is no full fold. */
export function unseenCount(rollUp: IoRollUp): number | null {
  if (isCovered(rollUp)) return 0
  const missing = EVENTS_PER_FOLD - rollUp.seenCount
  return missing > 0 ? missing : null
}
