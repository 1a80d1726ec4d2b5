import { join } from 'node:path'
import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import type { Raven } from '../support/raven.ts'
import {
  cpuOfProcess,
  deviceOf,
  filesOf,
  machineCpu,
  memoryOfMachine,
  memoryOfProcess,
  pagesOfProcess,
  TICKS_PER_SECOND,
  volumeOf,
} from './kernel.ts'
import { Load } from './load.ts'
import { Recorder } from './recorder.ts'
import type { Bracket } from './report.ts'

/** Databases of the audit: under load, loaded but unused, and disabled. */
const UNDER_LOAD = 'audited'
export const QUIET = 'quiet'
export const DISABLED = 'disabled'

/** A moment that lies between two of our clock, ms. */
export interface Moment {
  readonly afterMs: number
  readonly beforeMs: number
}

/** The server that the page shows, and independent sources about it. */
export interface World {
  readonly raven: Raven
  readonly load: Load
  readonly cores: number
  /** Latest moment at which the server became ready, wall clock, ms. */
  readonly readyMs: number
  /** Times at which the databases were created. */
  readonly made: ReadonlyMap<string, Moment>
  /** The kernel's figures and the load's own, each second. */
  readonly kernel: Recorder
  /** Responses of endpoints to another client, every two seconds, and sizes of files. */
  readonly server: Recorder
}

export const folderOf = (raven: Raven, database: string): string => join(raven.dataDir, 'Databases', database)

interface Meter {
  readonly Count: number
}
interface Metrics {
  readonly Requests: { readonly RequestsPerSec: Meter }
  readonly Docs: { readonly PutsPerSec: Meter }
  readonly MapIndexes: { readonly IndexedPerSec: Meter }
  readonly MapReduceIndexes: { readonly MappedPerSec: Meter; readonly ReducedPerSec: Meter }
}

/** Makes the databases and begins to record; the load is ready and not yet started. */
export async function createWorld(raven: Raven, readyMs: number): Promise<World> {
  const load = new Load(raven.url, UNDER_LOAD)
  const made = new Map<string, Moment>()
  for (const database of [QUIET, DISABLED, UNDER_LOAD]) {
    const afterMs = Date.now()
    await createDatabase(raven.url, database)
    made.set(database, { afterMs, beforeMs: Date.now() })
  }
  await json(raven.url, '/admin/databases/disable', { method: 'POST', body: { DatabaseNames: [DISABLED] } })
  await load.prepare()
  const pid = raven.pid()
  const { cores } = await machineCpu()
  let samples = 0
  const kernel = new Recorder(1000, async () => {
    const [machine, process, memory, own, pages, volume, device] = await Promise.all([
      machineCpu(),
      cpuOfProcess(pid),
      memoryOfMachine(),
      memoryOfProcess(pid),
      // the kernel walks all its pages for it
      samples++ % 5 === 0 ? pagesOfProcess(pid) : {},
      volumeOf(raven.dataDir),
      deviceOf(raven.dataDir),
    ])
    return {
      ...memory,
      ...own,
      ...pages,
      ...volume,
      ...device,
      busy: machine.busy,
      all: machine.all,
      process: ((process.user + process.kernel) / 1000) * TICKS_PER_SECOND,
      documents: load.documents,
    }
  })
  const server = new Recorder(2000, async () => {
    const [all, own, ...files] = await Promise.all([
      json(raven.url, '/admin/metrics') as Promise<Metrics>,
      json(raven.url, `${databasePath(load.database)}/metrics`) as Promise<Metrics>,
      ...[load.database, QUIET].map((database) => filesOf(folderOf(raven, database))),
      filesOf(raven.dataDir),
    ])
    const { MapIndexes, MapReduceIndexes } = own
    return {
      requests: all.Requests.RequestsPerSec.Count,
      'database.requests': own.Requests.RequestsPerSec.Count,
      'database.writes': own.Docs.PutsPerSec.Count,
      'database.indexed': MapIndexes.IndexedPerSec.Count,
      'database.mapped': MapReduceIndexes.MappedPerSec.Count,
      'database.reduced': MapReduceIndexes.ReducedPerSec.Count,
      'database.maps': MapIndexes.IndexedPerSec.Count + MapReduceIndexes.MappedPerSec.Count,
      ...Object.fromEntries(
        [load.database, QUIET, 'all'].flatMap((name, i) => {
          const { data = 0, buffers = 0, recyclable = 0 } = files[i] ?? {}
          return [
            [`${name}.data`, data],
            [`${name}.temp`, buffers + recyclable],
            [`${name}.buffers`, buffers],
            [`${name}.recyclable`, recyclable],
          ]
        }),
      ),
    }
  })
  kernel.start()
  server.start()
  return { raven, load, cores, readyMs, made, kernel, server }
}

/** JSON response of the server to a client that is not the page. */
export const request = async <T>({ raven }: World, path: string): Promise<T> => (await json(raven.url, path)) as T

/** Time since a moment, ms. */
export const sinceThen = (moment: Moment | undefined, atMs: number): Bracket => ({
  least: atMs - (moment?.beforeMs ?? Number.NaN),
  most: atMs - (moment?.afterMs ?? Number.NaN),
})
