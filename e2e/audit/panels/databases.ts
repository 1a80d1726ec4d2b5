import { databasePath } from '../../../tools/ravendb/client.mjs'
import { claimAll, levelOf, perSecond, readFor, type LiveFigure } from '../live.ts'
import type { Outline } from '../outline.ts'
import type { Visit } from '../visit.ts'
import { request, DISABLED, QUIET, sinceThen, type World } from '../world.ts'
import { openPanel } from '../../support/panels.ts'

const PANEL = 'Databases'
/** The list is read every five seconds; four times slower while the machine is short of CPU. */
const LIST_AGE_MS = 30_000
/** The server itself checks sizes every 30 s where nothing notifies it of a change. */
const SIZE_AGE_MS = LIST_AGE_MS + 30_000
/** The page reads counters every 20 s, four times slower while the machine is short of CPU; it takes rates over up to 90 s, and holds them for 30. */
const RATE_LAG = { leastMs: 0, mostMs: 120_000 }
const SECOND = 1000
/** Default of the server. */
const IDLE_LIMIT_MS = 900 * SECOND

const cell =
  (database: string, column: string) =>
  (outline: Outline): string | undefined =>
    outline.table('Databases')?.cell(database, column)

const figuresOf = ({ load, made }: World): readonly LiveFigure[] => [
  {
    figure: 'Databases listed',
    is: 'text',
    shown: (outline) => /\d+ databases?: [^;.]*/.exec(outline.find('main')?.find('status')?.text ?? '')?.[0],
    truth: () => '3 databases: 2 online, 1 disabled',
  },
  ...[load.database, QUIET].map((name): LiveFigure => ({
    figure: 'State',
    of: name,
    is: 'text',
    shown: cell(name, 'State'),
    truth: () => 'online',
  })),
  { figure: 'State', of: DISABLED, is: 'text', shown: cell(DISABLED, 'State'), truth: () => 'disabled' },
  {
    figure: 'Documents',
    of: load.database,
    is: 'level',
    shown: cell(load.database, 'Documents'),
    truth: levelOf('kernel', 'documents'),
    ageMs: LIST_AGE_MS,
  },
  { figure: 'Documents', of: QUIET, is: 'now', shown: cell(QUIET, 'Documents'), truth: () => 0 },
  {
    figure: 'Indexes',
    of: load.database,
    is: 'now',
    shown: cell(load.database, 'Indexes'),
    truth: async (world) =>
      (await request<{ CountOfIndexes: number }>(world, `${databasePath(load.database)}/stats`)).CountOfIndexes,
  },
  ...[load.database, QUIET].flatMap((name): LiveFigure[] => [
    {
      figure: 'On disk',
      of: name,
      // The server's own size of a young database is up to a minute behind its files.
      isOfMoment: name === load.database,
      is: 'level',
      shown: cell(name, 'On disk'),
      truth: levelOf('server', `${name}.data`),
      ageMs: SIZE_AGE_MS,
      allow: { absolute: 2 ** 18, why: 'a lower bound: rounded down, without journals that wait for a data sync' },
    },
    {
      figure: 'Temp',
      of: name,
      isOfMoment: name === load.database,
      is: 'level',
      shown: cell(name, 'Temp'),
      truth: levelOf('server', `${name}.temp`),
      ageMs: SIZE_AGE_MS,
    },
    {
      figure: 'Loaded for',
      of: name,
      is: 'now',
      shown: cell(name, 'Loaded for'),
      truth: (_, atMs) => sinceThen(made.get(name), atMs),
      allow: { absolute: LIST_AGE_MS, why: 'counted on only as the list is read' },
    },
  ]),
  {
    figure: 'Errors',
    of: load.database,
    is: 'now',
    shown: cell(load.database, 'Errors'),
    truth: async (world) => {
      const path = `${databasePath(load.database)}/indexes/errors`
      const { Results } = await request<{ Results: { Errors: unknown[] }[] }>(world, path)
      return Results.reduce((sum, { Errors }) => sum + Errors.length, 0)
    },
  },
  {
    figure: 'Alerts',
    of: load.database,
    is: 'now',
    shown: cell(load.database, 'Alerts'),
    truth: async (world) => {
      const { Databases } = await request<{ Databases: { Name: string; Alerts: number }[] }>(world, '/databases')
      return Databases.find(({ Name }) => Name === load.database)?.Alerts ?? Number.NaN
    },
  },
  // This database has never received a request; one of the audit would end its idleness.
  {
    figure: 'Idle for',
    of: QUIET,
    is: 'now',
    shown: cell(QUIET, 'Idle for'),
    truth: (_, atMs) => sinceThen(made.get(QUIET), atMs),
    allow: { absolute: LIST_AGE_MS, why: 'counted on only as the list is read' },
  },
  {
    figure: 'Unloads in',
    of: QUIET,
    is: 'now',
    shown: cell(QUIET, 'Unloads in'),
    truth: (_, atMs) => {
      const idle = sinceThen(made.get(QUIET), atMs)
      return { least: IDLE_LIMIT_MS - idle.most, most: IDLE_LIMIT_MS - idle.least }
    },
    allow: { absolute: LIST_AGE_MS, why: 'counted on only as the list is read' },
  },
  {
    figure: 'Requests',
    of: load.database,
    is: 'mean',
    shown: cell(load.database, 'Requests'),
    truth: perSecond('server', 'database.requests', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Writes',
    of: load.database,
    is: 'mean',
    shown: cell(load.database, 'Writes'),
    truth: perSecond('kernel', 'documents', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Indexing',
    of: load.database,
    is: 'mean',
    shown: cell(load.database, 'Indexing'),
    truth: perSecond('server', 'database.maps', RATE_LAG),
    allow: { relative: 0.15, why: 'batches end in bursts, and the page has other ends of its interval' },
  },
  ...(['Requests', 'Writes', 'Indexing'] as const).map((column): LiveFigure => ({
    figure: column,
    of: QUIET,
    is: 'now',
    shown: cell(QUIET, column),
    truth: () => 0,
  })),
]

/** The list of databases, under load. */
export async function auditDatabases(visit: Visit, world: World): Promise<void> {
  const { page, report } = visit
  world.load.start()
  await openPanel(page, 'Databases')
  await page.getByRole('table', { name: 'Databases' }).getByRole('row').filter({ hasText: QUIET }).waitFor()
  const readings = await readFor(visit)
  await claimAll(report, PANEL, world, readings, figuresOf(world))
}
