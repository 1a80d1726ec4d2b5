import { sourceId, type SourceId } from '../../../capture/client/state.ts'
import { parseTicks, type Ticks } from '../../../base/ticks.ts'
import { valueOf } from '../../../ravendb/entry-names.ts'
import type {
  PackageDatabase,
  PackageDatabaseDetail,
  PackageNode,
  PackageQuery,
  PackageReport,
  PackageTriage,
} from '../contract.ts'
import { failuresOf, type AnsweredDatabase, type AnsweredServer } from './packages.ts'

/** Value at a path of a response that has no reader of its own; undefined: there is none. */
const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined),
    value,
  )
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function nodeOf(server: AnsweredServer): PackageNode {
  const { prefix, tag, atTicks, own, databases } = server
  const topology = valueOf(own.topology)
  const details = fieldOf(topology, 'NodeLicenseDetails', tag ?? '')
  const log = valueOf(own.log)
  const memory = valueOf(own.memory)
  const threads = valueOf(own.threads)
  const collections = valueOf(own.collections)
  const connections = valueOf(own.connections)
  const start = valueOf(own.start)
  const heap = collections?.heapBytes ?? null
  const fragmented = collections?.fragmentedBytes ?? null
  return {
    prefix,
    tag,
    url: start?.url ?? null,
    version: valueOf(own.build)?.fullVersion ?? null,
    os: textOf(fieldOf(details, 'OsInfo', 'FullName')),
    atTicks,
    startTicks: start?.startTicks ?? null,
    role: log?.role ?? textOf(fieldOf(topology, 'CurrentState')),
    leader: textOf(fieldOf(topology, 'Leader')),
    term: log?.term ?? numberOf(fieldOf(topology, 'CurrentTerm')),
    commitIndex: log?.commitIndex ?? null,
    cores: threads?.cores ?? numberOf(fieldOf(details, 'NumberOfCores')),
    machinePercent: threads?.machinePercent ?? null,
    processPercent: threads?.processPercent ?? null,
    threads: threads?.threads ?? null,
    physicalBytes: memory?.physicalBytes ?? null,
    availableBytes: memory?.availableBytes ?? null,
    workingSetBytes: memory?.workingSetBytes ?? null,
    managedBytes: memory?.managedBytes ?? null,
    unmanagedBytes: memory?.unmanagedBytes ?? null,
    gcPausePercent: collections?.pausePercent ?? null,
    fragmentedShare: heap === null || fragmented === null || heap === 0 ? null : fragmented / heap,
    established: connections?.established ?? null,
    timeWait: connections?.timeWait ?? null,
    databases: databases.length,
    failed: [...failuresOf(own), ...databases.flatMap(({ answers }) => failuresOf(answers))].slice(0, MOST_FAILED),
  }
}

const MOST_FAILED = 500

/** Source id of the I/O and index batches of a database; `folder`: as in `PackageDatabase`. */
export const packageSource = (file: string, folder: string): SourceId =>
  sourceId({ kind: 'file', name: `${file}/${folder === '' ? 'database' : folder.slice(0, -1)}` })

function databaseOf(file: string, server: AnsweredServer, database: AnsweredDatabase): PackageDatabase {
  const { name, folder, answers } = database
  const record = valueOf(answers.record)
  const counts = valueOf(answers.counts)
  const indexes = valueOf(answers.indexes)
  const tasks = valueOf(answers.tasks)?.tasks ?? []
  const errors = valueOf(answers.errors)
  const backups = tasks.flatMap(({ lastFullTicks, lastIncrementalTicks }) =>
    [lastFullTicks, lastIncrementalTicks].filter((at) => at !== null),
  )
  return {
    prefix: server.prefix,
    node: server.tag,
    name,
    state:
      record?.isDisabled === true
        ? 'disabled'
        : counts !== null
          ? 'loaded'
          : answers.counts.kind === 'failed'
            ? 'failed'
            : 'unknown',
    documents: counts?.documents ?? null,
    indexes: counts?.indexes ?? indexes?.length ?? null,
    stale: indexes?.filter(({ isStale }) => isStale).length ?? null,
    erroredIndexes: indexes?.filter(({ state }) => state === 'Error').length ?? null,
    indexingErrors: errors === null ? null : [...errors.values()].reduce((sum, { count }) => sum + count, 0),
    bytes: counts?.bytes ?? null,
    tempBytes: counts?.tempBytes ?? null,
    notices: valueOf(answers.notices)?.total ?? null,
    backupTicks: backups.length === 0 ? null : (Math.max(...backups) as Ticks),
    isEncrypted: record?.isEncrypted === true,
    isCompressed: record?.isCompressed === true,
    folder,
    source: packageSource(file, folder),
  }
}

/** Running queries by index, longest first; null: not in the package, or unreadable. */
function queriesOf(response: unknown): PackageQuery[] | null {
  if (typeof response !== 'object' || response === null) return null
  return Object.entries(response)
    .flatMap(([index, list]: [string, unknown]) =>
      (Array.isArray(list) ? (list as unknown[]) : []).map((each): PackageQuery => {
        const info = fieldOf(each, 'QueryInfo')
        const started = textOf(fieldOf(each, 'StartTime'))
        const startTicks = started === null ? Number.NaN : parseTicks(started)
        return {
          index,
          query: textOf(fieldOf(info, 'Query')) ?? '',
          runningMs: numberOf(fieldOf(each, 'DurationInMs')),
          startTicks: Number.isNaN(startTicks) ? null : (startTicks as Ticks),
        }
      }),
    )
    .toSorted((a, b) => (b.runningMs ?? 0) - (a.runningMs ?? 0))
}

export function detailOf({ answers }: AnsweredDatabase): PackageDatabaseDetail {
  const errors = valueOf(answers.errors)
  return {
    indexes: valueOf(answers.indexes),
    errors: errors === null ? null : [...errors].map(([index, { count, newest }]) => ({ index, count, newest })),
    tasks: valueOf(answers.tasks)?.tasks ?? null,
    tombstones: valueOf(answers.tombstones),
    huge: valueOf(answers.huge),
    notices: valueOf(answers.notices)?.notices ?? null,
    storage: valueOf(answers.storage),
    queries: queriesOf(valueOf(answers.queries)),
    failed: failuresOf(answers),
  }
}

export function reportOf(file: string, servers: readonly AnsweredServer[], triage: PackageTriage): PackageReport {
  const databases = servers.flatMap((server) => server.databases.map((database) => databaseOf(file, server, database)))
  const stamps = servers.flatMap(({ atTicks }) => (atTicks === null ? [] : [atTicks]))
  return {
    file,
    atTicks: stamps.length === 0 ? null : (Math.max(...stamps) as Ticks),
    nodes: servers.map(nodeOf),
    databases: databases.toSorted((a, b) =>
      a.name === b.name ? ((a.node ?? '') < (b.node ?? '') ? -1 : 1) : a.name < b.name ? -1 : 1,
    ),
    triage,
  }
}
