import { asObject, ParseError } from '../../base/json/check.ts'
import { type Ticks, parseTicks } from '../../base/ticks.ts'
import { readEnvironments } from '../databases/environments.ts'
import { readNotices } from '../databases/database-details.ts'
import { readTasks } from '../databases/ongoing-tasks.ts'
import {
  readCounts,
  readErrors,
  readHuge,
  readIndexes,
  readRecord,
  readStoresAll,
  readTombstones,
} from './database-answers.ts'
import { ABSENT, entryOf, type Answer } from '../entry-names.ts'
import {
  asItIs,
  readBuild,
  readCertificates,
  readClusterLog,
  readCollections,
  readConnections,
  readCpuTime,
  readMemoryUse,
  readObserver,
  readPings,
  readStart,
  readThreads,
  readTransactions,
} from './server-answers.ts'
import { readEmptyTransactions, readStorageFailures } from './write-answers.ts'

interface Question<Value> {
  /**
   * Route in the table of endpoints; for the record of a database, which has no route, the name of its package entry.
   */
  readonly route: string
  /** Errors: `ParseError`. */
  readonly read: (response: unknown) => Value
}

const of = <Value>(route: string, read: (response: unknown) => Value): Question<Value> => ({ route, read })

/** Endpoints of a server about itself, and how each response is read. */
export const SERVER_QUESTIONS = {
  build: of('/build/version', readBuild),
  start: of('/admin/stats', readStart),
  serverId: of('/debug/server-id', asItIs),
  topology: of('/cluster/topology', (response) => asObject(response, '$')),
  log: of('/admin/cluster/log', readClusterLog),
  observer: of('/admin/cluster/observer/decisions', readObserver),
  pings: of('/admin/debug/node/ping', readPings),
  certificates: of('/admin/certificates', readCertificates),
  connections: of('/admin/debug/info/tcp/active-connections', readConnections),
  transactions: of('/admin/debug/txinfo', readTransactions),
  memory: of('/admin/debug/memory/stats', readMemoryUse),
  collections: of('/admin/debug/memory/gc', readCollections),
  lowMemoryLog: of('/admin/debug/memory/low-mem-log', asItIs),
  cpuTime: of('/admin/debug/cpu/stats', readCpuTime),
  threads: of('/admin/debug/threads/runaway', readThreads),
  credits: of('/debug/cpu-credits', asItIs),
}

/** Endpoints of a database about itself, and how each response is read. */
export const DATABASE_QUESTIONS = {
  record: of('database-record', readRecord),
  counts: of('/databases/{database}/stats', readCounts),
  indexes: of('/databases/{database}/indexes/stats', readIndexes),
  errors: of('/databases/{database}/indexes/errors', readErrors),
  storesAll: of('/databases/{database}/indexes', readStoresAll),
  huge: of('/databases/{database}/debug/documents/huge', readHuge),
  tasks: of('/databases/{database}/tasks', readTasks),
  tombstones: of('/databases/{database}/admin/tombstones/state', readTombstones),
  transactions: of('/databases/{database}/admin/debug/txinfo', readTransactions),
  storage: of('/databases/{database}/debug/storage/report', readEnvironments),
  notices: of('/databases/{database}/notifications', readNotices),
  queries: of('/databases/{database}/debug/queries/running', asItIs),
  storageIo: of('/databases/{database}/debug/io-metrics', readStorageFailures),
  merges: of('/databases/{database}/debug/perf-metrics', readEmptyTransactions),
}

type AnswersTo<Questions extends Readonly<Record<string, Question<unknown>>>> = {
  readonly [Name in keyof Questions]: Answer<ReturnType<Questions[Name]['read']>>
}
export type OwnAnswers = AnswersTo<typeof SERVER_QUESTIONS>
export type DatabaseAnswers = AnswersTo<typeof DATABASE_QUESTIONS>

/** A response as text or parsed, or the reason why there is none. */
export type Response =
  | { readonly kind: 'text'; readonly text: string; readonly entry: string }
  | { readonly kind: 'body'; readonly body: unknown; readonly entry: string }
  | { readonly kind: 'failed'; readonly message: string; readonly entry: string }

/**
 * Reads the response that `responseTo` has for each entry name; a response that cannot be read becomes a failed answer.
 */
export const ownAnswers = (responseTo: (entry: string) => Response | null): OwnAnswers =>
  answersTo(SERVER_QUESTIONS, responseTo) as OwnAnswers
export const databaseAnswers = (responseTo: (entry: string) => Response | null): DatabaseAnswers =>
  answersTo(DATABASE_QUESTIONS, responseTo) as DatabaseAnswers

const answersTo = (
  questions: Readonly<Record<string, Question<unknown>>>,
  responseTo: (entry: string) => Response | null,
): Record<string, Answer<unknown>> =>
  Object.fromEntries(
    Object.entries(questions).map(([name, { route, read }]) => [name, answerOf(responseTo(entryOf(route)), read)]),
  )

function answerOf<Value>(response: Response | null, read: (response: unknown) => Value): Answer<Value> {
  if (response === null) return ABSENT
  const { entry } = response
  if (response.kind === 'failed') return { kind: 'failed', message: response.message, entry }
  try {
    const body: unknown = response.kind === 'body' ? response.body : JSON.parse(response.text)
    return { kind: 'answered', value: read(body), atTicks: stampOf(body), entry }
  } catch (error) {
    const why = error instanceof ParseError ? error.message : 'It is not complete JSON.'
    return { kind: 'failed', message: why, entry }
  }
}

/** Time of the response as the server wrote it into the response; null: it has none. */
export function stampOf(body: unknown): Ticks | null {
  const metadata = (body as { readonly '@metadata'?: { readonly DateTime?: unknown } } | null)?.['@metadata']
  const ticks = parseTicks(typeof metadata?.DateTime === 'string' ? metadata.DateTime : '')
  return Number.isNaN(ticks) ? null : ticks
}

export const OWN_ENTRIES: ReadonlySet<string> = new Set(
  Object.values(SERVER_QUESTIONS).map(({ route }) => entryOf(route)),
)
export const DATABASE_ENTRIES: ReadonlySet<string> = new Set(
  Object.values(DATABASE_QUESTIONS).map(({ route }) => entryOf(route)),
)
