import type { Bytes } from '../../base/brand.ts'
import { Fields } from '../../base/json/fields.ts'
import type { Ticks } from '../../base/ticks.ts'
import { readIndexErrors } from '../databases/database-details.ts'

/*
 * Readers of responses about a database that a page requests once. Errors of all readers: `ParseError`. A null field:
 * not reported.
 */

/** Reads the record of a database; keeps nothing that may be secret. */
export function readRecord(response: unknown) {
  const body = new Fields(response)
  const compression = body.inOrNull('DocumentsCompression')
  const topology = body.inOrNull('Topology')
  const text = (each: unknown): string => String(each)
  return {
    name: body.text('DatabaseName'),
    isDisabled: body.isTrue('Disabled'),
    isEncrypted: body.isTrue('Encrypted'),
    isCompressed:
      compression?.isTrue('CompressAllCollections') === true ||
      (compression?.listOrNone('Collections', text).length ?? 0) > 0,
    members: topology?.listOrNone('Members', text) ?? [],
    rehabs: topology?.listOrNone('Rehabs', text) ?? [],
    promotables: topology?.listOrNone('Promotables', text) ?? [],
    /** Definitions of user-made indexes, as text, for comparison between nodes. */
    definitions: new Map(
      Object.entries(body.inOrNull('Indexes')?.all ?? {}).map(([name, each]) => [
        name,
        JSON.stringify([new Fields(each).all['Maps'], new Fields(each).all['Reduce']]),
      ]),
    ) as ReadonlyMap<string, string>,
  }
}

/** `stats`. */
export function readCounts(response: unknown) {
  const body = new Fields(response)
  return {
    documents: body.quantityOrNull('CountOfDocuments'),
    indexes: body.quantityOrNull('CountOfIndexes'),
    tombstones: body.quantityOrNull('CountOfTombstones'),
    conflicts: body.quantityOrNull('CountOfConflicts'),
    bytes: body.inOrNull('SizeOnDisk')?.quantityOrNull('SizeInBytes') ?? null,
    tempBytes: body.inOrNull('TempBuffersSizeOnDisk')?.quantityOrNull('SizeInBytes') ?? null,
    /** Writes in the queue of the transaction merger. */
    waiting: body.numberOrNull('NumberOfTransactionMergerQueueOperations'),
    lastIndexingTicks: body.ticksOrNull('LastIndexingTime'),
  }
}

export interface IndexFacts {
  readonly name: string
  readonly type: string
  /** `Normal`, `Idle`, `Disabled`, `Error`. */
  readonly state: string
  /** `Running`, `Paused`, `Disabled`, `Pending`. */
  readonly status: string | null
  readonly isStale: boolean
  readonly errors: number
  readonly entries: number | null
  /** Number of document changes that it has not processed, in the collection where it is furthest behind. */
  readonly behind: number
  /**
   * Etag distance between the newest deletion it processed and the newest of its collection; much larger than the
   * number of deletions.
   */
  readonly deletionLag: number
  readonly indexedTicks: Ticks | null
  readonly queriedTicks: Ticks | null
  /** Maximum number of entries from one document. */
  readonly outputs: number | null
  /** Collections whose documents it loads. */
  readonly references: readonly string[]
  readonly engine: string | null
}

/** Reads `indexes/stats`. Lags are differences of etags, so they count changes of other collections as well. */
export const readIndexes = (response: unknown): IndexFacts[] =>
  new Fields(response).each('Results').map((entry) => {
    const collections = entry.inOrNull('Collections')
    const furthest = (field: string): number =>
      Object.keys(collections?.all ?? {}).reduce(
        (most, name) => Math.max(most, collections?.in(name).quantityOrNull(field) ?? 0),
        0,
      )
    return {
      name: entry.text('Name'),
      type: entry.textOrNull('Type') ?? '',
      state: entry.textOrNull('State') ?? 'Normal',
      status: entry.textOrNull('Status'),
      isStale: entry.isTrue('IsStale'),
      errors: entry.quantityOrNull('ErrorsCount') ?? 0,
      entries: entry.quantityOrNull('EntriesCount'),
      behind: furthest('DocumentLag'),
      deletionLag: furthest('TombstoneLag'),
      indexedTicks: entry.ticksOrNull('LastIndexingTime'),
      queriedTicks: entry.ticksOrNull('LastQueryingTime'),
      outputs: entry.quantityOrNull('MaxNumberOfOutputsPerDocument'),
      references: entry.listOrNone('ReferencedCollections', (each) => String(each)),
      engine: entry.textOrNull('SearchEngineType'),
    }
  })

