import type { Bytes } from '../base/brand.ts'
import { asNumber, asObject, ParseError } from '../base/json/check.ts'
import type { RavenError } from './http/errors.ts'
import type { Governor } from './budget/governor.ts'

/** Memory as the Linux kernel reports it, of one moment. */
export interface KernelMemory {
  /** Memory of the machine; inside a container that of the host. */
  readonly totalBytes: Bytes
  /** Holds nothing at all. */
  readonly freeBytes: Bytes
  /** Memory that a program can get without swapping, as the kernel estimates it: free, and caches that it can drop. */
  readonly availableBytes: Bytes
  /** Pages of files, of any process, that are not written yet: `Dirty` and `Writeback`. */
  readonly unwrittenBytes: Bytes
  /** Memory of the server's process. */
  readonly process: ProcessMemory
  /** Limit of the server's runtime, as reported once; null: not known. */
  readonly runtimeBytes: Bytes | null
}

/** A runtime that may use less than this share of the machine is confined to a container. */
const CONFINED_SHARE = 0.99

/** The server is confined to less memory than the machine has: the kernel's figures of the machine are of its host. */
export const isConfined = ({ runtimeBytes, totalBytes }: KernelMemory): boolean =>
  runtimeBytes !== null && runtimeBytes < totalBytes * CONFINED_SHARE

export interface ProcessMemory {
  /** All that is in memory: the sum of the next three. */
  readonly residentBytes: Bytes
  /** Heaps and stacks: gone with the process, to be had back by swapping only. */
  readonly anonymousBytes: Bytes
  /** Pages of mapped files. */
  readonly fileBytes: Bytes
  /** Shared memory; of a .NET process mostly compiled code, as private as anonymous memory. */
  readonly sharedBytes: Bytes
  readonly swapBytes: Bytes
}

/** Private memory of a process: nothing but the process itself can give it back. */
export const privateBytesOf = ({
  anonymousBytes,
  sharedBytes,
}: Pick<ProcessMemory, 'anonymousBytes' | 'sharedBytes'>): Bytes => (anonymousBytes + sharedBytes) as Bytes

/** Texts of `/proc/self/status` and `/proc/meminfo`. Errors: `ParseError`. */
export function readKernelMemory(status: string, meminfo: string, runtimeBytes: Bytes | null = null): KernelMemory {
  const machine = fieldsOf(meminfo)
  return {
    totalBytes: sizeOf(machine, 'MemTotal'),
    freeBytes: sizeOf(machine, 'MemFree'),
    availableBytes: sizeOf(machine, 'MemAvailable'),
    unwrittenBytes: (sizeOf(machine, 'Dirty') + sizeOf(machine, 'Writeback')) as Bytes,
    process: readProcessMemory(status),
    runtimeBytes,
  }
}

/** Text of `/proc/self/status`. Errors: `ParseError`. */
export function readProcessMemory(status: string): ProcessMemory {
  const process = fieldsOf(status)
  return {
    residentBytes: sizeOf(process, 'VmRSS'),
    anonymousBytes: sizeOf(process, 'RssAnon'),
    fileBytes: sizeOf(process, 'RssFile'),
    sharedBytes: sizeOf(process, 'RssShmem'),
    swapBytes: sizeOf(process, 'VmSwap'),
  }
}

function sizeOf(fields: ReadonlyMap<string, Bytes>, name: string): Bytes {
  const value = fields.get(name)
  if (value === undefined) throw new ParseError(name, 'a size in kB', 'nothing')
  return value
}

/** `VmRSS:	 1948828 kB`; a kB of the kernel is 1024 bytes. */
function fieldsOf(text: string): ReadonlyMap<string, Bytes> {
  const fields = new Map<string, Bytes>()
  for (const [, name = '', kib] of text.matchAll(/^(\w+):\s+(\d+) kB$/gm))
    fields.set(name, (Number(kib) * 1024) as Bytes)
  return fields
}

/** Why the kernel's figures cannot be had: the certificate is no Operator's, or the server does not run on Linux. */
export type KernelMemoryLack = 'right' | 'system'

export interface KernelMemoryOptions {
  readonly onMemory: (memory: KernelMemory, atMs: number) => void
  /** Called once for each attempt. */
  readonly onLacking: (why: KernelMemoryLack, error: RavenError, atMs: number) => void
  /** Continues while the page is hidden. */
  readonly inBackground?: () => boolean
}

/** A round costs less than a millisecond of the server's CPU; the server's own widget walks its page tables instead. */
export const KERNEL_MEMORY_EVERY_MS = 15_000
/** A right or a system changes rarely. */
const AGAIN_MS = 300_000

/** Polls the kernel's figures through the server, once for all pages of a browser. Returns how to stop. */
export function watchKernelMemory(governor: Governor, options: KernelMemoryOptions): () => void {
  const { env } = governor
  let stopPoll = (): void => {}
  let again: ReturnType<typeof env.setTimeout> | null = null
  const begin = (): void => {
    again = null
    stopPoll = governor.repeatShared('procStatus', 'memory of the kernel', (signal) => askKernel(governor, signal), {
      everyMs: KERNEL_MEMORY_EVERY_MS,
      costMs: () => governor.costMs('procStatus') + governor.costMs('procMeminfo'),
      inBackground: options.inBackground,
      vital: true,
      onResponse: options.onMemory,
      onError: (error, atMs) => {
        const why = lackOf(error)
        if (why === null) return
        stopPoll()
        options.onLacking(why, error, atMs)
        again = env.setTimeout(begin, AGAIN_MS)
      },
    })
  }
  begin()
  return () => {
    stopPoll()
    if (again !== null) env.clearTimeout(again)
  }
}

async function askKernel(governor: Governor, signal: AbortSignal): Promise<KernelMemory> {
  const text = async (key: 'procStatus' | 'procMeminfo'): Promise<string> =>
    new TextDecoder().decode(await governor.bytes(key, {}, { signal, priority: 'poll' }))
  const [status, meminfo] = await Promise.all([text('procStatus'), text('procMeminfo')])
  return readKernelMemory(status, meminfo, await runtimeBytesOf(governor, signal))
}

/** Time for which the runtime's limit holds, ms: it changes with the limits of the container only. */
const RUNTIME_HOLDS_MS = 3_600_000
const runtimes = new WeakMap<Governor, { readonly atMs: number; readonly bytes: Bytes }>()

async function runtimeBytesOf(governor: Governor, signal: AbortSignal): Promise<Bytes | null> {
  const atMs = governor.env.now()
  const known = runtimes.get(governor)
  if (known !== undefined && atMs - known.atMs < RUNTIME_HOLDS_MS) return known.bytes
  try {
    const response = asObject(await governor.json('memoryGc', {}, { signal, priority: 'poll' }), '$')
    const newest = asObject(response['Any'], '$.Any')
    const bytes = asNumber(newest['TotalAvailableMemoryBytes'], '$.Any.TotalAvailableMemoryBytes') as Bytes
    // Nothing was collected yet.
    if (bytes === 0) return null
    runtimes.set(governor, { atMs, bytes })
    return bytes
  } catch {
    return null
  }
}

/** Lasting reason for missing figures; null: the next attempt may work. */
function lackOf({ kind }: RavenError): KernelMemoryLack | null {
  switch (kind) {
    case 'refused':
      return 'right'
    // Another system has no such route, or no such file to read.
    case 'route-missing':
    case 'bad-request':
    case 'server':
    case 'unexpected':
      return 'system'
    default:
      return null
  }
}
