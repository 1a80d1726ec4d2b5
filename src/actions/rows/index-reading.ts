import { asArray, asObject, asString, orNull, unlessNegative, type JsonObject } from '../../base/json/check.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { CheckContext, CheckResult } from '../model.ts'
import { checkDatabase, NO_DATABASE } from './database-reading.ts'

/** Facts for the checks of index actions. */
export interface ReadIndex {
  readonly state: string
  readonly status: string | null
  readonly priority: string | null
  readonly lock: string | null
  readonly isStale: boolean
  readonly errors: number
  /** Creation time; null: not reported, or another index is just taking its place. */
  readonly createdAt: string | null
  readonly entries: number | null
}

export const REPLACEMENT_OF = 'ReplacementOf/'

/** Year that 7.1.5 and 6.2.4 report, with no entries, while one index takes the place of another. */
const NOT_CREATED = '0001-'

/** Creation time as reported; null: none. */
export const createdAtOf = (reported: string | null): string | null =>
  reported?.startsWith(NOT_CREATED) === true ? null : reported

/** Whether another index is taking its place. An index that failed to open has no creation time either. */
export const isBeingReplaced = ({ createdAt, state }: ReadIndex): boolean => createdAt === null && state !== 'Error'

const readEntry = (entry: JsonObject, path: string): ReadIndex => ({
  state: orNull(asString, entry['State'], `${path}.State`) ?? 'Normal',
  status: orNull(asString, entry['Status'], `${path}.Status`),
  priority: orNull(asString, entry['Priority'], `${path}.Priority`),
  lock: orNull(asString, entry['LockMode'], `${path}.LockMode`),
  isStale: entry['IsStale'] === true,
  errors: unlessNegative(entry['ErrorsCount'], `${path}.ErrorsCount`) ?? 0,
  createdAt: createdAtOf(orNull(asString, entry['CreatedTimestamp'], `${path}.CreatedTimestamp`)),
  entries: unlessNegative(entry['EntriesCount'], `${path}.EntriesCount`),
})

/** Reads `indexes/stats`, by lower-case name, since names ignore case. Errors: `ParseError`. */
export function readIndexes(response: unknown): ReadonlyMap<string, ReadIndex> {
  const rows = asArray(asObject(response, '$')['Results'], '$.Results')
  return new Map(
    rows.map((item, i) => {
      const path = `$.Results[${i}]`
      const entry = asObject(item, path)
      return [asString(entry['Name'], `${path}.Name`).toLowerCase(), readEntry(entry, path)]
    }),
  )
}

interface ReadPair {
  /** The index; null: none of that name. */
  readonly index: ReadIndex | null
  /** Replacement that is being built; null: none. */
  readonly replacement: ReadIndex | null
}

/** Reads the indexes of the call's database and judges its own. Unloaded or deleted: the state is unknown. */
export function checkIndex(
  context: CheckContext,
  judge: (pair: ReadPair, name: string) => CheckResult,
): Promise<CheckResult> {
  const { call, read } = context
  return checkReading(context, async (database) => {
    const { name } = call.target
    if (name === null) return { state: 'unknown', text: 'It is not known which index it was.' }
    const all = readIndexes(await read('indexesStats', { database }))
    const key = name.toLowerCase()
    const of = (each: string): ReadIndex | null => all.get(each) ?? null
    return judge({ index: of(key), replacement: of(REPLACEMENT_OF.toLowerCase() + key) }, name)
  })
}

const NOT_LOADED: CheckResult = { state: 'unknown', text: 'The database is not loaded, so the state is not known.' }

/**
 * Reads something of the call's database; if that was unloaded or deleted, this is a result and not an error.
 * `unloaded`: result if it is not loaded.
 */
export async function checkReading(
  context: CheckContext,
  run: (database: string) => Promise<CheckResult>,
  unloaded = NOT_LOADED,
): Promise<CheckResult> {
  const { database } = context.call.target
  if (database === null) return { state: 'unknown', text: 'It is not known which database it was.' }
  try {
    return await run(database)
  } catch (error) {
    // A database that does not exist is not loaded either.
    if (error instanceof RavenError && error.kind === 'database-unloaded')
      return checkDatabase(context, database, (found) => (found === null ? NO_DATABASE : unloaded))
    if (error instanceof RavenError && error.kind === 'database-missing') return NO_DATABASE
    throw error
  }
}

export const stateWords = ({ state, status }: ReadIndex): string =>
  `The server reports state ${state}, status ${status ?? 'unknown'}.`

export const NO_INDEX: CheckResult = { state: 'gone', text: 'The index does not exist any more.' }

/** Check that is done when `holds`; `says` describes what was read. */
export const checkState =
  (
    holds: (index: ReadIndex, inputs: Readonly<Record<string, string>>) => boolean,
    says: (index: ReadIndex) => string,
  ) =>
  (context: CheckContext): Promise<CheckResult> =>
    checkIndex(context, ({ index }) =>
      index === null
        ? NO_INDEX
        : { state: holds(index, context.call.inputs) ? 'done' : 'unchanged', text: says(index) },
    )
