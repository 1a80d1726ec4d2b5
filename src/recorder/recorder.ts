import { msFromTicks, type Ticks, ticksFromMs } from '../base/ticks.ts'
import { wordsOfNewer } from '../capture/archive/journal.ts'
import { nodeName } from '../capture/archive/manifest.ts'
import type { ArchiveRecord, IoRecord, RollUpRecord } from '../capture/archive/records.ts'
import type { LostRecordings } from '../capture/client/protocol.ts'
import { type SourceId, sourceId } from '../capture/client/state.ts'
import type { GovernorEnv } from '../ravendb/env.ts'
import { FigureGapTap } from './figure-gaps.ts'
import { fold } from './fold.ts'
import type { Folder } from './folder.ts'
import type { RecorderFigures } from './health.ts'
import { RecorderHost } from './host.ts'
import type { UnfoldedRows } from './journal-files.ts'
import { JournalWriter, recover } from './journal-writer.ts'
import { observe } from './observed.ts'
import { Pending } from './pending.ts'
import { Readings } from './readings.ts'
import { refill } from './refill.ts'
import { ioSeeds } from './seeds.ts'
import type { LogLevel } from './logs/stored-logs.ts'
import { type SnapshotRule, StallSnapshots } from './stall-snapshots.ts'
import { BatchTap, GapTap, ServerTap, tapIo } from './taps.ts'

export interface RecorderOptions {
  readonly folder: Folder
  readonly url: string
  readonly env: GovernorEnv
  /** Maximum overhead of the recording on the server, as a share of a core. */
  readonly limit: number
  /** Time between two writes of received data to the disk, ms. */
  readonly flushMs: number
  /** Time between two folds of the journal into files, ms. */
  readonly foldMs: number
  /** Minimum level of the lines of the server's log that are recorded. Null: none are recorded. */
  readonly logs: LogLevel | null
  /** When stack snapshots are taken. Null: never. */
  readonly stacks: SnapshotRule | null
  readonly say: (sentence: string) => void
  /**
   * Size of the tables in bytes above which they are replaced by new ones that hold only what the server may report
   * again. Default: 256 MB.
   */
  readonly tableBytes?: number | undefined
  /** Called when the recording cannot continue. */
  readonly failed: (error: Error) => void
}

/** Size of the journal in bytes above which it is folded into files before its time. */
const MOST_JOURNAL_BYTES = 64 << 20
const MOST_TABLE_BYTES = 256 << 20
/** Minimum time, ms, between two records of the time up to which everything is known. */
const KNOWN_EVERY_MS = 3500
/** Measured on 7.1.5 (bench/README.md): it happens after any second opening of a live feed, by any client. */
const KEPT_TIMERS =
  'RavenDB 7.1 keeps a timer for each wait of a live feed, and spends 1 to 2 % of a core on them until it is restarted; with RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY=true in its environment it does not.'

