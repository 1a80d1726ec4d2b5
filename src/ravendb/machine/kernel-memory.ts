import type { Bytes } from '../../base/brand.ts'
import { asNumber, asObject, ParseError } from '../../base/json/check.ts'
import type { RavenError } from '../errors/errors.ts'
import type { Governor } from '../governor/governor.ts'

/** Memory as the Linux kernel reports it, at one moment. */
export interface KernelMemory {
  /** Memory of the machine; inside a container that of the host. */
  readonly totalBytes: Bytes
  /** Completely unused memory. */
  readonly freeBytes: Bytes
  /** Memory that programs can get without swapping, by the kernel: free, and caches that can be dropped. */
  readonly availableBytes: Bytes
  /** File pages of any process that are not written yet: `Dirty` and `Writeback`. */
  readonly unwrittenBytes: Bytes
  /** Memory of the server's process. */
  readonly process: ProcessMemory
  /** Memory limit of the .NET runtime, as reported; null: not known. */
  readonly runtimeBytes: Bytes | null
}

/** Share of the machine's memory below which the runtime's limit shows a container. */
const CONFINED_SHARE = 0.99

/** Whether the server is limited to less memory than the machine has: the kernel's figures then describe the host. */
export const isConfined = ({ runtimeBytes, totalBytes }: KernelMemory): boolean =>
  runtimeBytes !== null && runtimeBytes < totalBytes * CONFINED_SHARE

export interface ProcessMemory {
  /** All resident memory: the sum of the next three. */
  readonly residentBytes: Bytes
  /** Heaps and stacks, which can only be swapped out or freed by the process. */
  readonly anonymousBytes: Bytes
  /** Pages of mapped files. */
  readonly fileBytes: Bytes
  /** Shared memory; in a .NET process mostly compiled code, as private as anonymous memory. */
  readonly sharedBytes: Bytes
  readonly swapBytes: Bytes
}

/** Private memory of a process, which only the process itself can free. */
export const privateBytesOf = ({
  anonymousBytes,
  sharedBytes,
}: Pick<ProcessMemory, 'anonymousBytes' | 'sharedBytes'>): Bytes => (anonymousBytes + sharedBytes) as Bytes

/** Reads `/proc/self/status` and `/proc/meminfo`. Errors: `ParseError`. */
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

/** Reads `/proc/self/status`. Errors: `ParseError`. */
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

/** Reads lines such as `VmRSS:	 1948828 kB`; a kB of the kernel is 1024 bytes. */
function fieldsOf(text: string): ReadonlyMap<string, Bytes> {
  const fields = new Map<string, Bytes>()
  for (const [, name = '', kib] of text.matchAll(/^(\w+):\s+(\d+) kB$/gm))
    fields.set(name, (Number(kib) * 1024) as Bytes)
  return fields
}

/** Why the kernel's figures are missing: the certificate is not Operator, or the server does not run on Linux. */
export type KernelMemoryLack = 'right' | 'system'

export interface KernelMemoryOptions {
  readonly onMemory: (memory: KernelMemory, atMs: number) => void
  /** Called once for each failed attempt. */
  readonly onLacking: (why: KernelMemoryLack, error: RavenError, atMs: number) => void
  /** Whether it continues while the page is hidden. */
  readonly inBackground?: () => boolean
}

/** Interval, ms. A reading costs less than 1 ms of CPU; the server's own widget walks its page tables. */
export const KERNEL_MEMORY_EVERY_MS = 15_000
/** Time, ms, before the next attempt after a refusal: a right or a system changes rarely. */
const AGAIN_MS = 300_000

/** Polls the kernel's figures through the server, once for all pages of a browser. Returns a function that ends it. */
export function watchKernelMemory(governor: Governor, options: KernelMemoryOptions): () => void {
  const { env } = governor
  let stopPoll = (): void => {}
  let again: ReturnType<typeof env.setTimeout> | null = null
  const begin = (): void => {
    again = null
    stopPoll = governor.repeatShared(
      'procStatus',
      'memory of the kernel',
      (signal) => requestKernel(governor, signal),
      {
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
      },
    )
  }
  begin()
  return () => {
    stopPoll()
    if (again !== null) env.clearTimeout(again)
  }
}

async function requestKernel(governor: Governor, signal: AbortSignal): Promise<KernelMemory> {
  const text = async (key: 'procStatus' | 'procMeminfo'): Promise<string> =>
    new TextDecoder().decode(await governor.bytes(key, {}, { signal, priority: 'poll' }))
  const [status, meminfo] = await Promise.all([text('procStatus'), text('procMeminfo')])
  return readKernelMemory(status, meminfo, await runtimeBytesOf(governor, signal))
}

/** Time, ms, for which the runtime's limit is used: it changes only with the limits of the container. */
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
    // There was no garbage collection yet.
    if (bytes === 0) return null
    runtimes.set(governor, { atMs, bytes })
    return bytes
  } catch {
    return null
  }
}

/** Lasting reason for missing figures; null: the next attempt may succeed. */
function lackOf({ kind }: RavenError): KernelMemoryLack | null {
  switch (kind) {
    case 'refused':
      return 'right'
    // Another operating system has no such route, or no such file.
    case 'route-missing':
    case 'bad-request':
    case 'server':
    case 'unexpected':
      return 'system'
    default:
      return null
  }
}
