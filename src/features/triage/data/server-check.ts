import { databaseAnswers, ownAnswers, type DatabaseAnswers, type Response } from '../../../ravendb/answers/answers.ts'
import { readSettings } from '../../../ravendb/answers/configuration.ts'
import { entryOf } from '../../../ravendb/entry-names.ts'
import { Fields } from '../../../base/json/fields.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../../../ravendb/endpoints.ts'
import { asRavenError } from '../../../ravendb/errors/errors.ts'
import type { ServerCheck, ServerChecks } from '../contract/check.ts'
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
  'databaseNotifications',
  'tombstones',
  'databaseTransactions',
  'hugeDocuments',
  'storageReport',
]
/** Maximum number of databases in a check, which is a single click. If more are loaded, only these are checked. */
const MOST_DATABASES = 50
/** Number of databases on a page of the list, which does not touch the databases themselves. */
const LISTED_AT_ONCE = 1024
/** Maximum number of pages of the list that are read. */
const MOST_PAGES = 16

/** Runs checks, and keeps the result and the responses of the last one, which Triage uses until the next. */
export class Checks {
  /** Results by server, so that those of another server are not used. */
  readonly #last = new WeakMap<ServerModel, { readonly check: ServerCheck; readonly answers: ServerAnswers }>()
  readonly #running = new WeakMap<ServerModel, Promise<ServerCheck>>()

  /** Responses of the last check. Null: this server has not been checked. */
  answersOf(model: ServerModel): ServerAnswers | null {
    return this.#last.get(model)?.answers ?? null
  }

  of(model: ServerModel): ServerChecks {
    return { isRunning: this.#running.has(model), last: this.#last.get(model)?.check ?? null }
  }

  /** Checks the server, or joins the check that runs. */
  run(model: ServerModel, governor: Governor): Promise<ServerCheck> {
    const running =
      this.#running.get(model) ?? this.#run(model, governor).finally(() => void this.#running.delete(model))
    this.#running.set(model, running)
    return running
  }

  async #run(model: ServerModel, governor: Governor): Promise<ServerCheck> {
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
    const records = await recordsOfAll((params) => request('databases', params), total)
    const databases: { name: string; answers: DatabaseAnswers }[] = []
    for (const name of names) {
      const of = await requestAll(EACH, { database: name })
      databases.push({ name, answers: answersOf(of, records.get(name)) })
    }
    for (const [name, record] of records)
      if (!names.includes(name)) databases.push({ name, answers: answersOf(new Map(), record) })
    const atTicks = model.clock.at(governor.env.now())
    const unchecked = loaded.length - names.length
    const check: ServerCheck = {
      atTicks,
      responses,
      databases: names.length,
      unchecked,
      unloaded: Math.max(0, total - loaded.length),
      listed: records.size,
      total: Math.max(total, records.size),
      failed,
    }
    const answers = { own: ownAnswers((entry) => own.get(entry) ?? null), databases, settings, atTicks, unchecked }
    this.#last.set(model, { check, answers })
    model.version++
    return check
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
 * Records of all listed databases, page by page. A page may be short where the certificate may not see all of them, so
 * before `total` are found only a page without new ones ends the list.
 */
async function recordsOfAll(
  request: (params: Params) => Promise<Response>,
  total: number,
): Promise<ReadonlyMap<string, Response>> {
  const all = new Map<string, Response>()
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = { start: String(page * LISTED_AT_ONCE), pageSize: String(LISTED_AT_ONCE) }
    const records = recordsOf(await request(params))
    const before = all.size
    for (const [name, record] of records) all.set(name, record)
    const isFull = records.size === LISTED_AT_ONCE
    if (all.size === before || (!isFull && all.size >= total)) break
  }
  return all
}

/**
 * Records of the databases on a page of the list: whether each is disabled, and its nodes. The list contains this
 * without loading any database.
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
