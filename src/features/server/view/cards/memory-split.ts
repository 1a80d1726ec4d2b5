import type { Bytes } from '../../../../base/brand.ts'
import { privateBytesOf } from '../../../../ravendb/machine/kernel-memory.ts'
import type { ServerGc, ServerMemory } from '../../../../feeds/server/contract/machine.ts'

export type MemoryPartId =
  | 'gen0'
  | 'gen1'
  | 'gen2'
  | 'loh'
  | 'poh'
  | 'fragmented'
  | 'unused'
  | 'native'
  | 'code'
  | 'private'
  | 'dirty'
  | 'others'
  | 'used'
  | 'clean'
  | 'reclaimable'
  | 'free'

/** Segment of the bar. */
export interface MemoryPart {
  readonly id: MemoryPartId
  readonly title: string
  /** Explains the segment, and whether its memory can be freed. */
  readonly explains: string
  readonly bytes: Bytes
  /** Whether it is private memory of the server, which only the server can free. */
  readonly isPrivate: boolean
}

export interface MemorySplit {
  /** Segments from left to right; they add up to the physical memory. */
  readonly parts: readonly MemoryPart[]
  /** Private memory of the server process. Null: the kernel’s figures of the process, its only source, are missing. */
  readonly privateBytes: Bytes | null
  readonly physicalBytes: Bytes
  /** Position in the bar beyond which less memory is available than the low-memory limit. */
  readonly lowFromBytes: Bytes
}

const HEAP_TITLES = {
  gen0: 'Generation 0',
  gen1: 'Generation 1',
  gen2: 'Generation 2',
  loh: 'Large objects',
  poh: 'Pinned objects',
} as const

/**
 * Splits the machine's memory by who holds it.
 *
 * ```
 * |gen0|gen1|gen2|loh|poh|gaps|unused|native|code|dirty|  others  |clean files|reclaimable|free|
 * |------------------ private -------------------|                |-------- available --------|
 * ```
 * Its figures are of several moments and do not quite add up: a part is never negative and never larger than what is
 * left of the machine. Where only the server's own figures are known there is no split: in use, reclaimable, free.
 */
export function splitMemory(memory: ServerMemory, gc: ServerGc | null): MemorySplit {
  const { physicalBytes, freeBytes, availableBytes, process, lowLimit } = memory
  const parts: MemoryPart[] = []
  let left: number = physicalBytes
  const add = (id: MemoryPartId, title: string, explains: string, bytes: number, isPrivate = false): void => {
    const held = Math.max(0, Math.min(left, bytes))
    left -= held
    if (held > 0) parts.push({ id, title, explains, bytes: held as Bytes, isPrivate })
  }
  const privateBytes = process === null ? null : privateBytesOf(process)
  if (privateBytes !== null && memory.source === 'kernel') {
    for (const part of privateParts(memory, gc)) add(part.id, part.title, part.explains, part.bytes, true)
    if (memory.files !== null)
      add(
        'dirty',
        'Files, dirty',
        'Pages of the server’s files that must be written before they can be given back.',
        memory.files.dirtyBytes,
      )
  }
  const available = Math.min(left, availableBytes)
  if (privateBytes !== null && memory.source === 'kernel')
    add(
      'others',
      'Others and the system',
      'Everything else that cannot be dropped. Approximate: available memory is itself an estimate of the system.',
      left - available,
    )
  else
    add(
      'used',
      'In use',
      'By this server, other programs and the system. Nothing reports how much of it is whose.',
      left - available,
    )
  const free = Math.min(left, freeBytes)
  const files = memory.source === 'kernel' ? (memory.files?.cleanBytes ?? 0) : 0
  add(
    'clean',
    'Files, clean',
    'Pages of the server’s data files and programs that are on disk as well: the system takes them back at once, so much of them costs nothing.',
    Math.min(left - free, files),
  )
  add('reclaimable', 'Reclaimable', 'Caches of the system that it drops when memory is needed.', left - free)
  add('free', 'Free', 'Holds nothing.', left)
  return { parts, privateBytes, physicalBytes, lowFromBytes: Math.max(0, physicalBytes - lowLimit.bytes) as Bytes }
}

/** Splits private memory of the process; the managed heap is as of the end of the newest collection. */
function privateParts({ process }: ServerMemory, gc: ServerGc | null): Omit<MemoryPart, 'isPrivate'>[] {
  if (process === null) return []
  const parts: Omit<MemoryPart, 'isPrivate'>[] = []
  let left: number = process.anonymousBytes
  const add = (id: MemoryPartId, title: string, explains: string, bytes: number): void => {
    const held = Math.max(0, Math.min(left, bytes))
    left -= held
    parts.push({ id, title, explains, bytes: held as Bytes })
  }
  const heaps = gc?.newest?.heaps ?? []
  for (const { heap, afterBytes, fragmentedAfterBytes } of heaps)
    add(
      heap,
      HEAP_TITLES[heap],
      'Managed objects, as the newest garbage collection left them, without the gaps between.',
      afterBytes - fragmentedAfterBytes,
    )
  if (heaps.length > 0)
    add(
      'fragmented',
      'Fragmentation',
      'Gaps between managed objects.',
      heaps.reduce((sum, { fragmentedAfterBytes }) => sum + fragmentedAfterBytes, 0),
    )
  const committed = gc?.detail?.committedBytes ?? null
  if (committed !== null)
    add(
      'unused',
      'Managed since then, or kept',
      'Committed by the managed heap beyond what the newest collection left: objects made since, and room for more.',
      committed - heaps.reduce((sum, { afterBytes }) => sum + afterBytes, 0),
    )
  if (heaps.length === 0)
    add('private', 'Heaps, managed and native', 'No garbage collection was reported that would divide it.', left)
  else
    add(
      'native',
      committed === null ? 'Native and managed since then' : 'Native and runtime',
      'Memory outside of the managed heap: of queries, indexing and transactions, and of the runtime itself.',
      left,
    )
  parts.push({
    id: 'code',
    title: 'Compiled code',
    explains: 'Shared memory of the process: code that the runtime compiled.',
    bytes: process.sharedBytes,
  })
  return parts
}
