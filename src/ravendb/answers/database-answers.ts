import type { Bytes } from '../../base/brand.ts'
import { Fields } from '../../base/json/fields.ts'
import type { Ticks } from '../../base/ticks.ts'
import { readIndexErrors } from '../databases/database-details.ts'

/*
 * Readers of responses about a database that a page requests once. Errors of all readers: `ParseError`. A null field:
 * not reported.
 */

/** The record of a database, of which nothing is kept that may be secret. */
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
    /** Definitions of the indexes that users made, as text, to be compared between nodes. */
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
    /** Writes that wait for the transaction merger. */
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
  /** Changes of documents that it has not seen, of the collection in which it is furthest behind. */
  readonly behind: number
  /** How far its newest deletion is behind the newest of its collection: far more than there are deletions. */
  readonly deletionLag: number
  readonly indexedTicks: Ticks | null
  readonly queriedTicks: Ticks | null
  /** Most entries that one document made. */
  readonly outputs: number | null
  /** Collections whose documents it loads. */
  readonly references: readonly string[]
  readonly engine: string | null
}

/** `indexes/stats`. Lags are differences of etags: they count changes of other collections, too. */
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

/** `indexes/errors`: of each index that has some, how many, and the newest. */
export function readErrors(response: unknown) {
  const byIndex = new Map<string, { count: number; newestTicks: Ticks | null; newest: string }>()
  for (const { index, atTicks, error } of readIndexErrors(response).errors) {
    const known = byIndex.get(index)
    // They come newest first.
    if (known === undefined) byIndex.set(index, { count: 1, newestTicks: atTicks, newest: error.slice(0, 300) })
    else known.count++
  }
  return byIndex as ReadonlyMap<
    string,
    { readonly count: number; readonly newestTicks: Ticks | null; readonly newest: string }
  >
}

/** `indexes`: names of those that store all fields. */
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

/** `debug/documents/huge`: documents above the configured size that were loaded or stored lately. */
export const readHuge = (response: unknown): HugeDocument[] =>
  new Fields(response)
    .each('Results')
    .map((each) => ({
      id: each.text('Id'),
      bytes: each.number('Size') as Bytes,
      atTicks: each.ticksOrNull('LastAccess'),
    }))
    .toSorted((a, b) => b.bytes - a.bytes)

export interface HeldTombstones {
  /** Name of the index, task or subscription that has not seen them. */
  readonly name: string
  /** `Index`, `Backup`, `Replication`, …; null: this version names the process only. */
  readonly process: string | null
  readonly collection: string
  /** Number of tombstones left; null: this version does not count them. */
  readonly left: number | null
  /** The server says that it keeps them from being removed. */
  readonly isBlocking: boolean
}

/** Etag that the server writes where nothing holds tombstones back. */
const NOTHING_HELD = 2 ** 63

/** Holders of tombstones in `admin/tombstones/state`. 7.1 counts them by process; before, only the furthest behind is known. */
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

/** `debug/queries/running`: by index; the entry has no name of the database. */
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
