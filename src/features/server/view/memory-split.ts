import type { Bytes } from '../../../base/brand.ts'
import type { ServerGc, ServerMemory } from '../queries.ts'

export type MemoryPartId =
  | 'gen0'
  | 'gen1'
  | 'gen2'
  | 'loh'
  | 'poh'
  | 'managed'
  | 'unmanaged'
  | 'dirty'
  | 'mapped'
  | 'others'
  | 'reclaimable'
  | 'available'
  | 'swap'

/** A piece of the bar. */
export interface MemoryPart {
  readonly id: MemoryPartId
  readonly title: string
  /** What it is and whether it can be had back. */
  readonly explains: string
  readonly bytes: Bytes
  /** Nobody but the server can give it back, and it does so only by working less. */
  readonly isPrivate: boolean
}

export interface MemorySplit {
  /** Left to right. All but swap add up to the physical memory, as far as the figures fit together. */
  readonly parts: readonly MemoryPart[]
  readonly privateBytes: Bytes
  readonly physicalBytes: Bytes
  /** Where the last quarter of the machine begins, which the server leaves to mapped files. */
  readonly quarterFromBytes: Bytes
  /** Physical and swap: the width of the bar. */
  readonly totalBytes: Bytes
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
 * |gen0|gen1|gen2|loh|poh|rest of managed|unmanaged|dirty|mapped, clean|others|could be given back|free|  |swap|
 * |------------------- private ----------------------|
 * |---------------- working set of the server ----------------------|
 * ```
 * Figures of one moment come from several places of the server and do not quite add up: a part is never negative and
 * never larger than what is left. The generations are as the last collection left them.
 */
export function splitMemory(memory: ServerMemory, gc: ServerGc | null): MemorySplit {
  const parts: MemoryPart[] = []
  let left: number = memory.physicalBytes
  const add = (id: MemoryPartId, title: string, explains: string, bytes: number, isPrivate = false): void => {
    const held = Math.max(0, Math.min(left, bytes))
    left -= held
    if (held > 0) parts.push({ id, title, explains, bytes: held as Bytes, isPrivate })
  }
  const newest = gc?.kinds.toSorted((a, b) => b.index - a.index)[0]
  let managed: number = Math.min(memory.managedBytes, memory.workingSetBytes)
  for (const { heap, afterBytes } of newest?.heaps ?? []) {
    const held = Math.min(managed, afterBytes)
    managed -= held
    add(heap, HEAP_TITLES[heap], 'Managed objects, as the last garbage collection left them.', held, true)
  }
  add(
    'managed',
    newest === undefined ? 'Managed' : 'Managed since then',
    'Managed objects of the server that the garbage collector has not looked at yet.',
    managed,
    true,
  )
  let workingSet = memory.workingSetBytes - Math.min(memory.managedBytes, memory.workingSetBytes)
  const unmanaged = Math.min(workingSet, memory.unmanagedBytes)
  add(
    'unmanaged',
    'Unmanaged',
    'What queries, indexing and transactions hold outside of the managed heap, Lucene and encryption among it.',
    unmanaged,
    true,
  )
  workingSet -= unmanaged
  const dirty = Math.min(workingSet, memory.dirtyBytes)
  add('dirty', 'Dirty', 'Changed and not yet written to disk: cannot be dropped before that.', dirty, true)
  workingSet -= dirty
  add(
    'mapped',
    'Mapped, clean',
    'Pages of data files, and the program itself. They are on disk as well, so the system takes them back at once when it needs memory: high here costs nothing.',
    workingSet,
  )
  const reclaimable = Math.max(0, memory.availableForProcessingBytes - memory.availableBytes)
  add(
    'others',
    'Other programs',
    'Everything on this machine that is not this server, and that nobody can take away.',
    left - memory.availableBytes - reclaimable,
  )
  add(
    'reclaimable',
    'Could be given back',
    'Caches of the system: the server counts them as available for its work.',
    Math.min(reclaimable, left - memory.availableBytes),
  )
  add('available', 'Free', 'Nobody uses it.', left)
  const privateBytes = parts.reduce((sum, part) => sum + (part.isPrivate ? part.bytes : 0), 0)
  if (memory.swapBytes > 0)
    parts.push({
      id: 'swap',
      title: 'Swap',
      explains: 'Moved out to disk. What touches it waits for the disk.',
      bytes: memory.swapBytes,
      isPrivate: false,
    })
  return {
    parts,
    privateBytes: privateBytes as Bytes,
    physicalBytes: memory.physicalBytes,
    quarterFromBytes: (memory.physicalBytes * 0.75) as Bytes,
    totalBytes: (memory.physicalBytes + memory.swapBytes) as Bytes,
  }
}
