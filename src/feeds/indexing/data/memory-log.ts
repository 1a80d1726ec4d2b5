import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { parseSourceId, type SourceId } from '../../../capture/client/state.ts'
import { assumedLowMemoryLimit, type LowMemoryLimit } from '../../../ravendb/machine/low-memory-limit.ts'
import { humaneBytes } from '../../../ravendb/humane-bytes.ts'
import { type LowMemoryRow, type MemorySample } from './watching/server-wire.ts'
import { LOW_MEMORY_SEVERITIES } from '../contract/memory.ts'

/** Columns of a memory sample; NaN: not reported. */
export const MEMORY_COLUMNS = [
  'atTicks',
  'physicalBytes',
  'workingSetBytes',
  'privateBytes',
  'availableBytes',
  'availableForProcessingBytes',
] as const satisfies readonly (keyof MemorySample)[]
export type MemoryColumn = (typeof MEMORY_COLUMNS)[number]

/**
 * Maximum number of samples: a day of samples every 5 s, or three days of the kernel's. When it is reached, each two
 * samples of the older half are replaced by the one with less available memory.
 */
const MOST_SAMPLES = 17_280
/** Maximum number of low-memory events; the server keeps 256. */
const MOST_EVENTS = 4096
/**
 * Maximum distance between two samples with known memory in between, ticks: 40 s. Samples of the kernel come every 15
 * s.
 */
export const MEMORY_HOLD_TICKS = 400_000_000

/** Memory of the machine and of the process over time, and low-memory events. There is one log per machine. */
export class MemoryLog {
  length = 0
  /** Limit of available memory below which the server reports low memory; null: not known. */
  lowLimit: LowMemoryLimit | null = null
  readonly columns: Readonly<Record<MemoryColumn, Float64Array>>
  /** Index into `LOW_MEMORY_SEVERITIES`; 255: not reported, or an unknown name. */
  readonly severity: Uint8Array
  readonly #mostSamples: number
  #events: LowMemoryRow[] = []

  /** `mostSamples` has to be even. */
  constructor(mostSamples = MOST_SAMPLES) {
    this.#mostSamples = mostSamples
    this.severity = new Uint8Array(mostSamples)
    this.columns = Object.fromEntries(MEMORY_COLUMNS.map((name) => [name, new Float64Array(mostSamples)])) as Readonly<
      Record<MemoryColumn, Float64Array>
    >
  }

  get events(): readonly LowMemoryRow[] {
    return this.#events
  }

  get byteLength(): number {
    return this.#mostSamples * (MEMORY_COLUMNS.length * 8 + 1) + this.#events.length * 160
  }

  /**
   * Low-memory limit: the configured one, otherwise that of the newest event, otherwise the server's default for a
   * machine of this size. NaN: no machine is known.
   */
  get lowLimitBytes(): number {
    if (this.lowLimit !== null) return this.lowLimit.bytes
    const logged = humaneBytes(this.#events.findLast(({ thresholdText }) => thresholdText !== null)?.thresholdText)
    const physicalBytes = this.length === 0 ? Number.NaN : (this.columns.physicalBytes[this.length - 1] as number)
    return Number.isNaN(logged) ? assumedLowMemoryLimit(physicalBytes).bytes : logged
  }

  /** Adds a sample if it is newer than the last one. */
  add(sample: MemorySample): void {
    const times = this.columns.atTicks
    if (this.length > 0 && !(sample.atTicks > (times[this.length - 1] as number))) return
    if (this.length === this.#mostSamples) this.#thin()
    const at = this.length++
    for (const name of MEMORY_COLUMNS) this.columns[name][at] = sample[name]
    const severity = LOW_MEMORY_SEVERITIES.findIndex((each) => each === sample.severity)
    this.severity[at] = severity === -1 ? 255 : severity
  }

  /** Adds the events that are not in the log yet. Returns whether there were any. */
  addEvents(rows: readonly LowMemoryRow[]): boolean {
    const known = new Set(this.#events.map(({ atTicks, event }) => `${atTicks} ${event}`))
    const fresh = rows.filter(({ atTicks, event }) => !known.has(`${atTicks} ${event}`))
    if (fresh.length === 0) return false
    this.#events = [...this.#events, ...fresh].toSorted((a, b) => a.atTicks - b.atTicks).slice(-MOST_EVENTS)
    return true
  }

  /** Position of the first sample at or after `ticks`. */
  lowerBound(ticks: number): number {
    return bisectNumbers(this.columns.atTicks, ticks, this.length)
  }

  /** Position of the sample nearest to `ticks` within `MEMORY_HOLD_TICKS`; −1: there is none. */
  nearest(ticks: number): number {
    const times = this.columns.atTicks
    const after = this.lowerBound(ticks)
    let best = -1
    for (const at of [after - 1, after])
      if (at >= 0 && at < this.length) {
        const away = Math.abs((times[at] as number) - ticks)
        if (away <= MEMORY_HOLD_TICKS && (best === -1 || away < Math.abs((times[best] as number) - ticks))) best = at
      }
    return best
  }

  #thin(): void {
    const half = this.#mostSamples / 2
    const available = this.columns.availableForProcessingBytes
    let to = 0
    for (let at = 0; at < this.length; at++) {
      let from = at
      if (at < half) {
        if ((available[at + 1] as number) < (available[at] as number)) from = at + 1
        at++
      }
      for (const name of MEMORY_COLUMNS) this.columns[name][to] = this.columns[name][from] as number
      this.severity[to] = this.severity[from] as number
      to++
    }
    this.length = to
  }
}

/** Machine of all live sources, because a studio has one server. */
export const LIVE_MACHINE = ''
/** Maximum number of samples of a machine in a file. A package has one sample for each of its nodes. */
const FILE_SAMPLES = 64

/**
 * Machine that a source belongs to: for an entry of a package (`<package>/<folder>`) the package, for a single file the
 * file.
 */
export function machineOf(source: SourceId): string {
  const ref = parseSourceId(source)
  if (ref?.kind !== 'file') return LIVE_MACHINE
  const at = ref.name.lastIndexOf('/')
  return `file:${at === -1 ? ref.name : ref.name.slice(0, at)}`
}

/** Logs by machine. The machine of a package differs from the watched one. */
export class MemoryLogs {
  readonly #logs = new Map<string, MemoryLog>()

  of(machine: string): MemoryLog {
    let log = this.#logs.get(machine)
    if (log === undefined)
      this.#logs.set(machine, (log = machine === LIVE_MACHINE ? new MemoryLog() : new MemoryLog(FILE_SAMPLES)))
    return log
  }

  /** Log of the first of these sources whose machine reports memory or low-memory events; otherwise an empty log. */
  ofSources(sources: readonly SourceId[]): MemoryLog {
    const logs = sources.flatMap((source) => this.#logs.get(machineOf(source)) ?? [])
    return logs.find(reportsMemory) ?? logs[0] ?? NO_MEMORY
  }

  get byteLength(): number {
    let sum = 0
    for (const log of this.#logs.values()) if (reportsMemory(log)) sum += log.byteLength
    return sum
  }
}

export const reportsMemory = ({ length, events }: MemoryLog): boolean => length > 0 || events.length > 0

const NO_MEMORY = new MemoryLog(2)

/** Whether the event reports low memory; all other events report that memory is back to normal. */
export const isLowEvent = (event: string): boolean => !event.startsWith('BackToNormal')
