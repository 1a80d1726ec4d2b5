import { realEnv, type GovernorEnv } from '../ravendb/env.ts'
import { Folder } from './folder.ts'
import { serveHealth, type ArchiveFigures } from './health.ts'
import { ServerRecorder } from './recorder.ts'
import { Retaining, type Retention } from './retain.ts'
import { FileTidier } from './tidy.ts'

export { OpenJournals } from './open-journals.ts'
export { fold } from './fold.ts'
export { Folder } from './folder.ts'
export { Pending } from './pending.ts'
export { FileTidier } from './tidy.ts'

/** How a server is reached: as who one is, and whom one trusts. */
export interface Network {
  readonly url: string
  readonly fetch: GovernorEnv['fetch']
  readonly WebSocket: GovernorEnv['WebSocket']
}

export interface RecordOptions {
  readonly to: string
  readonly servers: readonly Network[]
  readonly retention: Retention
  /** Share of a core of each server. */
  readonly limit: number
  readonly flushMs: number
  readonly foldMs: number
  /** Address of the health pages; null: none are served. */
  readonly listen: { readonly host: string; readonly port: number } | null
  readonly say: (sentence: string) => void
}

export interface Recording {
  /** URL of the health pages; null: none are served. */
  readonly url: string | null
  /** Rejects with why it cannot go on. */
  readonly over: Promise<void>
  /** Writes all that came, and ends. */
  readonly stop: () => Promise<void>
}

/** How often files that can be one become it, and those that are too old go. */
const TIDY_EVERY_MS = 60_000

/** Begins to record. Errors: `DiskFull`, and what the file system throws. */
export async function record(options: RecordOptions): Promise<Recording> {
  const { to, servers, retention, limit, flushMs, foldMs, listen, say } = options
  const folder = await Folder.open(to)
  folder.checkFree()
  let fail: (error: Error) => void = () => undefined
  const over = new Promise<void>((_done, failed) => (fail = failed))
  over.catch(() => undefined)
  const recorders = servers.map(({ url, fetch, WebSocket }) => {
    const env: GovernorEnv = {
      ...realEnv(url),
      fetch,
      WebSocket,
      upload: () => Promise.reject(new Error('It records.')),
    }
    return new ServerRecorder({ folder, url, env, limit, flushMs, foldMs, say, failed: fail })
  })
  for (const recorder of recorders) await recorder.start()
  const tidier = new FileTidier(folder, say)
  const retaining = new Retaining(folder, say)
  const tidyOnce = async (): Promise<void> => {
    const { bytes, thinned } = await retaining.run(retention, Date.now())
    if (bytes > 0) say(`${megabytes(bytes)} of the oldest rows were removed`)
    if (thinned !== null) say(`of I/O events up to ${thinned} only slow ones and sums are kept from now on`)
    await tidier.run(Date.now())
  }
  let tidied = Promise.resolve()
  const tidy = (): void => void (tidied = tidied.then(tidyOnce).catch(fail))
  tidy()
  const timer = setInterval(tidy, TIDY_EVERY_MS)
  const archive = (): ArchiveFigures => ({
    bytes: folder.bytes,
    files: folder.manifest.files.length,
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    memoryBytes: process.memoryUsage.rss(),
  })
  const health =
    listen === null
      ? null
      : await serveHealth({ ...listen, servers: () => recorders.map(({ figures }) => figures), archive })
  return {
    url: health?.url ?? null,
    over,
    stop: async () => {
      clearInterval(timer)
      tidier.stop()
      retaining.stop()
      await tidied
      health?.close()
      for (const recorder of recorders) await recorder.stop()
    },
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
