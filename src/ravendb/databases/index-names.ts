import { asArray, asObject, asString } from '../../base/json/check.ts'
import type { Governor } from '../governor/governor.ts'

/** Names of the indexes of a database. */
export interface IndexNames {
  readonly database: string
  readonly names: readonly string[]
}

export interface FoundIndexNames {
  readonly found: readonly IndexNames[]
  /** Databases whose indexes are not known. */
  readonly unknown: readonly string[]
}

/**
 * Maximum number of databases whose records are read, one after another; with more, the user names a database first.
 */
const MOST_DATABASES = 20

/**
 * Names of indexes, without loading a database or keeping it loaded: the server's record of a database lists them. If
 * the record may not be read, the names come from a loaded database that other clients use or that was requested
 * before. Errors: only an abort.
 */
export async function readIndexNames(
  governor: Governor,
  databases: readonly string[],
  signal: AbortSignal,
): Promise<FoundIndexNames> {
  const found: IndexNames[] = []
  const unknown = databases.slice(MOST_DATABASES)
  for (const database of databases.slice(0, MOST_DATABASES)) {
    try {
      found.push({ database, names: await namesOf(governor, database, signal) })
    } catch (error) {
      if (signal.aborted) throw error
      unknown.push(database)
    }
  }
  return { found, unknown }
}

async function namesOf(governor: Governor, database: string, signal: AbortSignal): Promise<string[]> {
  try {
    return namesInRecord(await governor.json('databaseRecord', { name: database }, { signal, priority: 'poll' }))
  } catch (error) {
    if (signal.aborted) throw error
    const response = await governor.json(
      'indexesNames',
      { database },
      { signal, priority: 'poll', afterWorkOnly: true },
    )
    return asArray(asObject(response, '$')['Results'], '$.Results').map((name, row) =>
      asString(name, `$.Results[${row}]`),
    )
  }
}

/** Names in a record. The record has passwords: only the names are kept. Errors: `ParseError`. */
function namesInRecord(response: unknown): string[] {
  const record = asObject(response, '$')
  return ['Indexes', 'AutoIndexes'].flatMap((field) => Object.keys(asObject(record[field] ?? {}, `$.${field}`)))
}
