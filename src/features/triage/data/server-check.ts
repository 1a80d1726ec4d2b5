import { databaseAnswers, ownAnswers, type DatabaseAnswers, type Response } from '../../../ravendb/answers/answers.ts'
import { readSettings } from '../../../ravendb/answers/configuration.ts'
import { entryOf } from '../../../ravendb/entry-names.ts'
import { Fields } from '../../../base/json/fields.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../../../ravendb/endpoints.ts'
import { asRavenError } from '../../../ravendb/errors/errors.ts'
import type { ServerCheck } from '../contract/check.ts'
import type { ServerAnswers } from './facts.ts'
import type { ServerModel } from '../../../feeds/server/contract.ts'

const OWN: readonly EndpointKey[] = [
  'adminStats',
  'clusterTopology',
  'clusterLog',
  'observerDecisions',
  'nodePing',
  'certificates',
  'tcpConnections',
  'transactions',
  'memoryStats',
  'memoryGc',
  'cpuStats',
  'threadsRunaway',
]
const EACH: readonly EndpointKey[] = [
  'databaseStats',
  'indexesStats',
  'indexesWhole',
  'ongoingTasks',
  'tombstones',
  'databaseTransactions',
  'hugeDocuments',
  'storageReport',
]
/** Maximum number of databases in a check, which is a single click. If more are loaded, only these are checked. */
const MOST_DATABASES = 50
/** Maximum number of databases read from the list, which does not touch the databases themselves. */
const MOST_LISTED = 1024

/** Runs checks, and keeps the responses of the last one, which Triage uses until the next. */
export class Checks {
  /** Responses by server, so that those of another server are not used. */
  readonly #answers = new WeakMap<ServerModel, ServerAnswers>()

  /** Responses of the last check. Null: this server has not been checked. */
  answersOf(model: ServerModel): ServerAnswers | null {
    return this.#answers.get(model) ?? null
  }

  async run(model: ServerModel, governor: Governor): Promise<ServerCheck> {
    const { loaded } = model.databases
    const total = model.databases.totals()?.total ?? loaded.length
    const names = loaded.slice(0, MOST_DATABASES)
    const failed: { entry: string; message: string }[] = []
    let responses = 0
    const request = async (key: EndpointKey, params: Params): Promise<Response> => {
      const { route } = ENDPOINTS[key]
      const entry = params['database'] === undefined ? route : `${params['database']}: ${route}`
      try {
        // Not from a cache: a user who checks again wants the present state.
        const body = await governor.json(key, params, { isFresh: true })
        responses++
        return { kind: 'body', body, entry }
      } catch (error) {
        const { message } = asRavenError(error, route)
        failed.push({ entry, message })
        return { kind: 'failed', message, entry }
      }
    }
    // Requests are sent one after another: a burst would slow down the clients of the server.
    const requestAll = async (keys: readonly EndpointKey[], params: Params): Promise<Map<string, Response>> => {
      const all = new Map<string, Response>()
      for (const key of keys) all.set(entryOf(ENDPOINTS[key].route), await request(key, params))
      return all
    }
    const own = await requestAll(OWN, {})
    const settings = settingsOf(await request('serverSettings', { scope: 'ServerWideOnly' }))
    const records = recordsOf(await request('databases', { start: '0', pageSize: String(MOST_LISTED) }))
    const databases: { name: string; answers: DatabaseAnswers }[] = []
    for (const name of names) {
      const of = await requestAll(EACH, { database: name })
      databases.push({ name, answers: answersOf(of, records.get(name)) })
    }
    for (const [name, record] of records)
      if (!names.includes(name)) databases.push({ name, answers: answersOf(new Map(), record) })
    const atTicks = model.clock.at(governor.env.now())
    this.#answers.set(model, { own: ownAnswers((entry) => own.get(entry) ?? null), databases, settings, atTicks })
    model.version++
    return { atTicks, responses, databases: names.length, skipped: Math.max(0, total - names.length), failed }
  }
}

const RECORD = 'database-record'

const answersOf = (responses: ReadonlyMap<string, Response>, record: Response | undefined): DatabaseAnswers =>
  databaseAnswers((entry) => responses.get(entry) ?? (entry === RECORD ? (record ?? null) : null))

function settingsOf(response: Response): ServerAnswers['settings'] {
  if (response.kind !== 'body') return null
  try {
    return readSettings(response.body).server
  } catch {
    // The rules that need the settings report that they are unknown.
    return null
  }
}

/**
 * Records of the listed databases: whether each is disabled, and its nodes. The list contains this without loading any
 * database.
 */
function recordsOf(response: Response): ReadonlyMap<string, Response> {
  if (response.kind !== 'body') return new Map()
  const tagsOf = (topology: Fields | null, field: string): string[] =>
    topology?.eachOrNone(field).map((node) => node.text('NodeTag')) ?? []
  try {
    return new Map(
      new Fields(response.body).each('Databases').map((each) => {
        const name = each.text('Name')
        const topology = each.inOrNull('NodesTopology')
        const body = {
          DatabaseName: name,
          Disabled: each.isTrue('Disabled'),
          Encrypted: each.isTrue('IsEncrypted'),
          Topology: Object.fromEntries(
            ['Members', 'Rehabs', 'Promotables'].map((field) => [field, tagsOf(topology, field)]),
          ),
        }
        return [name, { kind: 'body', body, entry: response.entry }]
      }),
    )
  } catch {
    // The panel Databases reports what is wrong with the list.
    return new Map()
  }
}
