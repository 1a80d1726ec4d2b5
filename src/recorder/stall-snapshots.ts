import { errorText } from '../base/text/error-text.ts'
import { formatDuration } from '../base/text/format.ts'
import { msFromTicks, TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { IoRecord, StacksRecord } from '../capture/archive/records.ts'
import type { SourceId } from '../capture/client/state.ts'

/** When stack snapshots are recorded. */
export interface SnapshotRule {
  /** Minimum duration of a journal write, ms. */
  readonly leastMs: number
  /** Maximum number of snapshots in any hour. */
  readonly perHour: number
}

/** A taken snapshot. */
export interface TakenSnapshot {
  /** Server time; NaN: the response has none. */
  readonly atTicks: number
  /** Whether the response was cut, or parts of it make no sense. */
  readonly isPart: boolean
  readonly json: string
}

interface StallSnapshotsOptions {
  readonly rule: SnapshotRule
  /** Takes a snapshot. Rejects with the reason. */
  readonly take: () => Promise<TakenSnapshot>
  readonly record: (record: StacksRecord) => void
  /** Name of a storage: `Documents of shop`. */
  readonly nameOf: (source: SourceId, path: string) => string
  readonly nowTicks: () => number
  readonly say: (sentence: string) => void
}

/**
 * Age of the end of a write, above which a snapshot would show something else. Live events arrive within three seconds;
 * older ones come from rings, which are read after a connection.
 */
const MOST_AGE_TICKS = 10 * TICKS_PER_SECOND
const HOUR_TICKS = 3600 * TICKS_PER_SECOND
/** Time between two snapshots, so that the first minute of a trouble does not use up the hour. */
const PAUSE_TICKS = 60 * TICKS_PER_SECOND

/** Takes a stack snapshot when a slow journal write has ended, so that what follows it can be seen later. */
export class StallSnapshots {
  readonly #options: StallSnapshotsOptions
  /** Times of the snapshots within the last hour, and of failed ones. */
  #takenTicks: number[] = []
  #isTaking = false
  #said = ''

  constructor(options: StallSnapshotsOptions) {
    this.#options = options
  }

  /** Times of snapshots of an earlier recording count for the limit as well. */
  meet({ atTicks }: Pick<StacksRecord, 'atTicks'>): void {
    this.#takenTicks.push(atTicks)
  }

  /** Returns records that start the next journal, so that the limit holds across a restart. */
  *seeds(): Generator<StacksRecord> {
    for (const atTicks of this.#takenTicks) yield { t: 'stacks', seed: 1, atTicks, title: '', json: '' }
  }

  /** Takes recorded writes into account. */
  saw({ source, path, kind, c: [starts = [], durations = []] }: IoRecord): void {
    if (kind !== 'JournalWrite' || this.#isTaking) return
    const { rule, nameOf, nowTicks } = this.#options
    const now = nowTicks()
    const longest = durations.reduce((most, ticks, row) => {
      const isRecent = (starts[row] ?? 0) + ticks > now - MOST_AGE_TICKS
      return isRecent && ticks > (durations[most] ?? 0) ? row : most
    }, -1)
    const ticks = durations[longest] ?? 0
    if (ticks < rule.leastMs * TICKS_PER_MS) return
    // Times after now were those of a clock that has been set back.
    this.#takenTicks = this.#takenTicks.filter((at) => at > now - HOUR_TICKS && at <= now)
    if (this.#takenTicks.length >= rule.perHour) return
    const pauseTicks = Math.min(PAUSE_TICKS, HOUR_TICKS / rule.perHour)
    if (now < (this.#takenTicks.at(-1) ?? Number.NEGATIVE_INFINITY) + pauseTicks) return
    void this.#take(`Journal write of ${formatDuration(ticks)} in ${nameOf(source, path)}`, now)
  }

  async #take(title: string, now: number): Promise<void> {
    const { nowTicks, take, record, say } = this.#options
    this.#isTaking = true
    this.#takenTicks.push(now)
    try {
      const { atTicks, isPart, json } = await take()
      const whole = isPart ? `${title} (in part)` : title
      record({ t: 'stacks', atTicks: Number.isNaN(atTicks) ? now : atTicks, title: whole, json })
    } catch (error) {
      // Its tables were replaced, or the recording is over.
      if (error instanceof Error && error.name === 'HostEnded') return
      const why = errorText(error)
      if (why !== this.#said)
        say(`A stack snapshot at ${new Date(msFromTicks(now as never)).toISOString()} failed: ${why}`)
      this.#said = why
    } finally {
      this.#isTaking = false
      // The pause begins when the server has finished.
      this.#takenTicks[this.#takenTicks.length - 1] = nowTicks()
    }
  }
}
