import { groupBy } from '../../../base/columns/group-by.ts'
import { TICKS_PER_SECOND, type Ticks } from '../../../base/ticks.ts'
import {
  type PackagedFolder,
  type PackagedServer,
  readListed,
  serversOf,
  type PackagedResponse,
} from '../../../capture/reading/package-servers.ts'
import type { Listed } from '../../../capture/reading/package-entries.ts'
import { turn } from '../../../capture/worker/turns.ts'
import type { ListedPackage } from '../../../capture/worker/feed.ts'
import {
  DATABASE_ENTRIES,
  databaseAnswers,
  OWN_ENTRIES,
  ownAnswers,
  type DatabaseAnswers,
  type OwnAnswers,
  type Response,
} from '../../../ravendb/answers/answers.ts'
import { readSettings, type Settings } from '../../../ravendb/answers/configuration.ts'
import { type Answer, isNotGathered, valueOf } from '../../../ravendb/entry-names.ts'

/** A database of a server in a package. */
export interface AnsweredDatabase {
  readonly name: string
  /** Common prefix of the paths of its entries. */
  readonly folder: string
  readonly answers: DatabaseAnswers
  /** Entry with its settings; null: not in the package. */
  readonly settings: Listed | null
}

/** A server of a package, with its responses. */
export interface AnsweredServer {
  readonly prefix: string
  readonly tag: string | null
  /** Whether the package ends before its regular end, so that more of the server may be missing. */
  readonly isCut: boolean
  /** Time of the newest response of the server; null: no response has a time. */
  readonly atTicks: Ticks | null
  readonly own: OwnAnswers
  /** Settings of the server that differ from their default; null: not in the package. */
  readonly settings: Settings['server'] | null
  readonly databases: readonly AnsweredDatabase[]
}

/** Reads what the rules and panels need from a package: small responses, of which only the extracted facts are kept. */
export async function readPackage({ listed, step }: Pick<ListedPackage, 'listed' | 'step'>): Promise<AnsweredServer[]> {
  const servers = serversOf(listed)
  const isCut = listed.some((each) => each.isCut === true)
  const readers = servers.map((server) => readerOf(server, isCut))
  const takers = new Map(readers.flatMap(({ takers }) => takers))
  await readListed([...takers.keys()], (each, response) => takers.get(each)?.(response), step)
  return readers.map(({ result }) => result())
}

interface ServerReader {
  readonly takers: readonly (readonly [Listed, (response: PackagedResponse) => void])[]
  readonly result: () => AnsweredServer
}

function readerOf({ prefix, tag, own, databases }: PackagedServer, isCut: boolean): ServerReader {
  const server = own === null ? null : folderReader(own, OWN_ENTRIES, ownAnswers)
  const readers = databases.map((folder) => ({
    folder,
    reader: folderReader(folder, DATABASE_ENTRIES, databaseAnswers),
  }))
  const settings = settingsReader(databases)
  return {
    takers: [...(server?.takers ?? []), ...readers.flatMap(({ reader }) => reader.takers), ...settings.takers],
    result: () => {
      const ownAnswered = server?.result() ?? ownAnswers(() => null)
      const answered = readers.map(({ folder, reader }): AnsweredDatabase => {
        const answers = reader.result()
        const name = nameOf(folder, answers)
        return {
          name,
          folder: `${prefix}${folder.name === null ? '' : `${folder.name}/`}`,
          answers,
          settings: settingsEntryOf(folder),
        }
      })
      const stamps = [ownAnswered, ...answered.map(({ answers }) => answers)].flatMap(stampsOf)
      return {
        prefix,
        tag: nodeTag(ownAnswered) ?? tag,
        isCut,
        atTicks: newestOf(stamps),
        own: ownAnswered,
        settings: settings.result(),
        databases: answered.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      }
    },
  }
}

/** Entry with the configuration of a database, which also contains that of its server. */
const SETTINGS_ENTRY = 'admin.configuration.settings'

const settingsEntryOf = ({ entries }: PackagedFolder): Listed | null => {
  const listed = entries.get(SETTINGS_ENTRY)
  return listed === undefined || isNotGathered(listed.path) ? null : listed
}

/** Settings in a response; null: unreadable, which the Files panel reports for the entry. */
function settingsOf(response: PackagedResponse): Settings | null {
  if (response.kind !== 'text') return null
  try {
    return readSettings(JSON.parse(response.text))
  } catch {
    return null
  }
}

