import { type ClickHouse, ClickHouseError } from './client.ts'
import { type KeptDays, LEAST_VERSION, SCHEMA_VERSION, schemaStatements } from './schema.ts'

const isOlder = (version: string, least: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** Version of the tables in the database; 0: it has none. Errors: `ClickHouseError`. */
async function schemaVersion(clickHouse: ClickHouse): Promise<number> {
  const [found] = await clickHouse.rows<{ tables: string }>(
    "SELECT count() AS tables FROM system.tables WHERE database = {database:String} AND name = 'rookery_schema'",
    { params: { database: clickHouse.database }, isOutside: true },
  )
  if (found === undefined || Number(found.tables) === 0) return 0
  const [newest] = await clickHouse.rows<{ version: number }>('SELECT max(version) AS version FROM rookery_schema')
  return newest?.version ?? 0
}

async function checkVersion(clickHouse: ClickHouse): Promise<void> {
  // Without settings and formats that an old server does not know.
  const bytes = await clickHouse.run('SELECT version()', { isOutside: true })
  const version = new TextDecoder().decode(bytes).trim()
  if (isOlder(version, LEAST_VERSION))
    throw new ClickHouseError(
      `${clickHouse.place} is ClickHouse ${version}, and ${LEAST_VERSION} or later is needed.`,
      true,
    )
}

/** Makes the database and what is lacking of its tables. Errors: `ClickHouseError`. */
export async function prepareDatabase(clickHouse: ClickHouse, days: KeptDays): Promise<void> {
  await checkVersion(clickHouse)
  const version = await checkedSchema(clickHouse)
  if (version === SCHEMA_VERSION) return
  // A user who may only write has a database that someone else made.
  const [database] = await clickHouse.rows<{ found: string }>(
    'SELECT count() AS found FROM system.databases WHERE name = {database:String}',
    { params: { database: clickHouse.database }, isOutside: true },
  )
  if (Number(database?.found ?? 0) === 0)
    await clickHouse.run(`CREATE DATABASE IF NOT EXISTS \`${clickHouse.database}\``, { isOutside: true })
  for (const statement of schemaStatements(days)) await clickHouse.run(statement)
}

async function checkedSchema(clickHouse: ClickHouse): Promise<number> {
  const version = await schemaVersion(clickHouse)
  if (version > SCHEMA_VERSION)
    throw new ClickHouseError(
      `${clickHouse.place} has tables of version ${String(version)}, and this Rookery knows ${String(SCHEMA_VERSION)}: use a newer one.`,
      true,
    )
  return version
}

/** Refuses a database without tables of this version. Errors: `ClickHouseError`. */
export async function checkDatabase(clickHouse: ClickHouse): Promise<void> {
  await checkVersion(clickHouse)
  if ((await checkedSchema(clickHouse)) === 0)
    throw new ClickHouseError(
      `${clickHouse.place} has no recording: “npx rookery record --to clickhouse://…” makes its tables.`,
      true,
    )
}
