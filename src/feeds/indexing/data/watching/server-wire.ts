import { humaneBytes } from '../../../../ravendb/humane-bytes.ts'
import { asArray, asObject, type JsonObject } from '../../../../base/json/check.ts'
import type { Bytes } from '../../../../base/brand.ts'
import { parseTicks, type Ticks } from '../../../../base/ticks.ts'
import { privateBytesOf, type KernelMemory } from '../../../../ravendb/machine/kernel-memory.ts'
import { severityOf, type LowMemoryLimit } from '../../../../ravendb/machine/low-memory-limit.ts'
import type { IndexFacts } from '../../contract/indexes.ts'
import type { LowMemoryEvent } from '../../contract/memory.ts'
import type { ThreadAllocation } from '../batches/threads.ts'

/*
 * Readers of the server's reports other than batches: threads, memory, low-memory events, state and progress of
 * indexes. Each reader takes parsed JSON, leaves out invalid entries, and throws `ParseError` for any other document.
 */

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN)
/** Reads bytes. The server writes negative numbers for unknown sizes. */
const size = (value: unknown): Bytes => {
  const bytes = number(value)
  return (bytes >= 0 ? bytes : Number.NaN) as Bytes
}
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const time = (value: unknown): Ticks => (typeof value === 'string' ? parseTicks(value) : (Number.NaN as Ticks))
const reported = <Unit extends number>(value: Unit): Unit | null => (Number.isNaN(value) ? null : value)
const fields = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

/** Reads a frame of `/threads-info/watch`. `atTicks` is NaN if it is not reported. */
export function readThreads(frame: unknown): { readonly atTicks: number; readonly threads: ThreadAllocation[] } {
  const root = asObject(frame, '$')
  const threads: ThreadAllocation[] = []
  for (const each of asArray(root['List'], '$.List')) {
    const thread = fields(each)
    const name = text(thread?.['Name'])
    if (thread !== null && name !== null)
      threads.push({ name, bytes: reported(size(thread['UnmanagedAllocationsInBytes'])) })
  }
  return { atTicks: time(root['Date']), threads }
}

/** Sample of memory, from the kernel or the dashboard's MemoryUsage; NaN: not reported. */
export interface MemorySample {
  readonly atTicks: number
  readonly physicalBytes: number
  readonly workingSetBytes: number
  /** Anonymous and shared memory of the process; reported by the kernel only. */
  readonly privateBytes: number
  /** Memory that is free, without the clean pages. */
  readonly availableBytes: number
  readonly availableForProcessingBytes: number
  /** Severity of low memory as named by the server; null: not reported. */
  readonly severity: string | null
}

/** Converts a sample of the kernel, which does not contain the server's own counters. */
export const kernelSample = (memory: KernelMemory, atTicks: number, limit: LowMemoryLimit): MemorySample => ({
  atTicks,
  physicalBytes: memory.totalBytes,
  workingSetBytes: memory.process.residentBytes,
  privateBytes: privateBytesOf(memory.process),
  availableBytes: memory.freeBytes,
  availableForProcessingBytes: memory.availableBytes,
  severity: severityOf(memory.availableBytes, limit),
})

/** Reads a frame of the dashboard; null: another widget, or a frame without a time. */
export function readMemoryFrame(frame: unknown): MemorySample | null {
  const data = fields(fields(frame)?.['Data'])
  if (data === null || data['Type'] !== 'MemoryUsage') return null
  const atTicks = time(data['Date'] ?? data['Time'])
  if (Number.isNaN(atTicks)) return null
  return sampleOf((name) => size(data[name]), atTicks, text(data['LowMemorySeverity']))
}

/** Reads the figures that both the dashboard and `memory/stats` report, under the same names. */
const sampleOf = (of: (name: string) => number, atTicks: number, severity: string | null): MemorySample => ({
  atTicks,
  physicalBytes: of('PhysicalMemory'),
  workingSetBytes: of('WorkingSet'),
  privateBytes: Number.NaN,
  availableBytes: of('AvailableMemory'),
  availableForProcessingBytes: of('AvailableMemoryForProcessing'),
  severity,
})

/**
 * Reads `memory/stats`: a memory sample, and the threads with the bytes that each holds. The sample's sizes are texts
 * with three decimals (`1.859 GBytes`), and its bytes are no more exact than these.
 */