/** Reads the settings of the server from the entry of one database, because each entry is large. */
function settingsReader(databases: readonly PackagedFolder[]) {
  const listed = databases.map(settingsEntryOf).find((each) => each !== null) ?? null
  let settings: AnsweredServer['settings'] = null
  const take = (response: PackagedResponse): void => {
    settings = settingsOf(response)?.server ?? null
  }
  return { takers: listed === null ? [] : [[listed, take] as const], result: () => settings }
}

/**
 * Reads the settings of databases, which are only needed for a comparison. Databases with an unreadable entry are left
 * out, as are all databases of a file that was changed or removed since it was opened. Never rejects.
 */
export async function readDatabaseSettings(
  databases: readonly AnsweredDatabase[],
): Promise<ReadonlyMap<AnsweredDatabase, Settings['database']>> {
  const byEntry = new Map(databases.flatMap((each) => (each.settings === null ? [] : [[each.settings, each] as const])))
  const settings = new Map<AnsweredDatabase, Settings['database']>()
  const take = (listed: Listed, response: PackagedResponse): void => {
    const database = byEntry.get(listed)
    const read = settingsOf(response)
    if (database !== undefined && read !== null) settings.set(database, read.database)
  }
  const blobs = groupBy([...byEntry.keys()], ({ blob }) => blob)
  for (const [, listed] of blobs) await readListed(listed, take, turn).catch(() => undefined)
  return settings
}

/** Collects the responses of a folder. As soon as all have arrived, only the facts extracted from them are kept. */
function folderReader<Answers>(
  { entries }: PackagedFolder,
  wanted: ReadonlySet<string>,
  answersOf: (responseTo: (entry: string) => Response | null) => Answers,
) {
  const responses = new Map<string, Response>()
  let waiting = 0
  let result: Answers | null = null
  const read = (): Answers => {
    const answers = answersOf((entry) => responses.get(entry) ?? null)
    responses.clear()
    return answers
  }
  const takers = [...wanted].flatMap((name) => {
    const listed = entries.get(name)
    if (listed === undefined) return []
    waiting++
    const take = (response: PackagedResponse): void => {
      responses.set(name, { ...response, entry: listed.path })
      if (--waiting === 0) result = read()
    }
    return [[listed, take] as const]
  })
  return { takers, result: (): Answers => result ?? read() }
}

/**
 * Name of the database: that of its folder, whose letters beyond ASCII archivers of some systems replace by others or
 * compose differently.
 */
const nameOf = ({ name }: PackagedFolder, answers: DatabaseAnswers): string =>
  name === null ? databaseName(answers) : isAscii(name) ? name : (valueOf(answers.record)?.name ?? name)

// oxlint-disable-next-line no-control-regex -- The range of ASCII begins with control characters.
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Name of the database. In a package of a single database, only the storage report contains it. */
function databaseName(answers: DatabaseAnswers): string {
  const named = valueOf(answers.record)?.name
  return named ?? valueOf(answers.storage)?.find(({ type }) => type === 'Documents')?.name ?? 'database'
}

const nodeTag = ({ topology }: OwnAnswers): string | null => {
  const body = valueOf(topology)
  const tag = typeof body === 'object' && body !== null && 'NodeTag' in body ? body.NodeTag : null
  return typeof tag === 'string' && tag !== '' && tag !== '?' ? tag : null
}

/** A package takes minutes: a time that is further than this from the others is wrong. */
const FAR_TICKS = 24 * 3600 * TICKS_PER_SECOND

/** The newest of the times that are not far beyond the middle one; null: there is none. */
function newestOf(stamps: readonly Ticks[]): Ticks | null {
  const sorted = stamps.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  return middle === undefined ? null : (sorted.findLast((each) => each - middle <= FAR_TICKS) ?? null)
}

const stampsOf = (answers: OwnAnswers | DatabaseAnswers): Ticks[] =>
  (Object.values(answers) as Answer<unknown>[]).flatMap((answer) =>
    answer.kind === 'answered' && answer.atTicks !== null ? [answer.atTicks] : [],
  )

/** Responses that the server could not gather, or that cannot be read. */
export const failuresOf = (
  answers: OwnAnswers | DatabaseAnswers,
): { readonly entry: string; readonly message: string }[] =>
  (Object.values(answers) as Answer<unknown>[]).flatMap((answer) =>
    answer.kind === 'failed' ? [{ entry: answer.entry, message: answer.message }] : [],
  )
