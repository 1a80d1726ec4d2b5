import { asArray, asObject, asString, orNull, unlessNegative, type JsonObject } from '../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../base/ticks.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import type { Detail } from '../../ravendb/databases/database-details.ts'
import type { EndpointKey } from '../../ravendb/endpoints.ts'
import { ofLoaded } from '../../ravendb/databases/of-loaded.ts'
import type { ActionIndex, ActionIndexes } from '../contract.ts'
import type { ActionFacts } from '../model.ts'
import { createdAtOf, REPLACEMENT_OF } from '../rows/index-reading.ts'

/** Interval for sizes, ms: they change slowly and are read for all environments of the database at once. */
const SIZES_EVERY_MS = 30_000

const rowsOf = (response: unknown): JsonObject[] =>
  asArray(asObject(response, '$')['Results'], '$.Results').map((row, i) => asObject(row, `$.Results[${i}]`))

const text = (row: JsonObject, field: string): string | null => orNull(asString, row[field], `$.${field}`)
const number = (row: JsonObject, field: string): number | null => unlessNegative(row[field], `$.${field}`)

function ticks(row: JsonObject, field: string): Ticks | null {
  const at = parseTicks(text(row, field) ?? '')
  return Number.isNaN(at) ? null : at
}

/** Reads `indexes/stats`, `indexes/progress` and the counts of collections; sizes less often. */
export const readIndexList = (
  governor: Governor,
  {
    database,
    onlyKnown = false,
    isFresh = false,
  }: { readonly database: string; readonly onlyKnown?: boolean; readonly isFresh?: boolean },
  signal: AbortSignal,
): Promise<Detail<ActionIndexes>> =>
  ofLoaded(
    governor,
    async () => {
      const read = (key: EndpointKey, goodForMs = 0): Promise<unknown> =>
        governor.json(key, { database }, { signal, priority: 'poll', goodForMs, afterWorkOnly: onlyKnown })
      // Without these the list is shown with unknown columns.
      const optional = (key: EndpointKey): Promise<unknown> => read(key).catch(() => null)
      const [stats, progress, collections, sizes] = await Promise.all([
        isFresh
          ? governor.json('indexesStats', { database }, { signal, priority: 'poll', isFresh })
          : read('indexesStats'),
        optional('indexesProgress'),
        optional('collectionsStats'),
        read('storageReport', SIZES_EVERY_MS).then(readSizes, () => new Map<string, number>()),
      ])
      return { indexes: indexListOf(stats, progress, collections, sizes) }
    },
    () => governor.readMs('indexesStats', { database }),
  )

/** Bytes of the data files of indexes, by name. */
export const readSizes = (response: unknown): ReadonlyMap<string, number> =>
  new Map(
    rowsOf(response).flatMap((row): [string, number][] => {
      if (row['Type'] !== 'Index') return []
      const report = asObject(row['Report'], '$.Report')
      const bytes = number(asObject(report['DataFile'], '$.DataFile'), 'AllocatedSpaceInBytes')
      return bytes === null ? [] : [[asString(row['Name'], '$.Name'), bytes]]
    }),
  )

interface Left {
  readonly items: number
  readonly total: number
}

function readProgress(response: unknown): ReadonlyMap<string, Left> {
  return new Map(
    rowsOf(response).map((row) => {
      let items = 0
      let total = 0
      for (const [name, value] of Object.entries(asObject(row['Collections'] ?? {}, '$.Collections'))) {
        const of = asObject(value, `$.Collections.${name}`)
        items += (number(of, 'NumberOfItemsToProcess') ?? 0) + (number(of, 'NumberOfTombstonesToProcess') ?? 0)
        total += number(of, 'TotalNumberOfItems') ?? 0
      }
      return [asString(row['Name'], '$.Name'), { items, total }]
    }),
  )
}

const ALL_DOCUMENTS = '@all_docs'

/** `progress` lists only indexes with work left. Null: not readable. Errors: `ParseError`. */
export function indexListOf(
  stats: unknown,
  progress: unknown,
  collections: unknown,
  sizes: ReadonlyMap<string, number>,
): readonly ActionIndex[] {
  const left = progress === null ? null : readProgress(progress)
  const counts = collections === null ? null : asObject(collections, '$')
  const ofCollection = counts === null ? {} : asObject(counts['Collections'] ?? {}, '$.Collections')
  const rows = rowsOf(stats)
  const names = new Set(rows.map((row) => text(row, 'Name')))
  const rebuilding = [...names].filter((name) => name?.startsWith(REPLACEMENT_OF) === true).length
  const documentsOf = (row: JsonObject): number | null => {
    if (counts === null) return null
    let sum = 0
    for (const name of Object.keys(asObject(row['Collections'] ?? {}, '$.Collections'))) {
      const count = name === ALL_DOCUMENTS ? counts['CountOfDocuments'] : ofCollection[name]
      if (typeof count !== 'number') return null
      sum += count
    }
    return sum
  }
  const indexes = rows.map((row): ActionIndex => {
    const name = asString(row['Name'], '$.Name')
    const replacement = left?.get(REPLACEMENT_OF + name)
    const memory = orNull(asObject, row['Memory'], '$.Memory')
    const type = text(row, 'Type')
    return {
      name,
      type,
      engine: text(row, 'SearchEngineType'),
      isStale: row['IsStale'] === true,
      lag: left === null ? null : (left.get(name)?.items ?? 0),
      lastIndexingTicks: ticks(row, 'LastIndexingTime'),
      lastQueryingTicks: ticks(row, 'LastQueryingTime'),
      memoryBytes:
        memory === null
          ? null
          : ((orNull(asObject, memory['MemoryBudget'], '$.MemoryBudget')?.['SizeInBytes'] as number | undefined) ??
            null),
      facts: known({
        state: text(row, 'State'),
        status: text(row, 'Status'),
        isAuto: type === null ? null : type.startsWith('Auto'),
        isInvalid: row['IsInvalidIndex'] === true,
        priority: text(row, 'Priority'),
        lock: text(row, 'LockMode'),
        entries: number(row, 'EntriesCount'),
        errors: number(row, 'ErrorsCount'),
        documents: documentsOf(row),
        // The rate of an index without work decays and does not show its speed.
        perSecond: row['IsStale'] === true ? positive(number(row, 'MappedPerSecondRate')) : null,
        sizeBytes: sizes.get(name) ?? null,
        hasReplacement: names.has(REPLACEMENT_OF + name),
        rebuilding,
        replacementDone:
          replacement === undefined || replacement.total === 0
            ? null
            : Math.max(0, 1 - replacement.items / replacement.total),
        createdAt: createdAtOf(text(row, 'CreatedTimestamp')),
      }),
    }
  })
  const key = ({ name }: ActionIndex): string =>
    name.startsWith(REPLACEMENT_OF) ? `${name.slice(REPLACEMENT_OF.length)}\uffff` : name
  return indexes.toSorted((a, b) => (key(a).toLowerCase() < key(b).toLowerCase() ? -1 : 1))
}

/** A rate of 0 belongs to an index without work. */
const positive = (rate: number | null): number | null => (rate !== null && rate > 0 ? rate : null)

/** Omits unknown facts. */
function known(facts: {
  readonly [
    Name in Exclude<
      keyof ActionFacts,
      'volumeFreeBytes' | 'lastBackupTicks' | 'isOfServer' | 'changeVector' | 'task' | 'processed' | 'total'
    >
  ]-?: NonNullable<ActionFacts[Name]> | null
}): ActionFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null))
}
