import { parseTicks } from '../../../../base/ticks.ts'
import { parseTimeSpanMs } from '../../../../ravendb/timespan.ts'

/** System.Diagnostics.ThreadState, by its numbers. */
export const THREAD_STATES = [
  'Initialized',
  'Ready',
  'Running',
  'Standby',
  'Terminated',
  'Wait',
  'Transition',
  'Unknown',
] as const

/** System.Diagnostics.ThreadWaitReason, by number. Linux reports only the last one. */
export const WAIT_REASONS = [
  'Executive',
  'FreePage',
  'PageIn',
  'SystemAllocation',
  'ExecutionDelay',
  'Suspended',
  'UserRequest',
  'EventPairHigh',
  'EventPairLow',
  'LpcReceive',
  'LpcReply',
  'VirtualMemory',
  'PageOut',
  'Unknown',
] as const

/** System.Diagnostics.ThreadPriorityLevel. */
export const PRIORITIES: ReadonlyMap<number, string> = new Map([
  [-15, 'Idle'],
  [-2, 'Lowest'],
  [-1, 'BelowNormal'],
  [0, 'Normal'],
  [1, 'AboveNormal'],
  [2, 'Highest'],
  [15, 'TimeCritical'],
])

/** Rates of the last second and totals, bytes and calls. */
export interface ThreadIoInfo {
  readonly readBytesPerSecond: number
  readonly writeBytesPerSecond: number
  readonly syscallsPerSecond: number
  readonly readBytesTotal: number
  readonly writeBytesTotal: number
}

/** A thread in the server's list. NaN for figures that are not reported. */
export interface ThreadInfo {
  readonly id: number
  readonly managedId: number
  readonly name: string
  /** CPU in percent of all cores. */
  readonly cpuPercent: number
  readonly allocatedBytes: number
  readonly startTicks: number
  readonly totalCpuMs: number
  readonly userCpuMs: number
  /** .NET texts; null: not reported. */
  readonly state: string | null
  readonly priority: string | null
  readonly waitReason: string | null
  readonly io: ThreadIoInfo | null
}

/** Maximum length of a name, UTF-16 units. On Linux it is 15; the server's own can be as long as index names. */
const MAX_NAME_UNITS = 512

/** Fields of a thread as received, unchecked; equal for parsed JSON and for bytes. */
export type RawFields = Readonly<Record<string, unknown>>

/** Reads a thread; null: it has no id. */
export function readThreadInfo(raw: RawFields): ThreadInfo | null {
  const id = raw['Id']
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return null
  const name = raw['Name']
  return {
    id,
    managedId: numberOf(raw['ManagedThreadId']),
    name: typeof name === 'string' ? cut(name.trim(), MAX_NAME_UNITS) : '',
    cpuPercent: atLeastZero(raw['CpuUsage']),
    allocatedBytes: atLeastZero(raw['UnmanagedAllocationsInBytes']),
    startTicks: typeof raw['StartingTime'] === 'string' ? parseTicks(raw['StartingTime']) : Number.NaN,
    totalCpuMs: spanMs(raw['TotalProcessorTime'], raw['Duration']),
    userCpuMs: spanMs(raw['UserProcessorTime'], null),
    state: wordOf(raw['State'], (n) => THREAD_STATES[n]),
    priority: wordOf(raw['Priority'], (n) => PRIORITIES.get(n)),
    waitReason: wordOf(raw['WaitReason'], (n) => WAIT_REASONS[n]),
    io: readIo(raw['IoStats']),
  }
}

function readIo(value: unknown): ThreadIoInfo | null {
  if (typeof value !== 'object' || value === null) return null
  const raw = value as RawFields
  return {
    readBytesPerSecond: atLeastZero(raw['ReadThroughputKbPerSecLast']) * 1024,
    writeBytesPerSecond: atLeastZero(raw['WriteThroughputKbPerSecLast']) * 1024,
    syscallsPerSecond: atLeastZero(raw['IoSyscallsPerSecLast']),
    readBytesTotal: atLeastZero(raw['ReadThroughputKbTotal']) * 1024,
    writeBytesTotal: atLeastZero(raw['WriteThroughputKbTotal']) * 1024,
  }
}

/** Parses `hh:mm:ss.fffffff`, or else the milliseconds of `Duration`, which is CPU and not age. */
function spanMs(text: unknown, ms: unknown): number {
  const reported = typeof text === 'string' ? parseTimeSpanMs(text) : Number.NaN
  return Number.isNaN(reported) ? atLeastZero(ms) : reported
}

/** Words for the numbers of a stack trace's list; other lists have words. An unknown number stays as it is. */
function wordOf(value: unknown, known: (n: number) => string | undefined): string | null {
  if (typeof value === 'number') return known(value) ?? String(value)
  return typeof value === 'string' && value !== '' ? cut(value, 64) : null
}

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN)

const atLeastZero = (value: unknown): number => {
  const number = numberOf(value)
  return number >= 0 ? number : Number.NaN
}

export const cut = (text: string, units: number): string =>
  text.length > units ? `${text.slice(0, units - 1)}…` : text
