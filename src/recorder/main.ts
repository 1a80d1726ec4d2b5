import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { realEnv, type GovernorEnv } from '../ravendb/env.ts'
import { LocalTabs } from '../ravendb/tabs/local-tabs.ts'
import { type ClickHouseAddress, ClickHouse, ClickHouseError } from './clickhouse/client.ts'
import { fleetName } from './clickhouse/fleet-name.ts'
import { prepareDatabase } from './clickhouse/prepare.ts'
import type { KeptDays } from './clickhouse/schema.ts'
import { Sender } from './clickhouse/sender.ts'
import { Folder } from './folder.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { serveHealth, type ArchiveFigures } from './health.ts'
import { ServerRecorder } from './recorder.ts'
import { KeptFiles } from './kept-files.ts'
import { DAY_MS } from './merge.ts'
import type { Retention } from './retain.ts'
import { OwnJournals } from './own-journals.ts'
import type { LogLevel } from './logs/stored-logs.ts'
import type { SnapshotRule } from './stall-snapshots.ts'

export { ClickHouse } from './clickhouse/client.ts'
export { prepareDatabase } from './clickhouse/prepare.ts'
export { FleetReader } from './clickhouse/reader.ts'
export { insertOf } from './clickhouse/schema.ts'
export { LOG_LEVELS } from './logs/stored-logs.ts'
export { OpenJournals } from './open-journals.ts'
export { fold } from './fold.ts'
export { Folder } from './folder.ts'
export { Pending } from './pending.ts'
export { FileTidier } from './tidy.ts'

/** Connection to a server, with the client certificate to present and the authority to trust. */
export interface Network {
  readonly url: string
  readonly fetch: GovernorEnv['fetch']
  readonly WebSocket: GovernorEnv['WebSocket']
}

export interface RecordOptions {
  readonly to: string
  /** Address to which files are sent; sent files are removed from the folder. Null: files stay in the folder. */
  readonly send: ClickHouseAddress | null
  readonly servers: readonly Network[]
  readonly retention: Retention
  /** Maximum overhead on each server, as a share of a core. */
  readonly limit: number
  readonly flushMs: number
  readonly foldMs: number
  /** Minimum level of the lines of the servers' logs that are recorded. Without it no logs are recorded. */
  readonly logs?: LogLevel | undefined
  /** When stack snapshots are taken. Without it none are. */
  readonly stacks?: SnapshotRule | undefined
  /** Address of the health endpoints. Null: they are not served. */
  readonly listen: { readonly host: string; readonly port: number } | null
  readonly say: (sentence: string) => void
  /** See `RecorderOptions.tableBytes`. */
  readonly tableBytes?: number | undefined
}

export interface Recording {
  /** URL of the health endpoints. Null: they are not served. */
  readonly url: string | null
  /** Rows of this recording that are in its journals alone; `scratch`: separate folder for files of them for SQL. */
  readonly journals: (scratch: string) => OwnJournals
  /** Rejects with the reason when the recording cannot continue. */
  readonly over: Promise<void>
  /** Writes everything that was received, and ends the recording. */
  readonly stop: () => Promise<void>
}

/** Starts recording. Errors: `FolderRefused`, `DiskFull`, `ClickHouseError`, and errors of the file system. */
export async function record(options: RecordOptions): Promise<Recording> {
  const { to } = options
  let fail: (error: Error) => void = () => undefined
  const over = new Promise<void>((_done, failed) => (fail = failed))
  over.catch(() => undefined)
  mkdirSync(to, { recursive: true })
  const lock = await lockFolder(to, fail)
  try {
    return await recordTo(await Folder.open(to), lock, options, over, fail)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function recordTo(
  folder: Folder,
  lock: FolderLock,
  options: RecordOptions,
  over: Promise<void>,
  fail: (error: Error) => void,
): Promise<Recording> {
  const {
    send,
    servers,
    retention,
    limit,
    flushMs,
    foldMs,
    listen,
    say,
    logs = null,
    stacks = null,
    tableBytes,
  } = options
  folder.checkFree()
  const files =
    send === null ? new KeptFiles(folder, retention, say, fail) : await senderOf(send, folder, options, fail)
  const recorders = servers.map(({ url, fetch, WebSocket }) => {
    const env: GovernorEnv = {
      ...realEnv(url),
      // Node has the locks and channels of a browser from 24.5 on: all servers of one process would share them.
      tabs: new LocalTabs(),
      fetch,
      WebSocket,
      upload: () => Promise.reject(new Error('It records.')),
    }
    return new ServerRecorder({ folder, url, env, limit, flushMs, foldMs, logs, stacks, say, tableBytes, failed: fail })
  })
  for (const recorder of recorders) await recorder.start()
  files.start()
  const archive = (): ArchiveFigures => ({
    bytes: folder.bytes,
    files: folder.manifest.files.length,
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    memoryBytes: process.memoryUsage.rss(),
  })
  const health =
    listen === null
      ? null
      : await serveHealth({
          ...listen,
          servers: () => recorders.map(({ figures }) => figures),
          archive,
          sender: () => (files instanceof Sender ? files.figures : null),
        })
  return {
    url: health?.url ?? null,
    journals: (scratch) => new OwnJournals(folder, recorders, scratch),
    over,
    stop: async () => {
      if (files instanceof KeptFiles) await files.stop()
      health?.close()
      for (const recorder of recorders) await recorder.stop()
      // Stopped last, so that it also sends the files that the recorders write at their end.
      if (files instanceof Sender) await files.stop()
      await lock.release()
    },
  }
}

/** File that marks a folder as a spool, in which files only wait to be sent. */
const SPOOL_MARK = 'spool'

/** Marks the folder as a spool. Errors: `ClickHouseError` if it is an archive, which would be sent and removed. */
function markSpool(folder: Folder): void {
  const isMarked = existsSync(join(folder.path, SPOOL_MARK))
  if (folder.manifest.nodes.length > 0 && !isMarked)
    throw new ClickHouseError(
      `${folder.path} is an archive, of which the files would go: name another folder with --spool.`,
      true,
    )
  if (!isMarked) folder.write(SPOOL_MARK, new TextEncoder().encode('Files wait here to be sent, and go.\n'))
}

/**
 * Prepares the database and returns a sender of the folder's files. Errors: `ClickHouseError` if the database refuses;
 * one that does not answer is tried again later.
 */
async function senderOf(
  send: ClickHouseAddress,
  folder: Folder,
  { retention, say }: Pick<RecordOptions, 'retention' | 'say'>,
  failed: (error: Error) => void,
): Promise<Sender> {
  markSpool(folder)
  const clickHouse = new ClickHouse(send)
  const days = daysOf(retention)
  try {
    await prepareDatabase(clickHouse, days)
    say(`sends to ClickHouse at ${clickHouse.place}`)
  } catch (error) {
    if (!(error instanceof ClickHouseError) || error.isRefusal) throw error
    say(`${error.message} Rows wait in ${folder.path} until it does.`)
  }
  const maxBytes = retention.maxBytes ?? Number.POSITIVE_INFINITY
  return new Sender({
    folder,
    clickHouse,
    nodeOf: (name) => fleetName(folder.manifest, name),
    days,
    maxBytes,
    say,
    failed,
  })
}

const daysOf = ({ classes }: Retention): KeptDays => {
  const days = ({ keepMs }: Retention['classes']['rest']): number => Math.round((keepMs ?? 0) / DAY_MS)
  const { events, slow, seconds, minutes, rest } = classes
  return { events: days(events), slow: days(slow), seconds: days(seconds), minutes: days(minutes), rest: days(rest) }
}
