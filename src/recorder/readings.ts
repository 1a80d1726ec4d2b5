import { ticksFromMs } from '../base/ticks.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import type { ClusterLog } from '../features/cluster-log/contract.ts'
import type { DatabaseSettings, ServerSetting } from '../feeds/server/contract.ts'
import { ClusterLogTap } from './cluster-log.ts'
import type { RecorderHost } from './host.ts'
import { NowAndThen } from './now-and-then.ts'
import { DatabaseSettingsTap, SettingsTap } from './settings.ts'
import { type LogLevel, StoredLogTap } from './logs/stored-logs.ts'

/** Time between two readings, and until the next one after a failure, ms: cluster log here, others below. */
const CLUSTER_LOG_EVERY_MS = 60_000
/** A response has 200 KB and costs the server 9 ms of CPU; most settings change only with a restart. */
const SETTINGS_EVERY_MS = 600_000
const FAILED_MS = 300_000
/** The server sends whole log files, at 2 ms for a megabyte. A reading is followed by a thousand times that. */
const LOGS_EVERY_MS = 60_000
const LOGS_MS_PER_MB = 2
const LOGS_REST = 1000

export interface ReadingsOptions {
  readonly host: () => RecorderHost
  readonly take: (record: ArchiveRecord) => void
  /** Minimum level of the lines of the server's log that are recorded. Null: none are recorded. */
  readonly logs: LogLevel | null
  readonly say: (sentence: string) => void
}

/**
 * Reads at intervals what is available only by request: the cluster log, the settings of the server and of its
 * databases and, if enabled, the server's log.
 */
export class Readings {
  readonly #options: ReadingsOptions
  readonly #clusterLog = new ClusterLogTap()
  readonly #settings = new SettingsTap()
  readonly #databaseSettings = new DatabaseSettingsTap()
  readonly #logs: StoredLogTap | null
  readonly #all: readonly NowAndThen[]
  #isOver = false
  #isSaid = false

  constructor(options: ReadingsOptions) {
    this.#options = options
    this.#logs = options.logs === null ? null : new StoredLogTap(options.logs, ticksFromMs(Date.now()))
    this.#all = [
      new NowAndThen(CLUSTER_LOG_EVERY_MS, FAILED_MS, () => this.#readClusterLog()),
      new NowAndThen(SETTINGS_EVERY_MS, FAILED_MS, () => this.#readSettings()),
      new NowAndThen(SETTINGS_EVERY_MS, FAILED_MS, () => this.#readDatabaseSettings()),
      ...(this.#logs === null ? [] : [new NowAndThen(LOGS_EVERY_MS, FAILED_MS, () => this.#readLogs())]),
    ]
  }

  tick(): void {
    for (const reading of this.#all) reading.tick()
  }

  /** Ends it: later responses are ignored. */
  end(): void {
    this.#isOver = true
  }

  /** Takes a record of an earlier recording. False: it belongs to something else. */
  meet(record: ArchiveRecord): boolean {
    if (record.t === 'command') this.#clusterLog.meet(record)
    else if (record.t === 'setting') {
      if (!this.#databaseSettings.meet(record)) this.#settings.meet(record)
    } else if (record.t === 'log-mark') this.#logs?.meet(record)
    else return false
    return true
  }

  /** Returns records that start the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    yield* this.#clusterLog.seeds()
    yield* this.#settings.seeds()
    yield* this.#databaseSettings.seeds()
    if (this.#logs !== null) yield* this.#logs.seeds()
  }

  get #nowTicks(): number {
    return ticksFromMs(Date.now() - this.#options.host().state.clockAheadMs)
  }

  async #readClusterLog(): Promise<boolean> {
    const log = (await this.#options.host().request('clusterLog.read', null)) as ClusterLog
    if (this.#isOver || log.failure !== null) return false
    this.#clusterLog.take(log, this.#options.take)
    return true
  }

  async #readSettings(): Promise<boolean> {
    const settings = (await this.#options.host().request('server.settings', null)) as readonly ServerSetting[]
    if (this.#isOver) return false
    this.#settings.take(settings, this.#nowTicks, this.#options.take)
    return true
  }

  async #readDatabaseSettings(): Promise<boolean> {
    const host = this.#options.host()
    const databases = host.state.sources.flatMap(({ id }) => (id.startsWith('db:') ? [id.slice(3)] : []))
    // The list of databases arrives some time after the start.
    if (databases.length === 0) return false
    const settings = (await host.request('server.databaseSettings', { databases })) as readonly DatabaseSettings[]
    if (this.#isOver) return false
    this.#databaseSettings.take(settings, this.#nowTicks, this.#options.take)
    return true
  }

  async #readLogs(): Promise<boolean | number> {
    const tap = this.#logs
    if (tap === null) return false
    const zip = await this.#options.host().request('server.storedLogs', { from: tap.from })
    const read = await tap.read(zip as Uint8Array<ArrayBuffer>)
    if (this.#isOver) return false
    const { bytes, hasLevels } = tap.take(read, this.#nowTicks, this.#options.take)
    if (!hasLevels && bytes > 0 && !this.#isSaid) {
      this.#isSaid = true
      this.#options.say('The log of this server has no levels, as before RavenDB 7.1: it is not recorded.')
    }
    return Math.max(LOGS_EVERY_MS, (bytes / 1e6) * LOGS_MS_PER_MB * LOGS_REST)
  }
}
