import type { Handlers } from '../../../capture/worker/handlers.ts'
import { readRecordSettings, readSettings } from '../../../ravendb/answers/configuration.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { operationsOverTime } from './figures/operation-spans.ts'
import { LatencySample } from './figures/latency-sample.ts'
import { MemoryDetail } from './wire/memory-detail.ts'
import type { ServerModel } from './model.ts'
import { bottlenecksResponse } from './bottleneck/bottlenecks.ts'
import type { JournalSource } from './bottleneck/steps.ts'
import type { DatabaseSettings, ServerLaterRequests } from '../contract.ts'

/** Source of the present model, which is replaced when another server appears at this address. */
export interface LaterSource {
  readonly model: ServerModel
}

/**
 * Handlers whose code is loaded after the first render. `journal`: source of journal writes, for databases whose I/O is
 * watched.
 */
export function laterResponses(source: LaterSource, journal: JournalSource | null = null) {
  const latency = new LatencySample()
  const memoryDetail = new MemoryDetail()
  return {
    'server.bottlenecks': (params, governor) => {
      const { model } = source
      const nowTicks = model.nowTicks(governor.env.now()) ?? params.endTicks
      return bottlenecksResponse(model, params, journal, nowTicks)
    },
    'server.operations': (range, governor) => {
      const { model } = source
      const nowTicks = model.nowTicks(governor.env.now()) ?? range.endTicks
      return operationsOverTime(model.operationLog, model.operations.all, range, nowTicks)
    },
    'server.queries': () => {
      const { queries, queriesTicks, topology, endedQueries } = source.model
      const nodeTag = topology?.ownTag ?? null
      return { atTicks: queriesTicks, nodeTag, running: queries, ended: endedQueries.ended }
    },
    'server.settings': async (_params, governor, signal) => {
      // Reads all scopes, since a setting of the server may also be one that a database can have.
      const response = await governor.json('serverSettings', {}, { signal, priority: 'poll' })
      return Array.from(readSettings(response).server, ([key, { value }]) => ({ key, value }))
    },
    'server.storedLogs': ({ from }, governor, signal) => governor.bytes('storedLogs', { from }, { signal }),
    'server.databaseSettings': async ({ databases }, governor, signal) => {
      const found: DatabaseSettings[] = []
      for (const name of databases)
        try {
          const record = await governor.json('databaseRecord', { name }, { signal, priority: 'poll' })
          found.push({ database: name, settings: readRecordSettings(record) })
        } catch (error) {
          // Deleted in the meantime, or access denied. The settings are then unknown, which does not count as a change.
          if (!(error instanceof RavenError) || error.status === null) throw error
        }
      return found
    },
    'server.memory': ({ files }, governor) => {
      memoryDetail.request(files, governor, source.model)
      return { canFiles: source.model.memory.now(null)?.source === 'kernel' }
    },
    'server.latency': ({ start }, governor) => {
      if (start) latency.start(governor)
      return latency.response()
    },
  } satisfies Handlers<keyof ServerLaterRequests>
}