export function readMemoryStats(
  information: JsonObject | null,
  threads: readonly unknown[],
  atTicks: number,
): { readonly sample: MemorySample; readonly threads: ThreadAllocation[] } {
  return {
    sample: sampleOf((name) => humaneBytes(information?.[name]), atTicks, null),
    threads: threads.flatMap((each) => {
      const thread = fields(each)
      const name = text(thread?.['Name'])
      return name === null ? [] : [{ name, bytes: reported(size(thread?.['Allocations'])) }]
    }),
  }
}

/** Time of the response, from `@metadata`; NaN: not reported. */
export const readStamp = (response: unknown): number => time(fields(fields(response)?.['@metadata'])?.['DateTime'])

export type LowMemoryRow = Omit<LowMemoryEvent, 'isLow'>

/** Reads a response of `/admin/debug/memory/low-mem-log`; its key contains spaces. */
export function readLowMemoryLog(response: unknown): LowMemoryRow[] {
  const rows = asArray(asObject(response, '$')['Low Memory Events'], '$["Low Memory Events"]')
  return rows.flatMap((each) => {
    const row = fields(each)
    const event = text(row?.['Event'])
    const atTicks = time(row?.['TimeOfEvent'])
    if (row === null || event === null || Number.isNaN(atTicks)) return []
    return [
      {
        atTicks,
        event,
        freeBytes: reported(size(row['FreeMem'])),
        thresholdText: text(fields(row['HumanlyReadSizes'])?.['Threshold']),
      },
    ]
  })
}

export interface IndexStats extends Omit<IndexFacts, 'atTicks'> {
  readonly name: string
}

/**
 * Reads a response of `indexes/stats`. Leaves out `DocumentLag`, which is a difference of etags, not a number of
 * documents.
 */
export function readIndexStats(response: unknown): IndexStats[] {
  const rows = asArray(asObject(response, '$')['Results'], '$.Results')
  return rows.flatMap((each) => {
    const row = fields(each)
    const name = text(row?.['Name'])
    if (row === null || name === null) return []
    const memory = fields(row['Memory'])
    return [
      {
        name,
        type: text(row['Type']),
        sourceType: text(row['SourceType']),
        searchEngine: text(row['SearchEngineType']),
        state: text(row['State']),
        status: text(row['Status']),
        isStale: flag(row['IsStale']),
        isInvalid: flag(row['IsInvalidIndex']),
        entriesCount: reported(size(row['EntriesCount'])),
        errorsCount: reported(size(row['ErrorsCount'])),
        mappedPerSecond: reported(size(row['MappedPerSecondRate'])),
        reducedPerSecond: reported(size(row['ReducedPerSecondRate'])),
        mostOutputsPerDocument: reported(size(row['MaxNumberOfOutputsPerDocument'])),
        createdTicks: reported(time(row['CreatedTimestamp'])),
        lastIndexingTicks: reported(time(row['LastIndexingTime'])),
        lastQueryingTicks: reported(time(row['LastQueryingTime'])),
        threadAllocationBytes: reported(size(fields(memory?.['ThreadAllocations'])?.['SizeInBytes'])),
        budgetBytes: reported(size(fields(memory?.['MemoryBudget'])?.['SizeInBytes'])),
      },
    ]
  })
}

export interface ProgressRow {
  readonly name: string
  readonly itemsLeft: number
  readonly itemsTotal: number
  readonly tombstonesLeft: number
  readonly processedPerSecond: number | null
}

/** Reads a response of `indexes/progress`, which contains only indexes with work left. */
export function readIndexProgress(response: unknown): ProgressRow[] {
  const rows = asArray(asObject(response, '$')['Results'], '$.Results')
  return rows.flatMap((each) => {
    const row = fields(each)
    const name = text(row?.['Name'])
    if (row === null || name === null) return []
    const sums = { itemsLeft: 0, itemsTotal: 0, tombstonesLeft: 0 }
    for (const value of Object.values(fields(row['Collections']) ?? {})) {
      const collection = fields(value)
      sums.itemsLeft += size(collection?.['NumberOfItemsToProcess']) || 0
      sums.itemsTotal += size(collection?.['TotalNumberOfItems']) || 0
      sums.tombstonesLeft += size(collection?.['NumberOfTombstonesToProcess']) || 0
    }
    return [{ name, ...sums, processedPerSecond: reported(size(row['ProcessedPerSecond'])) }]
  })
}
