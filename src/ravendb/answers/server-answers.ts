import { asObject } from '../../base/json/check.ts'
import { Fields } from '../../base/json/fields.ts'
import type { Ticks } from '../../base/ticks.ts'
import { humaneBytes } from '../humane-bytes.ts'
import { parseTimeSpanMs } from '../timespan.ts'

/*
 * Readers of responses about the server itself, requested once. Errors of all readers: `ParseError`. A null field: not
 * reported.
 */

/** `/build/version`. */
export function readBuild(response: unknown) {
  const body = new Fields(response)
  return { fullVersion: body.text('FullVersion'), productVersion: body.text('ProductVersion') }
}

/** `/admin/stats`. */
export function readStart(response: unknown) {
  const body = new Fields(response)
  return {
    startTicks: body.ticksOrNull('StartUpTime'),
    upTimeMs: parseTimeSpanMs(body.textOrNull('UpTime') ?? ''),
    lastRequestTicks: body.ticksOrNull('LastRequestTime'),
    /** URL that the server publishes. */
    url: body.inOrNull('@metadata')?.textOrNull('WebUrl') ?? null,
  }
}

export interface Connections {
  readonly established: number
  readonly timeWait: number
  /** Connections to or from ports of this server that closed within the last minute. */
  readonly ownTimeWait: number
  /** Address with the most established connections to ports of this server; null: there are no connections. */
  readonly top: { readonly address: string; readonly count: number } | null
}

/** Splits `127.0.0.1:8080` or `[::ffff:10.0.0.4]:38888` into address and port. */
function endPoint(text: string): { readonly address: string; readonly port: string } {
  const at = text.lastIndexOf(':')
  return { address: text.slice(0, at).replace(/^\[(?:::ffff:)?|\]$/g, ''), port: text.slice(at + 1) }
}

/** Ports on which only this server listens, from its URL; empty: not known. */
export const portsOf = (url: string | null): readonly string[] => {
  if (url === null || !URL.canParse(url)) return []
  const { port, protocol } = new URL(url)
  return [port === '' ? (protocol === 'https:' ? '443' : '80') : port]
}

/**
 * Reads `/admin/debug/info/tcp/active-connections`: connections of the whole machine, by state. Connections to the
 * server's own port are those of its clients; behind a proxy on another port all of them count.
 */
export function readConnections(response: unknown): Connections {
  const body = new Fields(response)
  const states = body.in('Connections')
  const ports = portsOf(body.inOrNull('@metadata')?.textOrNull('WebUrl') ?? null)
  const established = states.eachOrNone('Established').map((each) => ({
    local: endPoint(each.text('LocalEndPoint')),
    remote: endPoint(each.text('RemoteEndPoint')),
  }))
  const own = established.filter(({ local }) => ports.includes(local.port))
  const counts = new Map<string, number>()
  for (const { remote } of own) counts.set(remote.address, (counts.get(remote.address) ?? 0) + 1)
  const closed = states.eachOrNone('TimeWait').map((each) => [each.text('LocalEndPoint'), each.text('RemoteEndPoint')])
  const [top] = [...counts].toSorted(([, a], [, b]) => b - a)
  return {
    established: established.length,
    timeWait: closed.length,
    ownTimeWait: closed.filter((ends) => ends.some((end) => ports.includes(endPoint(end).port))).length,
    top: top === undefined ? null : { address: top[0], count: top[1] },
  }
}

export interface ClusterLogState {
  readonly role: string | null
  readonly term: number | null
  readonly commitIndex: number
  readonly lastIndex: number
  readonly firstIndex: number
  readonly lastCommittedTicks: Ticks | null
  /** Error that stopped the state machine of the cluster. */
  readonly criticalError: string | null
}

/** Reads `/admin/cluster/log`; 5.4 and 6.2 report less. */
export function readClusterLog(response: unknown): ClusterLogState {
  const body = new Fields(response)
  const log = body.in('Log')
  const commitIndex = log.number('CommitIndex')
  const error = log.all['CriticalError']
  return {
    role: body.textOrNull('Role'),
    term: body.numberOrNull('Term'),
    commitIndex,
    lastIndex: log.numberOrNull('LastLogEntryIndex') ?? commitIndex,
    firstIndex: log.numberOrNull('FirstEntryIndex') ?? commitIndex,
    lastCommittedTicks: log.ticksOrNull('LastCommitedTime'),
    criticalError: error == null ? null : typeof error === 'string' ? error : JSON.stringify(error).slice(0, 2000),
  }
}

/** Reads `/admin/cluster/observer/decisions`, which only the leader has. */
export function readObserver(response: unknown) {
  const body = new Fields(response)
  return { isSuspended: body.isTrue('Suspended'), leader: body.textOrNull('LeaderNode') }
}

export interface OpenTransaction {
  /** Path of its storage. */
  readonly path: string
  readonly startTicks: Ticks | null
  readonly thread: string | null
}

/** Reads `/admin/debug/txinfo`, of the server or of a database. */
export const readTransactions = (response: unknown): OpenTransaction[] =>
  new Fields(response).each('tx-info').flatMap((environment) =>
    environment.eachOrNone('Information').map((each) => ({
      path: environment.textOrNull('BasePath') ?? '',
      startTicks: each.ticksOrNull('StartTime'),
      thread: each.textOrNull('ThreadName'),
    })),
  )

/** Reads `/admin/debug/node/ping`: round trip, ms, of setting up a connection; null: it failed. */
export const readPings = (response: unknown) =>
  new Fields(response).each('Result').map((each) => {
    const setup = each.inOrNull('SetupAlive')
    const error = setup?.textOrNull('Error') ?? each.textOrNull('Error')
    return {
      url: each.textOrNull('Url') ?? '',
      ms: error == null ? (setup?.numberOrNull('Time') ?? null) : null,
      error,
    }
  })

