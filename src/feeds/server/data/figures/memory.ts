import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import {
  isConfined,
  privateBytesOf,
  type KernelMemory,
  type KernelMemoryLack,
} from '../../../../ravendb/machine/kernel-memory.ts'
import { assumedLowMemoryLimit, severityOf, type LowMemoryLimit } from '../../../../ravendb/machine/low-memory-limit.ts'
import type { LowMemoryLog } from '../wire/polls-wire.ts'
import type { FilePages, ServerMemory } from '../../contract/machine.ts'
import type { MemoryWidget } from '../wire/widgets.ts'

type At<T> = T & { readonly atTicks: Ticks }

/** The newest memory figures of each source, and the values derived from them. Pure. */
export class MemoryStore {
  kernel: At<KernelMemory> | null = null
  widget: At<MemoryWidget> | null = null
  /** Reason why the kernel's figures are not available; null: they are, or it is not known yet. */
  lack: KernelMemoryLack | null = null
  /** File pages; requested for an open card only. */
  files: FilePages | null = null
  limit: LowMemoryLimit | null = null

  /**
   * Whether the server is limited to less memory than the machine has, so that the kernel's figures describe its host.
   */
  get isConfined(): boolean {
    return this.kernel !== null && isConfined(this.kernel)
  }

  /** Whether the server's own figures are needed. They make it walk through its page tables every 15 s. */
  get needsWidget(): boolean {
    return this.lack !== null || this.isConfined
  }

  now(log: LowMemoryLog | null): ServerMemory | null {
    const { kernel, widget, lack, isConfined } = this
    const process = kernel === null || lack !== null ? null : kernel.process
    if (kernel !== null && lack === null && !isConfined) {
      const { atTicks, totalBytes: physicalBytes, freeBytes, availableBytes, unwrittenBytes } = kernel
      const machine = { physicalBytes, freeBytes, availableBytes }
      return {
        atTicks,
        source: 'kernel',
        whyServer: null,
        ...machine,
        unwrittenBytes,
        residentBytes: kernel.process.residentBytes,
        swapBytes: kernel.process.swapBytes,
        process,
        files: this.files,
        own: null,
        ...this.#severity(null, log, machine),
        lowLimit: this.#limit(log, physicalBytes),
      }
    }
    if (widget === null) return null
    const machine = {
      physicalBytes: widget.physicalBytes,
      freeBytes: Math.min(widget.availableBytes, widget.availableForProcessingBytes) as Bytes,
      availableBytes: widget.availableForProcessingBytes,
    }
    return {
      atTicks: widget.atTicks,
      source: 'server',
      whyServer: isConfined ? 'confined' : (lack ?? 'system'),
      ...machine,
      unwrittenBytes: null,
      residentBytes: process?.residentBytes ?? widget.workingSetBytes,
      // On Windows the widget reports the committed memory of the process here.
      swapBytes: process?.swapBytes ?? (lack === 'system' ? null : widget.swapBytes),
      process,
      files: process === null ? null : this.files,
      own: {
        managedBytes: widget.managedBytes,
        unmanagedBytes: widget.unmanagedBytes,
        scratchBytes: widget.dirtyBytes,
      },
      ...this.#severity(widget.severity, log, machine),
      lowLimit: this.#limit(log, machine.physicalBytes),
    }
  }

  /**
   * Severity as reported, otherwise judged here. The server compares with the same limit every 5 s, and logs each
   * change.
   */
  #severity(
    reported: string | null,
    log: LowMemoryLog | null,
    { physicalBytes, availableBytes }: { readonly physicalBytes: Bytes; readonly availableBytes: Bytes },
  ): Pick<ServerMemory, 'severity' | 'severityFrom'> {
    if (reported !== null) return { severity: reported, severityFrom: 'server' }
    return judgedSeverity(availableBytes, this.#limit(log, physicalBytes), log)
  }

  #limit(log: LowMemoryLog | null, physicalBytes: Bytes): ServerMemory['lowLimit'] {
    return this.limit ?? loggedLimit(log, physicalBytes)
  }
}

/** Limit that the server's log mentions; otherwise the default. */
export function loggedLimit(log: LowMemoryLog | null, physicalBytes: Bytes): ServerMemory['lowLimit'] {
  const logged = bytesOf(log?.thresholdText ?? null)
  return logged === null ? assumedLowMemoryLimit(physicalBytes) : { bytes: logged, from: 'log' }
}

/** Severity by the limit; if available memory is above it, by the newest event of the server's log. */
export function judgedSeverity(
  availableBytes: Bytes,
  limit: ServerMemory['lowLimit'],
  log: LowMemoryLog | null,
): Pick<ServerMemory, 'severity' | 'severityFrom'> {
  const judged = severityOf(availableBytes, limit)
  const newest = log?.events.find(({ isSimulated }) => !isSimulated)
  if (judged === 'None' && newest?.isLow === true) return { severity: 'Low', severityFrom: 'log' }
  return { severity: judged, severityFrom: 'limit' }
}

/** Values for the memory series; null: not known. */
export const memorySeries = (memory: ServerMemory): Readonly<Record<string, number | null>> => ({
  'memory.resident': memory.residentBytes,
  'memory.private': memory.process === null ? null : privateBytesOf(memory.process),
  'memory.managed': memory.own?.managedBytes ?? null,
  'memory.unmanaged': memory.own?.unmanagedBytes ?? null,
  'memory.scratch': memory.own?.scratchBytes ?? null,
  'memory.available': memory.availableBytes,
  'memory.free': memory.freeBytes,
  'memory.unwritten': memory.unwrittenBytes,
  'memory.swap': memory.swapBytes,
})

const UNITS = ['Bytes', 'KBytes', 'MBytes', 'GBytes', 'TBytes']

/** Parses a size as the server writes it, for example `2 GBytes`. */
function bytesOf(text: string | null): Bytes | null {
  const [, digits, unit] = /^([\d.,]+) (\w+)$/.exec(text ?? '') ?? []
  const power = UNITS.indexOf(unit ?? '')
  const value = Number((digits ?? '').replaceAll(',', ''))
  return power < 0 || !(value > 0) ? null : (Math.round(value * 1024 ** power) as Bytes)
}
