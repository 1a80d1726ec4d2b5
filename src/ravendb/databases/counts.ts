import { Fields } from '../../base/json/fields.ts'

/** Counts that only the database itself knows. Null: not reported by this version. */
export interface DatabaseCounts {
  readonly revisions: number | null
  readonly attachments: number | null
  /** Groups in which documents keep their counters: at least one for each document that has some. */
  readonly counterGroups: number | null
  readonly timeSeries: number | null
  readonly conflicts: number | null
  readonly tombstones: number | null
  /** Number of the newest change of anything in the database. */
  readonly lastEtag: number | null
  /** Id by which change vectors name it. */
  readonly databaseId: string | null
}

/** Reads `stats` of a database. Errors: `ParseError`. */
export function readDatabaseCounts(response: unknown): DatabaseCounts {
  const body = new Fields(response)
  return {
    revisions: body.quantityOrNull('CountOfRevisionDocuments'),
    attachments: body.quantityOrNull('CountOfAttachments'),
    counterGroups: body.quantityOrNull('CountOfCounterEntries'),
    timeSeries: body.quantityOrNull('CountOfTimeSeriesSegments'),
    conflicts: body.quantityOrNull('CountOfDocumentsConflicts'),
    tombstones: body.quantityOrNull('CountOfTombstones'),
    lastEtag: body.quantityOrNull('LastDatabaseEtag') ?? body.quantityOrNull('LastDocEtag'),
    databaseId: body.textOrNull('DatabaseId'),
  }
}

/**
 * Number of changes of a database after a change vector such as `A:50-id, B:3-id`. Null: not known, as where the vector
 * names only other databases.
 */
export function changesSince(vector: string | null, { lastEtag, databaseId }: DatabaseCounts): number | null {
  if (lastEtag === null || databaseId === null) return null
  if (vector === null || vector.trim() === '') return lastEtag
  const own = vector
    .split(',')
    .map((each) => /^\s*\w+:(\d+)-(.+?)\s*$/.exec(each))
    .find((parts) => parts?.[2] === databaseId)
  return own == null ? null : Math.max(0, lastEtag - Number(own[1]))
}