/** `/admin/debug/memory/stats`. */
export function readMemoryUse(response: unknown) {
  const memory = new Fields(response).in('MemoryInformation')
  const bytes = (name: string): number | null => {
    const value = humaneBytes(memory.all[name])
    return Number.isNaN(value) ? null : value
  }
  return {
    physicalBytes: bytes('PhysicalMemory'),
    workingSetBytes: bytes('WorkingSet'),
    managedBytes: bytes('ManagedAllocations'),
    unmanagedBytes: bytes('UnmanagedAllocations'),
    mappedBytes: bytes('MemoryMapped'),
    freeBytes: bytes('AvailableMemory'),
    availableBytes: bytes('AvailableMemoryForProcessing'),
    dirtyBytes: bytes('DirtyMemory'),
    isHighDirty: memory.isTrue('IsHighDirty'),
    encryptionBytes: (bytes('EncryptionBuffersPool') ?? 0) + (bytes('EncryptionBuffersInUse') ?? 0),
  }
}

const COLLECTIONS = ['Ephemeral', 'Background', 'FullBlocking'] as const

/** `/admin/debug/memory/gc`. */
export function readCollections(response: unknown) {
  const body = new Fields(response)
  const any = body.inOrNull('Any')
  const pauses = COLLECTIONS.flatMap((kind) => {
    const of = body.inOrNull(kind)
    return (of?.listOrNone('PauseDurations', (each) => parseTimeSpanMs(String(each))) ?? []).filter(
      (ms) => !Number.isNaN(ms),
    )
  })
  return {
    /** Longest pause among the last collections of each kind, which may be long ago. */
    longestPauseMs: pauses.reduce<number | null>((longest, ms) => Math.max(longest ?? 0, ms), null),
    /** Share of the time since the server started, in percent. */
    pausePercent: any?.numberOrNull('PauseTimePercentage') ?? null,
    heapBytes: any?.numberOrNull('HeapSizeBytes') ?? null,
    fragmentedBytes: any?.numberOrNull('FragmentedBytes') ?? null,
    /** Gaps in the heap after the last collection of each kind. */
    fragmented: COLLECTIONS.flatMap((kind) => {
      const of = body.inOrNull(kind)
      const heapBytes = of?.numberOrNull('HeapSizeBytes') ?? null
      const gapBytes = of?.numberOrNull('FragmentedBytes') ?? null
      return heapBytes === null || gapBytes === null ? [] : [{ kind, heapBytes, gapBytes }]
    }),
  }
}

/** Reads `/admin/debug/cpu/stats`: totals since the process started. */
export function readCpuTime(response: unknown) {
  const [process] = new Fields(response).each('CpuStats')
  const ms = (name: string): number => parseTimeSpanMs(process?.textOrNull(name) ?? '')
  return { totalMs: ms('TotalProcessorTime'), kernelMs: ms('PrivilegedProcessorTime') }
}

export interface ListedCertificate {
  readonly name: string
  /** Certificate that the server itself uses. */
  readonly isServer: boolean
  readonly endTicks: Ticks | null
}

/** Reads `/admin/certificates`: none on a server that is not secured. */
export function readCertificates(response: unknown): ListedCertificate[] {
  const body = new Fields(response)
  const loaded = body.textOrNull('LoadedServerCert')
  return body.eachOrNone('Results').map((each) => ({
    name: each.textOrNull('Name') ?? '',
    isServer: loaded !== null && each.textOrNull('Thumbprint') === loaded,
    endTicks: each.ticksOrNull('NotAfter'),
  }))
}

const MOST_THREADS = 10

/** Reads `/admin/debug/threads/runaway`: CPU over the second before the response. */
export function readThreads(response: unknown) {
  const body = new Fields(response).in('Runaway Threads')
  return {
    machinePercent: body.numberOrNull('CpuUsage'),
    processPercent: body.numberOrNull('ProcessCpuUsage'),
    cores: body.numberOrNull('ActiveCores'),
    threads: body.numberOrNull('ThreadsCount'),
    /** Threads by the CPU time that they took since they began, most first. */
    busiest: body
      .eachOrNone('List')
      .map((each) => ({
        id: each.numberOrNull('Id') ?? 0,
        name: each.textOrNull('Name')?.trim() ?? '',
        cpuMs: parseTimeSpanMs(each.textOrNull('TotalProcessorTime') ?? ''),
        kernelMs: parseTimeSpanMs(each.textOrNull('PrivilegedProcessorTime') ?? ''),
      }))
      .filter(({ cpuMs }) => cpuMs > 0)
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, MOST_THREADS),
  }
}

/**
 * `/cluster/topology`: role of the node itself (`Member`, `Promotable`, `Rehab`), and errors that it lists, which no version
 * seen has.
 */
export function readTopologyNotes(response: unknown): { readonly role: string | null; readonly errors: string[] } {
  const { ServerRole: role, Errors: errors } = asObject(response, '$')
  return {
    role: typeof role === 'string' ? role : null,
    errors: (Array.isArray(errors) ? (errors as unknown[]) : []).map(wordsOfError).filter((text) => text !== ''),
  }
}

/** A text, or the texts of an alert. */
function wordsOfError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error === 'string' ? error : ''
  const { Title: title, Message: message } = error as Readonly<Record<string, unknown>>
  return [title, message].filter((part) => typeof part === 'string').join(' ')
}

/** For a response that is checked by its own reader. */
export const asItIs = (response: unknown): unknown => response
