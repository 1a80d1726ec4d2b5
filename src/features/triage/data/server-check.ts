import { databaseAnswers, ownAnswers, type Response } from '../../../ravendb/answers/answers.ts'
import { entryOf } from '../../../ravendb/entry-names.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../../../ravendb/endpoints.ts'
import { asRavenError } from '../../../ravendb/errors/errors.ts'
import type { ServerCheck } from '../contract/check.ts'
import type { ServerAnswers } from './facts.ts'
import type { ServerModel } from '../../../feeds/server/contract.ts'

const OWN: readonly EndpointKey[] = [
  'clusterTopology',
  'clusterLog',
  'observerDecisions',
  'tcpConnections',
  'transactions',
  'memoryGc',
]
const EACH: readonly EndpointKey[] = [
  'databaseStats',
  'indexesStats',
  'ongoingTasks',
  'tombstones',
  'databaseTransactions',
  'hugeDocuments',
  'storageReport',
]
/** Most databases of a check, which is a single click: a server with more loaded databases is checked in part. */
const MOST_DATABASES = 50

/** Responses of checks, by which Triage judges until the next check. */
export class Checks {
  /** Responses by server: those of another server do not count. */
  readonly #answers = new WeakMap<ServerModel, ServerAnswers>()

  /** Responses of the last check; null: no check was made of this server. */
  answersOf(model: ServerModel): ServerAnswers | null {
    return this.#answers.get(model) ?? null
  }

  async run(model: ServerModel, governor: Governor): Promise<ServerCheck> {
    const { loaded } = model.databases
    const total = model.databases.totals()?.total ?? loaded.length
    const names = loaded.slice(0, MOST_DATABASES)
    const failed: { entry: string; message: string }[] = []
    let responses = 0
    const request = async (keys: readonly EndpointKey[], params: Params): Promise<Map<string, Response>> => {
      const all = new Map<string, Response>()
      // Requests go one after another: a burst would slow down the clients of the server.
      for (const key of keys) {
        const { route } = ENDPOINTS[key]
        const entry = params['database'] === undefined ? route : `${params['database']}: ${route}`
        try {
          all.set(entryOf(route), { kind: 'body', body: await governor.json(key, params), entry })
          responses++
        } catch (error) {
          const { message } = asRavenError(error, route)
          all.set(entryOf(route), { kind: 'failed', message, entry })
          failed.push({ entry, message })
        }
      }
      return all
    }
    const own = await request(OWN, {})
    const databases: { name: string; answers: ServerAnswers['databases'][number]['answers'] }[] = []
    for (const name of names) {
      const of = await request(EACH, { database: name })
      databases.push({ name, answers: databaseAnswers((entry) => of.get(entry) ?? null) })
    }
    this.#answers.set(model, { own: ownAnswers((entry) => own.get(entry) ?? null), databases })
    model.version++
    return {
      atTicks: model.clock.at(governor.env.now()),
      responses,
      databases: names.length,
      skipped: Math.max(0, total - names.length),
      failed,
    }
  }
}