/** Reads `indexes/errors`: number of errors and the newest one, for each index that has any. */
export function readErrors(response: unknown) {
  const byIndex = new Map<string, { count: number; newestTicks: Ticks | null; newest: string }>()
  for (const { index, atTicks, error } of readIndexErrors(response).errors) {
    const known = byIndex.get(index)
    // The server sends the newest first.
    if (known === undefined) byIndex.set(index, { count: 1, newestTicks: atTicks, newest: error.slice(0, 300) })
    else known.count++
  }
  return byIndex as ReadonlyMap<
    string,
    { readonly count: number; readonly newestTicks: Ticks | null; readonly newest: string }
  >
}

/** Reads `indexes`: names of those that store all fields. */
export const readStoresAll = (response: unknown): string[] =>
  new Fields(response)
    .each('Results')
    .filter((each) => each.inOrNull('Fields')?.inOrNull('__all_fields')?.all['Storage'] === 'Yes')
    .map((each) => each.text('Name'))

export interface HugeDocument {
  readonly id: string
  readonly bytes: Bytes
  readonly atTicks: Ticks | null
}

/** Reads `debug/documents/huge`: documents above the configured size that were recently loaded or stored. */
export function readHuge(response: unknown): HugeDocument[] {
  const uses = new Fields(response).each('Results').map((each) => ({
    id: each.text('Id'),
    bytes: each.number('Size') as Bytes,
    atTicks: each.ticksOrNull('LastAccess'),
  }))
  // The server lists each use of a document, which may have had another size then.
  const newest = new Map(uses.toSorted((a, b) => (a.atTicks ?? 0) - (b.atTicks ?? 0)).map((each) => [each.id, each]))
  return [...newest.values()].toSorted((a, b) => b.bytes - a.bytes)
}

export interface HeldTombstones {
  /** Name of the index, task or subscription that has not processed them. */
  readonly name: string
  /** `Index`, `Backup`, `Replication`, …; null: this version names only the process. */
  readonly process: string | null
  readonly collection: string
  /** Number of remaining tombstones; null: this version does not count them. */
  readonly left: number | null
  /** Whether the server reports that it prevents their removal. */
  readonly isBlocking: boolean
}

/** Etag that the server writes if nothing holds tombstones back. */
const NOTHING_HELD = 2 ** 63

/**
 * Reads what holds tombstones in `admin/tombstones/state`. 7.1 counts them by process; earlier versions report only the
 * process furthest behind.
 */
export function readTombstones(response: unknown): HeldTombstones[] {
  const body = new Fields(response)
  const counted = body.all['PerSubscriptionInfoExtended']
  if (counted == null)
    return body.eachOrNone('Results').flatMap((each): HeldTombstones[] => {
      const held = each.inOrNull('Documents')
      const component = held?.textOrNull('Component') ?? null
      if (component === null || (held?.numberOrNull('Etag') ?? NOTHING_HELD) >= NOTHING_HELD) return []
      const [, index] = /^Index '(.*)'$/.exec(component) ?? []
      return [
        {
          name: index ?? component,
          process: index === undefined ? null : 'Index',
          collection: each.textOrNull('Collection') ?? '',
          left: null,
          isBlocking: true,
        },
      ]
    })
  return body.each('PerSubscriptionInfoExtended').flatMap((each): HeldTombstones[] => {
    const left = each.quantityOrNull('NumberOfTombstoneLeft') ?? 0
    if (left === 0) return []
    return [
      {
        name: each.textOrNull('Identifier') ?? '',
        process: each.textOrNull('Process'),
        collection: each.textOrNull('Collection') ?? '',
        left,
        isBlocking: each.all['CleanupStatus'] === 'Blocking',
      },
    ]
  })
}

/** Reads `debug/queries/running`: queries by index. The entry does not contain the name of the database. */
export const readQueries =
  (database: string) =>
  (response: unknown): unknown => {
    const body = new Fields(response)
    return [
      {
        DatabaseName: database,
        RunningQueries: Object.keys(body.all)
          .filter((key) => key !== '@metadata')
          .flatMap((index) => body.each(index).map((each) => Object.assign({ IndexName: index }, each.all))),
      },
    ]
  }