/** Records one server to an archive. */
export class ServerRecorder {
  readonly #options: RecorderOptions
  readonly #node: string
  #host: RecorderHost
  #journal: JournalWriter | null = null
  #pending = new Pending()
  /** Rows that are being written to files, with the number of their journal. */
  #folded: UnfoldedRows | null = null
  #batches = new BatchTap()
  #gaps = new GapTap()
  #serverTap = new ServerTap()
  readonly #figureGaps = new FigureGapTap()
  readonly #readings: Readings
  readonly #snapshots: StallSnapshots | null
  #isAdvised = false
  #timer: ReturnType<typeof setTimeout> | null = null
  #foldDueMs = 0
  #knownSaidMs = 0
  /** See `KnownRecord`: what was known last, also of sources that do not answer now. */
  readonly #known = new Map<SourceId, Ticks>()
  #figuresMs: number | null = null
  #isOver = false
  #folding: Promise<void> = Promise.resolve()
  #left = ''
  readonly #counts: Record<string, number> = {}

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#node = nodeName(options.url)
    this.#host = new RecorderHost(options.env)
    this.#readings = new Readings({
      host: () => this.#host,
      take: (record) => this.#take(record),
      logs: options.logs,
      say: (sentence) => options.say(`${options.url}: ${sentence}`),
    })
    const { stacks: rule } = options
    this.#snapshots =
      rule === null
        ? null
        : new StallSnapshots({
            rule,
            take: () => this.#host.takeStacks(),
            record: (record) => this.#isOver || this.#take(record),
            nameOf: (source, path) => this.#host.storageName(source, path),
            nowTicks: () => ticksFromMs(Date.now() - this.#host.state.clockAheadMs),
            say: (sentence) => this.#isOver || options.say(`${options.url}: ${sentence}`),
          })
  }

  /** Starts recording where the previous recorder ended. Errors: `DiskFull`, and errors of the file system. */
  async start(): Promise<void> {
    const { folder, say, url } = this.#options
    let knownMs = Number.NaN
    const { journals, ends } = await recover(folder, this.#node, (record) => {
      this.#pending.take(record)
      if (record.t === 'io' || record.t === 'sum') refill(this.#host.io.store, record)
      else if (record.t === 'batch') this.#batches.meet(record.source, record.index, record.id, record.startTicks)
      else if (record.t === 'known') {
        knownMs = record.atMs
        this.#figuresMs = record.figuresMs === undefined ? record.atMs : record.figuresMs
        this.#known.clear()
        for (const [source, ticks] of Object.entries(record.until)) this.#known.set(source, ticks as Ticks)
      } else if (record.t === 'stacks') this.#snapshots?.meet(record)
      else if (!this.#readings.meet(record)) this.#serverTap.meet(record)
    })
    const faults = ends.flatMap(({ broken }) => broken ?? [])
    const newer = wordsOfNewer(ends.reduce((sum, end) => sum + end.newer, 0))
    if (!Number.isNaN(knownMs))
      say(
        `${url}: continues after ${[new Date(knownMs).toISOString(), ...(faults.length > 0 ? [faults.join(' ')] : [])].join('; ')}`,
      )
    if (newer !== '') say(`${url}: ${newer}`)
    const next = Math.max(-1, ...journals) + 1
    // After this the folder can be opened as an archive.
    folder.commit({ name: this.#node, url, journal: journals[0] ?? next }, [])
    this.#begin(next, { sources: new Map(this.#known), serverSinceMs: this.#figuresMs })
    if (this.#pending.rows > 0) await this.#fold()
  }

  /** Ends the recording. Everything that was received is on the disk when it resolves. */
  async stop(): Promise<void> {
    if (this.#isOver) return
    this.#host.refresh()
    this.#collect(true)
    this.#isOver = true
    this.#readings.end()
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#journal?.flush()
    await this.#folding
    await this.#fold()
    this.#host.end()
    this.#journal?.close()
  }

  /** Rows that no file of the archive has. They must be read together with the manifest. */
  get unfolded(): readonly UnfoldedRows[] {
    const number = this.#journal?.number ?? 0
    const first = this.#options.folder.manifest.nodes.find(({ name }) => name === this.#node)?.journal ?? 0
    const folded = this.#folded === null || this.#folded.number < first ? [] : [this.#folded]
    return [...folded, { node: this.#node, number, pending: this.#pending }]
  }

  get figures(): RecorderFigures {
    this.#host.refresh()
    const { sources, gaps, version, error, shareOfCore } = this.#host.state
    const last = Math.max(...sources.map(({ lastReceivedMs }) => lastReceivedMs ?? Number.NEGATIVE_INFINITY))
    const live = sources.filter(({ phase }) => phase === 'live')
    const until = live.flatMap(({ id }) => this.#host.io.knownUntil(id) ?? [])
    return {
      node: this.#node,
      url: this.#options.url,
      isConnected: live.length > 0,
      version,
      lagMs: Number.isFinite(last) ? Math.max(0, Date.now() - last) : null,
      recordedUntilMs: until.length === 0 ? null : msFromTicks(Math.min(...until) as Ticks),
      sources: sources.length,
      liveSources: live.length,
      records: { ...this.#counts },
      openGaps: gaps.filter(({ isOpen }) => isOpen === true).length,
      journalBytes: this.#journal?.bytes ?? 0,
      serverShareOfCore: shareOfCore,
      error,
      observe: () => observe(this.#host),
    }
  }

  #begin(journal: number, lost: LostRecordings): void {
    const { folder, limit, flushMs, foldMs } = this.#options
    this.#journal = new JournalWriter(folder, this.#node, journal)
    for (const seed of this.#seeds()) this.#journal.add(seed)
    this.#journal.flush()
    tapIo(this.#host.io, (record) => this.#takeIo(record))
    this.#batches.attach(this.#host.indexing, (record) => this.#take(record))
    this.#foldDueMs = nextFold(Date.now(), foldMs)
    this.#host.begin(lost, limit)
    this.#host.watch([])
    this.#timer ??= setTimeout(() => this.#tick(), flushMs)
  }

  *#seeds(): Generator<ArchiveRecord> {
    yield* ioSeeds(this.#host.io.store)
    yield* this.#batches.seeds()
    yield* this.#serverTap.seeds()
    yield* this.#readings.seeds()
    if (this.#snapshots !== null) yield* this.#snapshots.seeds()
  }

  #take(record: ArchiveRecord): void {
    this.#journal?.add(record)
    this.#pending.take(record)
    // The known time passes the gap with it, and the next recorder begins after it.
    if (record.t === 'gap') this.#knownSaidMs = 0
    const rows = record.t === 'io' ? (record.c[0]?.length ?? 0) : record.t === 'vital' ? record.ticks.length : 1
    if (record.t === 'log-mark' || 'seed' in record) return
    this.#counts[record.t] = (this.#counts[record.t] ?? 0) + rows
  }

  #takeIo(record: IoRecord | RollUpRecord): void {
    this.#take(record)
    if (record.t === 'io') this.#snapshots?.saw(record)
  }

  /** `isEnd`: also write gaps and findings that have not ended, as nothing follows. */
  #collect(isEnd = false): void {
    // Rows after a gap must not be on the disk without it: the next recorder would take them for all there was.
    this.#host.refreshGaps()
    const { server, state } = this.#host
    const now = Date.now()
    const take = (record: ArchiveRecord): void => this.#take(record)
    const nowTicks = ticksFromMs(now - state.clockAheadMs)
    this.#serverTap.collect(server, nowTicks, take, isEnd)
    this.#figureGaps.take(server, nowTicks, take, isEnd)
    this.#gaps.take(state.gaps, take, () => isEnd)
    this.#learn()
    // Open gaps were written up to now: the next recorder begins after them.
    if (isEnd)
      for (const { source, lane, isOpen, endTicks } of state.gaps)
        if (isOpen === true && lane === null && this.#known.has(source)) this.#known.set(source, endTicks)
    if (now - this.#knownSaidMs < KNOWN_EVERY_MS && !isEnd) return
    this.#knownSaidMs = now
    const until = Object.fromEntries(this.#known)
    this.#journal?.add({ t: 'known', until, figuresMs: this.#figuresMs, atMs: now })
  }

  /** Notes what is known, all gaps before which were taken. What does not answer now stays known as it was. */
  #learn(): void {
    // The last fold of a recorder comes after its open gaps.
    if (this.#isOver) return
    const { known, clockAheadMs } = this.#host.state
    for (const [source, ticks] of known) this.#known.set(source, ticks)
    const { knownTicks } = this.#figureGaps
    if (knownTicks !== null) this.#figuresMs = msFromTicks(knownTicks) + clockAheadMs
  }

  #tick(): void {
    if (this.#isOver) return
    const { folder, flushMs, foldMs, failed } = this.#options
    try {
      this.#adviseOnTimers()
      this.#watchDatabases()
      this.#readings.tick()
      this.#collect()
      this.#journal?.flush()
      folder.checkFree()
      const isLarge = (this.#journal?.bytes ?? 0) > MOST_JOURNAL_BYTES
      if (isLarge || Date.now() >= this.#foldDueMs) {
        this.#foldDueMs = nextFold(Date.now(), foldMs)
        this.#folding = this.#folding.then(() => this.#fold()).catch(failed)
      }
    } catch (error) {
      failed(error as Error)
      return
    }
    this.#timer = setTimeout(() => this.#tick(), flushMs)
  }

  /** Reports once a cost of the server that only its administrator can avoid. */
  #adviseOnTimers(): void {
    if (this.#isAdvised || this.#host.state.version === '') return
    this.#isAdvised = true
    if (this.#host.state.version.startsWith('7.1.')) this.#options.say(`${this.#options.url}: ${KEPT_TIMERS}`)
  }

  #watchDatabases(): void {
    const { states } = this.#host.server.model.databases
    // An empty list comes from a server that does not answer now: the databases stay as they were.
    if (states.size === 0) return
    const left = this.#host.watch([...states.keys()].toSorted())
    this.#leaveGone()
    if (left.join(', ') === this.#left) return
    this.#left = left.join(', ')
    if (left.length > 0)
      this.#options.say(
        `${this.#options.url}: ${String(left.length)} databases are not recorded, there are too many: ${this.#left}`,
      )
  }

  /** Writes the gaps of sources that are no longer watched, such as deleted databases: no data will end them. */
  #leaveGone(): void {
    const gone = [...this.#known].filter(([source]) => !this.#host.isWatched(source))
    if (gone.length === 0) return
    this.#host.refresh()
    const { gaps, clockAheadMs } = this.#host.state
    const endTicks = ticksFromMs(Date.now() - clockAheadMs)
    const listed = new Set(this.#host.databases.map((name) => sourceId({ kind: 'database', name })))
    for (const [source, startTicks] of gone) {
      this.#known.delete(source)
      const open = gaps.filter((gap) => gap.source === source && gap.isOpen === true)
      this.#gaps.take(
        open,
        (record) => this.#take(record),
        () => true,
      )
      if (endTicks > startTicks && !open.some(({ lane }) => lane === null))
        this.#take({
          t: 'gap',
          gap: { ...LEFT, ...(listed.has(source) ? BEYOND_MOST : GONE), source, startTicks, endTicks },
        })
    }
  }

  /** Writes pending rows to files, and starts a journal with the records that the server may report again. */
  async #fold(): Promise<void> {
    const { folder, url } = this.#options
    const before = this.#journal
    if (before === null) return
    this.#collect()
    before.flush()
    const pending = this.#pending
    this.#pending = new Pending()
    this.#folded = { node: this.#node, number: before.number, pending }
    const next = new JournalWriter(folder, this.#node, before.number + 1)
    for (const seed of this.#seeds()) next.add(seed)
    this.#journal = next
    this.#knownSaidMs = 0
    this.#collect()
    next.flush()
    before.close()
    await fold(folder, { name: this.#node, url }, pending, next.number)
    this.#folded = null
    const tables = this.#host.io.byteLength().tables + this.#host.indexing.byteLength().tables
    if (!this.#isOver && tables > (this.#options.tableBytes ?? MOST_TABLE_BYTES)) this.#again()
  }

  /**
   * Replaces the tables by new ones that hold only what the server may report again. Events in between are read from
   * the server's rings, or are a gap.
   */
  #again(): void {
    const before = this.#host
    before.refresh()
    const take = (record: ArchiveRecord): void => this.#take(record)
    // Closures below live as long as the next capture, and would keep the one before if one of them captured it.
    const seeds = [...ioSeeds(before.io.store)]
    // The next tables do not know since when a finding holds: so far it is written down now.
    const nowTicks = ticksFromMs(Date.now() - before.state.clockAheadMs)
    this.#serverTap.collect(before.server, nowTicks, take, true)
    this.#figureGaps.take(before.server, nowTicks, take, true)
    // An open gap of I/O goes on: the server's rings may still have what was missed. Others end here.
    this.#gaps.take(before.state.gaps, take, ({ lane }) => lane !== null)
    this.#learn()
    const openGaps = before.state.gaps.filter(({ isOpen }) => isOpen === true)
    before.end()
    this.#host = new RecorderHost(this.#options.env)
    this.#gaps = new GapTap(false)
    for (const seed of seeds) if (seed.t === 'io' || seed.t === 'sum') refill(this.#host.io.store, seed)
    tapIo(this.#host.io, (record) => this.#takeIo(record))
    this.#batches.attach(this.#host.indexing, (record) => this.#take(record))
    const lost = { sources: new Map(this.#known), openGaps, why: BEGUN_AGAIN, serverSinceMs: this.#figuresMs }
    this.#host.begin(lost, this.#options.limit)
    // While the server does not answer, `before` may not have a list of its own.
    this.#host.watch(before.databases)
  }
}

/** Gap of a source that is no longer watched and has no open gap. */
const LEFT = { id: -1, lane: null, kind: null, missingCount: null, missingBytes: null } as const
const BEGUN_AGAIN = { reason: 'not-watched', detail: 'The recorder began again with empty tables.' } as const
const GONE = { reason: 'database-deleted', detail: 'The database was deleted.' } as const
const BEYOND_MOST = { reason: 'not-watched', detail: 'Too many databases: it is no longer recorded.' } as const

/** Next whole multiple of the interval, so that the files of an hour begin with the hour. */
const nextFold = (nowMs: number, everyMs: number): number => (Math.floor(nowMs / everyMs) + 1) * everyMs
