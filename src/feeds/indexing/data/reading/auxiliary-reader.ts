import type { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { readValue } from '../../../../base/json/json-value.ts'
import { keys, type Rule } from '../../../../base/json/json-walk.ts'
import type { DocumentReader } from '../../../../capture/reading/document.ts'

/**
 * Kinds of documents in files, besides batches: state and progress of indexes, memory of the server, low-memory events.
 */
export type BesideKind = 'stats' | 'progress' | 'memory' | 'low-memory'

/** A document of one of these kinds, in the server's own shape; the receiver validates it. */
export interface BesideDocument {
  /** Time at which the server wrote it (`@metadata.DateTime`); null: not reported (some responses never report it). */
  readonly writtenAt: string | null
  readonly results: readonly unknown[]
  readonly memory: Readonly<Record<string, unknown>> | null
  readonly threads: readonly unknown[]
  readonly events: readonly unknown[]
}

/** Kinds by a path that only they have. An empty list matches none of them. */
const PATHS: readonly (readonly [path: string, kind: BesideKind])[] = [
  ['$.Results[].MapAttempts', 'stats'],
  ['$.Results[].IndexRunningStatus', 'progress'],
  ['$.MemoryInformation', 'memory'],
  ['$.Low Memory Events', 'low-memory'],
]

export const besideKindOf = (paths: ReadonlySet<string>): BesideKind | null =>
  PATHS.find(([path]) => paths.has(path))?.[1] ?? null

/** Figures of `MemoryInformation` that are read. The server writes them as text. */
export const MEMORY_FIELDS = [
  'PhysicalMemory',
  'WorkingSet',
  'ManagedAllocations',
  'UnmanagedAllocations',
  'MemoryMapped',
  'DirtyMemory',
  'AvailableMemory',
  'AvailableMemoryForProcessing',
  'TotalSwapUsage',
] as const

/** Reads documents of these kinds as their bytes arrive, record by record; skips the long lists of mappings. */
export function besideReader(take: (document: BesideDocument) => void): DocumentReader {
  let writtenAt: string | null = null
  let memory: Record<string, unknown> | null = null
  const lists = { results: [] as unknown[], threads: [] as unknown[], events: [] as unknown[] }
  let isOpen = false
  const begin = (): void => {
    isOpen = true
    writtenAt = null
    memory = null
    for (const list of Object.values(lists)) list.length = 0
  }
  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    take({
      writtenAt,
      memory,
      results: [...lists.results],
      threads: [...lists.threads],
      events: [...lists.events],
    })
  }
  const records = (list: unknown[]): Rule => ({
    kind: 'records',
    any: true,
    read: (json: JsonBytes) => void list.push(readValue(json)),
  })
  const rule: Rule = {
    kind: 'object',
    begin,
    end,
    keys: keys({
      '@metadata': {
        kind: 'object',
        keys: keys({
          DateTime: { kind: 'value', take: (value) => (writtenAt = typeof value === 'string' ? value : null) },
        }),
      },
      Results: records(lists.results),
      Threads: records(lists.threads),
      'Low Memory Events': records(lists.events),
      MemoryInformation: {
        kind: 'object',
        begin: () => (memory = {}),
        keys: keys(
          Object.fromEntries(
            MEMORY_FIELDS.map((field): [string, Rule] => [
              field,
              { kind: 'value', take: (value) => void (memory !== null && (memory[field] = value)) },
            ]),
          ),
        ),
      },
    }),
  }
  return { rule, salvage: end }
}
