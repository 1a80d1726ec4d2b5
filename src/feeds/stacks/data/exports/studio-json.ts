import { formatTicks } from '../../../../base/ticks.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { pseudoOf } from '../responses/text.ts'
import type { Snapshot, StackStore } from '../table.ts'
import { FLAG_IS_NATIVE, FLAG_LISTED } from '../table.ts'
import { PRIORITIES, THREAD_STATES, WAIT_REASONS } from '../live/thread-info.ts'
import type { SnapshotSamples } from './samples-of.ts'

const STEP_ROWS = 64

/**
 * Writes snapshots in the server's merged format: `{"@metadata", "Results": [{ThreadIds, StackTrace}], "Threads":
 * […]}`, which the official Studio imports. Several snapshots are separate lines, which only this studio reads.
 */
export function* studioJson(store: StackStore, samples: readonly SnapshotSamples[], out: Pieces): ExportSteps {
  let done = 0
  for (const { snapshot, rows } of samples) {
    out.text(`{${metadata(snapshot)}"Results":[`)
    let separator = ''
    for (const entry of merged(store, snapshot, rows)) {
      out.text(`${separator}${JSON.stringify(entry)}`)
      separator = ','
      done += entry.ThreadIds.length
      if (done % STEP_ROWS === 0 || out.hasPiece) yield done
    }
    out.text('],"Threads":[')
    separator = ''
    const shown = new Set(rows)
    const all = rows.length === snapshot.info.sampled
    for (let row = 0; row < snapshot.rows.length; row++) {
      if (((snapshot.rows.flags[row] as number) & FLAG_LISTED) === 0 || (!all && !shown.has(row))) continue
      out.text(`${separator}${JSON.stringify(thread(store, snapshot, row))}`)
      separator = ','
      if (row % STEP_ROWS === 0 || out.hasPiece) yield done
    }
    out.text(']}\n')
  }
  yield done
}

function metadata({ info }: Snapshot): string {
  const at = formatTicks(info.atTicks)
  const reported = {
    ...(at === '' ? {} : { DateTime: at }),
    ...(info.nodeTag === null ? {} : { NodeTag: info.nodeTag }),
  }
  return Object.keys(reported).length === 0 ? '' : `"@metadata":${JSON.stringify(reported)},`
}

interface Entry {
  readonly ThreadIds: number[]
  readonly NativeThreads?: true
  readonly StackTrace: readonly string[]
}

/** Threads with the same stack share an entry, in the order of the first of them. */
function merged(store: StackStore, { rows }: Snapshot, wanted: readonly number[]): Entry[] {
  const entries = new Map<string, Entry>()
  for (const row of wanted) {
    const flags = rows.flags[row] as number
    const node = rows.node[row] as number
    const key = `${node}|${flags & ~FLAG_LISTED}`
    let entry = entries.get(key)
    if (entry === undefined) {
      const frames = store.stacks.path(node).map((frame) => store.frames.text(frame))
      const native = (flags & FLAG_IS_NATIVE) === 0 ? {} : { NativeThreads: true as const }
      entries.set(key, (entry = { ThreadIds: [], ...native, StackTrace: [...pseudoOf(flags), ...frames] }))
    }
    entry.ThreadIds.push(store.identities[rows.identity[row] as number]?.id ?? 0)
  }
  return [...entries.values()]
}

function thread(store: StackStore, { rows }: Snapshot, row: number): object {
  const identity = store.identities[rows.identity[row] as number]
  const total = rows.totalCpuMs[row] as number
  const user = rows.userCpuMs[row] as number
  const start = formatTicks((identity?.startTicks ?? Number.NaN) as never)
  const word = (column: Uint8Array): string | null => store.words[column[row] as number] ?? null
  return {
    Id: identity?.id ?? 0,
    CpuUsage: known(rows.cpuPercent[row]),
    Name: identity?.name ?? '',
    ManagedThreadId: known(identity?.managedId),
    UnmanagedAllocationsInBytes: known(rows.allocatedBytes[row]),
    StartingTime: start === '' ? null : start,
    Duration: known(total),
    TotalProcessorTime: formatSpan(total),
    PrivilegedProcessorTime: formatSpan(total - user),
    UserProcessorTime: formatSpan(user),
    State: numberOf(THREAD_STATES, word(rows.state)),
    Priority: PRIORITY_NUMBERS.get(word(rows.priority) ?? '') ?? word(rows.priority),
    WaitReason: numberOf(WAIT_REASONS, word(rows.waitReason)),
    IoStats: ioOf(rows.io, row),
  }
}

const PRIORITY_NUMBERS: ReadonlyMap<string, number> = new Map(
  Array.from(PRIORITIES, ([number, word]) => [word, number]),
)

const known = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value)

/** Number of a word, as the server writes it beside stacks. An unknown word stays as it is. */
const numberOf = (words: readonly string[], word: string | null): number | string | null => {
  const number = word === null ? -1 : words.indexOf(word)
  return number === -1 ? word : number
}

function ioOf(columns: readonly Float32Array[] | null, row: number): object | null {
  const [read, write, calls, readTotal, writeTotal] = columns?.map((column) => column[row] ?? Number.NaN) ?? []
  if (read === undefined || Number.isNaN(read)) return null
  return {
    IoSyscallsPerSecLast: known(calls),
    ReadThroughputKbPerSecLast: known(read / 1024),
    WriteThroughputKbPerSecLast: known((write ?? Number.NaN) / 1024),
    ReadThroughputKbTotal: known((readTotal ?? Number.NaN) / 1024),
    WriteThroughputKbTotal: known((writeTotal ?? Number.NaN) / 1024),
  }
}

/** Milliseconds → .NET's `[d.]hh:mm:ss.fffffff`; null: not known. */
export function formatSpan(ms: number): string | null {
  if (Number.isNaN(ms) || ms < 0) return null
  const ticks = Math.round(ms * 10_000)
  const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')
  const seconds = Math.floor(ticks / 10_000_000)
  const days = Math.floor(seconds / 86_400)
  const fraction = ticks % 10_000_000
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
  return `${days > 0 ? `${days}.` : ''}${clock.map((part) => pad(part, 2)).join(':')}${fraction > 0 ? `.${pad(fraction, 7)}` : ''}`
}
