import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { msFromTicks, type Ticks } from '../../base/ticks.ts'
import { type ArchiveFile, isKnown } from '../../capture/archive/manifest.ts'
import type { Folder } from '../folder.ts'
import { type ClickHouse, ClickHouseError } from './client.ts'
import { dropOldest } from './dropped.ts'
import { prepareDatabase } from './prepare.ts'
import { insertOf, type KeptDays } from './schema.ts'

/** Figures of sending. */
export interface SenderFigures {
  /** Age, ms, of the oldest row in a file that is not sent; 0: there is none. */
  readonly lagMs: number
  readonly spoolBytes: number
  readonly sentRows: number
  readonly sentBytes: number
  /** Number of inserts that failed; each is repeated. */
  readonly failures: number
  readonly droppedRows: number
  /** Reason why the last insert failed, or why a file that still waits was refused; empty: neither happened. */
  readonly error: string
}

export interface SenderOptions {
  readonly folder: Folder
  readonly clickHouse: ClickHouse
  /** Returns the name of a server in ClickHouse for its name in the folder. */
  readonly nodeOf: (name: string) => string
  readonly days: KeptDays
  /** Maximum size of the folder. Beyond it the oldest files are removed, sent or not. */
  readonly maxBytes: number
  readonly say: (sentence: string) => void
  /** Called when the recording cannot go on. */
  readonly failed: (error: Error) => void
  /** Minimum and maximum pause after a failure, ms. */
  readonly retryMs?: readonly [shortest: number, longest: number]
  /** Time limit for sending the remaining files at the end, ms. */
  readonly lastMs?: number
}

const RETRY_MS = [1000, 60_000] as const
/** Time between two checks for new files, ms. */
const LOOK_MS = 1000
/** Time after which a refused file is sent again, ms. Other files are sent meanwhile. */
const REFUSED_MS = 600_000
const LAST_MS = 5000
/** Maximum number of acknowledged files that are removed together. */
const MOST_SENT = 100

/**
 * Sends the files of a folder to ClickHouse, oldest first. A file is removed when ClickHouse has acknowledged its rows.
 * If the acknowledgement was lost, the file is sent again with the same token, and its rows count once.
 */
export class Sender {
  readonly #options: SenderOptions
  readonly #retryMs: readonly [number, number]
  readonly #over = new AbortController()
  #isPrepared = false
  #running: Promise<void> = Promise.resolve()
  /** Ends a pause when the recording stops, so that the last files are sent. */
  readonly #wake = new AbortController()
  #isEnding = false
  #pauseMs = 0
  /** Refused files by path, with the time at which each is sent again, and the reason. */
  readonly #refused = new Map<string, { readonly atMs: number; readonly why: string }>()
  /** Acknowledged files by path, removed together, since each removal writes the whole manifest. */
  readonly #sent = new Map<string, ArchiveFile>()
  #said = ''
  #figures = { sentRows: 0, sentBytes: 0, failures: 0, droppedRows: 0, error: '' }

