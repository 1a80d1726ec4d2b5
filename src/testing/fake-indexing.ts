import { formatTicks, msFromTicks, type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { SourceId } from '../capture/client/state.ts'
import { GapLog } from '../capture/worker/gap-log.ts'
import { ServerClock } from '../capture/worker/server-clock.ts'
import { IndexingFeed } from '../feeds/indexing/data/feed.ts'
// The feed loads it at its first use, which takes longer than a turn here.
import '../feeds/indexing/data/watching/server-watch.ts'
import { Governor } from '../ravendb/governor/governor.ts'
import { fakeCapture, fakeSource, type FakeCapture } from './fake-capture.ts'
import { FakeRaven, json, settle, type FakeSocket } from './fake-raven.ts'
import { wireDocument } from './generated/generated-batches.ts'
import {
  batchAt,
  endOf,
  generateIndexing,
  heldAt,
  type FakeBatch,
  type GeneratedIndexing,
  type GenerateIndexingOptions,
} from './generated/generated-indexing.ts'
import { recordedJson, recordedText } from './recorded.ts'

export interface FakeIndexing extends FakeCapture {
  readonly indexing: GeneratedIndexing
}

export interface FakeIndexingOptions extends GenerateIndexingOptions {
  /** From 25 s on the first index keeps a budget between its batches, and the third one grows by 60 MiB a second. */
  readonly budgetsHeld: boolean
}

const DEFAULTS: FakeIndexingOptions = {
  seed: 1,
  databases: ['shop'],
  indexes: 6,
  seconds: 66,
  budgetsHeld: false,
}

const MIB = 1024 * 1024
/** The server keeps so many batches of an index. */
const RING = 25
/** Frames of batches, where there is something new; else heartbeats. */
const FRAME_EVERY_SECONDS = 3
const HEARTBEAT_AFTER_MS = 4000
const HELD_FROM_TICKS = 25 * TICKS_PER_SECOND

/** A server in memory that indexes what was generated, as its clock goes on. */
class IndexingServer {
  readonly raven = new FakeRaven()
  readonly #data: GeneratedIndexing
  readonly #sentMs = new Map<FakeSocket, number>()
  readonly #isHeld: boolean

  constructor(data: GeneratedIndexing, { databases, budgetsHeld }: FakeIndexingOptions) {
    this.#data = data
    this.#isHeld = budgetsHeld
    const { raven } = this
    raven.clock.nowMs = msFromTicks(data.startTicks)
    for (const database of databases) raven.databases.set(database, 'loaded')
    const text = (name: string) => () =>
      new Response(recordedText('7.1', name), { headers: { 'content-type': 'text/plain' } })
    raven.on(/indexes\/performance$/, (path) => json(this.#document(path)))
    raven.on(/indexes\/stats$/, (path) => json({ Results: this.#stats(path) }))
    raven.on(/indexes\/progress$/, (path) => json({ Results: this.#progress(path) }))
    raven.on(/proc\/status/, text('proc-status.txt'))
    raven.on(/proc\/meminfo/, text('proc-meminfo.txt'))
    raven.on(/memory\/gc/, () => json(recordedJson('7.1', 'memory-gc.json')))
    raven.on(/low-mem-log$/, () => json({ 'Low Memory Events': this.#lowMemory() }))
  }

  get #now(): Ticks {
    return (this.#data.startTicks +
      (this.raven.clock.nowMs - msFromTicks(this.#data.startTicks)) * (TICKS_PER_SECOND / 1000)) as Ticks
  }

  /** Lets a second pass, at whose end sockets get their frames. */
  async second(): Promise<void> {
    await this.raven.clock.advance(1000)
    for (const socket of this.raven.sockets) this.#serve(socket)
    await settle()
  }

  #serve(socket: FakeSocket): void {
    const { pathname } = new URL(socket.url)
    const isNew = socket.readyState === 0
    if (isNew) socket.accept()
    if (socket.readyState !== 1) return
    if (pathname === '/threads-info/watch') socket.frame(JSON.stringify(this.#threads()))
    if (!pathname.endsWith('/live')) return
    const seconds = Math.round((this.#now - this.#data.startTicks) / TICKS_PER_SECOND)
    const { nowMs } = this.raven.clock
    const isDue = seconds % FRAME_EVERY_SECONDS === 0 || this.#now >= this.#data.endTicks
    const sinceTicks = isNew ? undefined : this.#now - FRAME_EVERY_SECONDS * TICKS_PER_SECOND
    const batches = isNew || isDue ? this.#document(pathname, sinceTicks) : { Results: [] }
    const isQuiet = !isNew && batches.Results.length === 0
    if (isQuiet && nowMs - (this.#sentMs.get(socket) ?? nowMs) < HEARTBEAT_AFTER_MS) return
    socket.frame(isQuiet ? '\r\n' : JSON.stringify(batches))
    this.#sentMs.set(socket, nowMs)
  }

  #indexesOf(path: string): GeneratedIndexing['indexes'] {
    const source = `db:${path.split('/')[2]}`
    return this.#data.indexes.filter((index) => index.source === source)
  }

  #started(index: GeneratedIndexing['indexes'][number]): FakeBatch[] {
    return this.#data.batches.filter((batch) => batch.index === index && batch.startTicks <= this.#now)
  }

  /** Batches of a database that went on after `sinceTicks`; without it the rings of all indexes. */
  #document(path: string, sinceTicks = Number.NEGATIVE_INFINITY): { readonly Results: object[] } {
    const now = this.#now
    const rows = this.#indexesOf(path)
      .filter(({ isFaulty }) => !isFaulty)
      .map((index): [string, object[]] => {
        const changed = this.#started(index).filter((batch) => endOf(batch) > sinceTicks)
        return [index.name, changed.slice(-RING).map((batch) => batchAt(batch, now))]
      })
    return wireDocument(Object.fromEntries(rows.filter(([, batches]) => sinceTicks < 0 || batches.length > 0)))
  }

  #running(index: GeneratedIndexing['indexes'][number]): FakeBatch | undefined {
    return this.#started(index).findLast((batch) => endOf(batch) > this.#now)
  }

  get #holdsBudget(): boolean {
    return this.#isHeld && this.#now >= this.#data.startTicks + HELD_FROM_TICKS
  }

  #stats(path: string): object[] {
    return this.#indexesOf(path).map((index) => ({
      Name: index.name,
      Type: index.isFaulty ? 'Faulty' : 'Map',
      SourceType: 'Documents',
      SearchEngineType: 'Corax',
      State: index.isFaulty ? 'Error' : 'Normal',
      Status: 'Running',
      IsStale: this.#running(index) !== undefined,
      IsInvalidIndex: false,
      EntriesCount: 100_000,
      ErrorsCount: 0,
      MappedPerSecondRate: 1200,
      MaxNumberOfOutputsPerDocument: 1,
      CreatedTimestamp: '2026-11-19T00:00:00.0000000Z',
      Memory:
        this.#holdsBudget && index === this.#data.indexes[0]
          ? { ThreadAllocations: { SizeInBytes: 16 * MIB }, MemoryBudget: { SizeInBytes: 244 * MIB } }
          : null,
    }))
  }

  #progress(path: string): object[] {
    return this.#indexesOf(path)
      .filter((index) => this.#running(index) !== undefined)
      .map(({ name }) => ({
        Name: name,
        ProcessedPerSecond: 1210,
        Collections: { Orders: { NumberOfItemsToProcess: 12_400, TotalNumberOfItems: 100_000 } },
      }))
  }

  #threads(): object {
    const now = this.#now
    const grew = this.#holdsBudget ? ((now - this.#data.startTicks - HELD_FROM_TICKS) / TICKS_PER_SECOND) * 60 * MIB : 0
    return {
      Date: formatTicks(now),
      List: this.#data.indexes.map((index, place) => {
        const running = this.#running(index)
        const bytes = 2.5 * MIB + (running === undefined ? 0 : heldAt(running, now)) + (place === 2 ? grew : 0)
        return {
          Name: `Indexing of ${index.name} of ${index.source.slice(3)}`,
          UnmanagedAllocationsInBytes: Math.round(bytes),
        }
      }),
    }
  }

  #lowMemory(): object[] {
    const { startTicks, endTicks } = this.#data
    const row = (Event: string, share: number, free: number): [number, object] => {
      const atTicks = Math.round(startTicks + (endTicks - startTicks) * share) as Ticks
      return [atTicks, { Event, TimeOfEvent: formatTicks(atTicks), FreeMem: free * MIB, TotalUnmanaged: 2_100 * MIB }]
    }
    return [row('BackToNormal', 0.3, 3000), row('LowMemOnTimeoutChk', 0.2, 900)].flatMap(([atTicks, event]) =>
      atTicks <= this.#now ? [event] : [],
    )
  }
}

interface Watched {
  readonly indexing: GeneratedIndexing
  readonly feed: IndexingFeed
  readonly governor: Governor
}

/** Tests share feeds that have watched a server, whose clock rests from then on: a minute of it takes a fifth of a second. */
const watched = new Map<string, Promise<Watched>>()

async function watch(chosen: FakeIndexingOptions): Promise<Watched> {
  const indexing = generateIndexing(chosen)
  const server = new IndexingServer(indexing, chosen)
  const governor = new Governor(server.raven.env)
  const feed = new IndexingFeed()
  const sources = chosen.databases.map((name): SourceId => `db:${name}`)
  for (const name of chosen.databases)
    feed.watch({
      source: `db:${name}`,
      ref: { kind: 'database', name },
      governor,
      gapLog: new GapLog(),
      clock: new ServerClock(),
      lostFromTicks: null,
      report: () => undefined,
      received: () => undefined,
      changed: () => undefined,
    })
  // A recording needs no panel that renews its want.
  feed.responses['indexing.want']({ sources, budgets: true, record: true }, governor)
  for (let second = 0; second < chosen.seconds; second++) await server.second()
  return { indexing, feed, governor }
}

/** The fake capture with the indexing feed, which has watched a generated server, beside the I/O of the same databases. */
export async function fakeIndexing(options: Partial<FakeIndexingOptions> = {}): Promise<FakeIndexing> {
  const chosen = { ...DEFAULTS, ...options }
  const key = JSON.stringify(chosen)
  const once = watched.get(key) ?? watch(chosen)
  watched.set(key, once)
  const { indexing, feed, governor } = await once
  const base = fakeCapture(
    {
      seed: chosen.seed,
      databases: chosen.databases,
      indexes: Math.min(8, chosen.indexes),
      seconds: chosen.seconds,
    },
    [feed],
    governor,
  )
  base.setState({
    extent: { startTicks: indexing.startTicks, endTicks: indexing.endTicks },
    nowTicks: indexing.endTicks,
    gaps: [],
    sources: chosen.databases.map((name) => fakeSource(`db:${name}`)),
  })
  return { ...base, indexing }
}
