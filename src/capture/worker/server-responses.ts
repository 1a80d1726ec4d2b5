import type { Governor } from '../../ravendb/governor/governor.ts'
import type { DetailParams, DETAILS } from '../../ravendb/databases/database-details.ts'
import { requestLoadStory } from '../../ravendb/databases/databases.ts'
import { requestSpelling, type Probe } from '../../ravendb/loading/probe.ts'
import type { HostRequests } from '../client/requests/requests.ts'
import type { ClockMeasurement } from './clock-measurement.ts'
import type { DatabaseLists } from './database-lists.ts'
import type { Handlers } from './handlers.ts'

type ServerRequests = Exclude<keyof HostRequests, `host.${string}`> | 'host.serverId' | 'host.clock'

/** States in which a database takes no requests until another client changes that. */
const CLOSED: ReadonlySet<Probe['state']> = new Set(['gone', 'disabled', 'compacting', 'faulted'])

/** Handlers of the host for requests about the server and its databases. */
export const serverResponses = (lists: DatabaseLists, load: (name: string) => null): Handlers<ServerRequests> => ({
  'host.serverId': (_, governor, signal) => readServerId(governor, signal),
  'host.clock': clockHandler(),
  'governor.resume': (_, governor) => {
    governor.resume()
    return null
  },
  'governor.limits': (limits, { overhead }) => {
    overhead.setLimits(limits)
    return overhead.limits
  },
  'databases.list': ({ have }) => lists.request(have),
  'databases.renew': (_params, _governor, signal) => lists.renew(signal),
  'databases.spelling': ({ name }, governor, signal) => requestSpelling(governor, name, signal),
  'databases.closure': async ({ name }, governor, signal) => {
    const found = await governor.probe('indexesPerformanceLive', { database: name }, signal)
    const reason = 'message' in found && CLOSED.has(found.state) ? found.message : null
    return { reason, isGone: found.state === 'gone' }
  },
  'databases.load': ({ name }) => load(name),
  'databases.loadStory': ({ name }, governor, signal) => requestLoadStory(governor, name, { signal }),
  'databases.indexNames': async ({ databases }, governor, signal) =>
    (await import('../../ravendb/databases/index-names.ts')).readIndexNames(governor, databases, signal),
  'databases.indexErrors': detailHandler('indexErrors'),
  'databases.indexStates': detailHandler('indexStates'),
  'databases.notices': detailHandler('databaseNotices'),
  'databases.counts': detailHandler('databaseCounts'),
  'databases.tasks': detailHandler('ongoingTasks'),
  'databases.indexMerges': detailHandler('indexMerges'),
  'databases.environments': detailHandler('environments'),
  'databases.journals': detailHandler('journals'),
})

type Details = typeof DETAILS

/** Handlers for details that open at a click; their code is not part of the first load. */
const detailHandler =
  <Name extends keyof Details>(name: Name) =>
  async (
    params: DetailParams,
    governor: Governor,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Details[Name]>>> => {
    const details: Details = (await import('../../ravendb/databases/database-details.ts')).DETAILS
    return (await details[name](governor, params, signal)) as Awaited<ReturnType<Details[Name]>>
  }

function clockHandler(): Handlers<'host.clock'>['host.clock'] {
  let measurement: ClockMeasurement | null = null
  return async (_params, governor, signal) => {
    const { ClockMeasurement } = await import('./clock-measurement.ts')
    measurement ??= new ClockMeasurement()
    return { measured: await measurement.measure(governor, signal) }
  }
}

async function readServerId(governor: Governor, signal: AbortSignal): Promise<string | null> {
  const response = await governor.json('serverId', {}, { signal })
  const id: unknown =
    typeof response === 'object' && response !== null && 'ServerId' in response ? response.ServerId : null
  return typeof id === 'string' ? id : null
}