  constructor(options: SenderOptions) {
    this.#options = options
    this.#retryMs = options.retryMs ?? RETRY_MS
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (error instanceof Error) this.#options.failed(error)
    })
  }

  get figures(): SenderFigures {
    const { folder } = this.#options
    const oldest = this.#waiting.reduce((least, { minTicks }) => Math.min(least, minTicks), Infinity)
    return {
      ...this.#figures,
      lagMs: Number.isFinite(oldest) ? Math.max(0, Date.now() - msFromTicks(oldest as Ticks)) : 0,
      spoolBytes: folder.bytes,
    }
  }

  /** Sends the remaining files for some seconds; the others stay in the folder until the next start. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.#over.abort(), this.#options.lastMs ?? LAST_MS)
    this.#isEnding = true
    this.#wake.abort()
    await this.#running
    clearTimeout(late)
    const left = this.#options.folder.manifest.files.length
    if (left > 0) this.#options.say(`${String(left)} files are not sent yet; the next start sends them`)
  }

  get #waiting(): ArchiveFile[] {
    return this.#options.folder.manifest.files.filter(({ path }) => !this.#sent.has(path))
  }

  async #run(): Promise<void> {
    await this.#sendAll()
    await this.#dropSent()
  }

  async #sendAll(): Promise<void> {
    const { folder, maxBytes } = this.#options
    while (!this.#over.signal.aborted) {
      if (this.#sent.size >= MOST_SENT || folder.bytes > maxBytes) await this.#dropSent()
      await this.#bound()
      const file = this.#next()
      if (file === undefined) await this.#dropSent()
      if (this.#isEnding && (file === undefined || !this.#isPrepared)) return
      if (file === undefined && this.#isPrepared) {
        await this.#pause(LOOK_MS)
        continue
      }
      if (await this.#try(file)) continue
      await this.#dropSent()
      await this.#pause(this.#isEnding ? this.#retryMs[0] : this.#pauseMs)
    }
  }

  #next(): ArchiveFile | undefined {
    const now = Date.now()
    return this.#waiting
      .filter(({ path }) => (this.#refused.get(path)?.atMs ?? 0) <= now)
      .reduce<ArchiveFile | undefined>(
        (oldest, file) => (oldest === undefined || file.minTicks < oldest.minTicks ? file : oldest),
        undefined,
      )
  }

  /** Prepares the database and sends the file. False: it failed, and may succeed later. */
  async #try(file: ArchiveFile | undefined): Promise<boolean> {
    try {
      await this.#prepare()
      if (file !== undefined) await this.#send(file)
      this.#pauseMs = 0
      this.#say(this.#refusal())
      return true
    } catch (error) {
      if (!(error instanceof ClickHouseError)) throw error
      this.#figures.failures++
      this.#say(error.message)
      // A file whose rows ClickHouse refuses does not delay the others.
      if (error.isRefusal && this.#isPrepared && file !== undefined)
        this.#refused.set(file.path, { atMs: Date.now() + REFUSED_MS, why: error.message })
      const [shortest, longest] = this.#retryMs
      this.#pauseMs = Math.min(longest, Math.max(shortest, 2 * this.#pauseMs))
      return false
    }
  }

  /** Reason why a waiting file was refused; empty: none was. */
  #refusal(): string {
    if (this.#refused.size === 0) return ''
    const waiting = new Set(this.#waiting.map(({ path }) => path))
    for (const path of this.#refused.keys()) if (!waiting.has(path)) this.#refused.delete(path)
    const [first] = this.#refused.values()
    return first?.why ?? ''
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    const { clickHouse, days, folder, nodeOf } = this.#options
    await prepareDatabase(clickHouse, days, { signal: this.#over.signal })
    for (const { name, url } of folder.manifest.nodes)
      await clickHouse.run('INSERT INTO servers SELECT {node:String}, {url:String}, now()', {
        params: { node: nodeOf(name), url },
        signal: this.#over.signal,
      })
    this.#isPrepared = true
  }

  async #send(file: ArchiveFile): Promise<void> {
    const { clickHouse, folder, nodeOf } = this.#options
    if (!isKnown(file))
      throw new ClickHouseError(`${file.path} is of a newer version of Rookery: it waits for that one.`, true)
    let body: Uint8Array
    try {
      body = await readFile(join(folder.path, file.path))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // The file was removed while it waited.
      this.#sent.set(file.path, file)
      return
    }
    // The token depends only on server, path and rows, so it stays the same after a lost acknowledgement or a restart.
    const node = nodeOf(file.node)
    const token = createHash('sha256').update(`${node} ${file.path}\n`).update(body).digest('hex')
    await clickHouse.run(insertOf(file.table, token), { params: { node }, body, signal: this.#over.signal })
    this.#figures.sentRows += file.rows
    this.#figures.sentBytes += file.bytes
    this.#refused.delete(file.path)
    this.#sent.set(file.path, file)
  }

  /** Removes acknowledged files. Ended before that: they are sent again with the same token, and count once. */
  async #dropSent(): Promise<void> {
    await this.#options.folder.drop([...this.#sent.values()])
    this.#sent.clear()
  }

  async #bound(): Promise<void> {
    const { folder, maxBytes, say } = this.#options
    const rows = await dropOldest(folder, maxBytes, say)
    if (rows === 0) return
    this.#figures.droppedRows += rows
    say(
      `${rows.toLocaleString('en-US')} rows were not sent, and went: the folder may have ${megabytes(maxBytes)}. A gap says so`,
    )
  }

  /** Reports once when sending begins to fail, with the reason, and once when it continues. */
  #say(message: string): void {
    this.#figures.error = message
    if (message === this.#said) return
    const { say, clickHouse } = this.#options
    if (message !== '') say(`${message.replace(/\.$/, '')}. Rows wait in the folder`)
    else if (this.#said !== '') say(`${clickHouse.place} takes rows again`)
    this.#said = message
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const { signal } = this.#isEnding ? this.#over : this.#wake
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        done()
      }
      const timer = setTimeout(end, ms)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    })
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`
