import { type ClickHouse, ClickHouseError } from './client.ts'
import {
  contentsTtlChange,
  type FoundVersions,
  type KeptDays,
  LEAST_VERSION,
  PACKS_MORE_SINCE,
  SCHEMA_VERSION,
  schemaStatements,
} from './schema.ts'

/** Cancels statements by a signal. */
export interface Until {
  readonly signal?: AbortSignal
}

const isOlder = (version: string, least: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** Versions of the tables in the database. Errors: `ClickHouseError`. */
async function schemaVersions(clickHouse: ClickHouse, until: Until): Promise<FoundVersions> {
  const none: FoundVersions = { first: 0, newest: 0 }
  const [found] = await clickHouse.rows<{ tables: string }>(
    "SELECT count() AS tables FROM system.tables WHERE database = {database:String} AND name = 'rookery_schema'",
    { params: { database: clickHouse.database }, isOutside: true, ...until },
  )
  if (found === undefined || Number(found.tables) === 0) return none
  const [versions] = await clickHouse.rows<FoundVersions>(
    'SELECT min(version) AS first, max(version) AS newest FROM rookery_schema',
    until,
  )
  return versions ?? none
}

/** Reads the version of ClickHouse. Errors: `ClickHouseError`, also if it is too old. */
async function checkVersion(clickHouse: ClickHouse, until: Until): Promise<string> {
  // Sent without settings and formats that an old server does not know.
  const bytes = await clickHouse.run('SELECT version()', { isOutside: true, ...until })
  const version = new TextDecoder().decode(bytes).trim()
  if (isOlder(version, LEAST_VERSION))
    throw new ClickHouseError(
      `${clickHouse.place} is ClickHouse ${version}, and ${LEAST_VERSION} or later is needed.`,
      true,
    )
  return version
}

/** Creates the database and its missing tables. Errors: `ClickHouseError`. */
export async function prepareDatabase(clickHouse: ClickHouse, days: KeptDays, until: Until = {}): Promise<void> {
  const version = await checkVersion(clickHouse, until)
  const found = await checkedSchema(clickHouse, until)
  if (found.newest === SCHEMA_VERSION) return
  // An existing database is not created again: a user with rights for writing only could not do so.
  const [database] = await clickHouse.rows<{ found: string }>(
    'SELECT count() AS found FROM system.databases WHERE name = {database:String}',
    { params: { database: clickHouse.database }, isOutside: true, ...until },
  )
  if (Number(database?.found ?? 0) === 0)
    await clickHouse.run(`CREATE DATABASE IF NOT EXISTS \`${clickHouse.database}\``, { isOutside: true, ...until })
  const packsMore = !isOlder(version, PACKS_MORE_SINCE)
  const change = contentsTtlChange(days, await contentsTtlOf(clickHouse, until), found)
  if (change !== null) await clickHouse.run(change, until)
  for (const statement of schemaStatements(days, packsMore)) await clickHouse.run(statement, until)
}

/** Text of the TTL of `contents`; empty: the table is missing, or has none. */
async function contentsTtlOf(clickHouse: ClickHouse, until: Until): Promise<string> {
  const [found] = await clickHouse.rows<{ engine_full: string }>(
    "SELECT engine_full FROM system.tables WHERE database = {database:String} AND name = 'contents'",
    { params: { database: clickHouse.database }, isOutside: true, ...until },
  )
  return /\bTTL (.*?)(?: SETTINGS .*)?$/s.exec(found?.engine_full ?? '')?.[1] ?? ''
}

async function checkedSchema(clickHouse: ClickHouse, until: Until): Promise<FoundVersions> {
  const found = await schemaVersions(clickHouse, until)
  if (found.newest > SCHEMA_VERSION)
    throw new ClickHouseError(
      `${clickHouse.place} has tables of version ${String(found.newest)}, and this Rookery knows ${String(SCHEMA_VERSION)}: use a newer one.`,
      true,
    )
  return found
}

/** Checks that the database has tables of a readable version. Errors: `ClickHouseError`, also if it has none. */
export async function checkDatabase(clickHouse: ClickHouse): Promise<void> {
  await checkVersion(clickHouse, {})
  if ((await checkedSchema(clickHouse, {})).newest === 0)
    throw new ClickHouseError(
      `${clickHouse.place} has no recording: “npx rookery record --to clickhouse://…” makes its tables.`,
      true,
    )
}
