import { msFromTicks, type Ticks, ticksFromMs, TICKS_PER_SECOND } from '../../base/ticks.ts'
// Loaded when they are needed first, which takes longer than a turn here.
import '../../feeds/server/data/figures/databases/failing-indexes.ts'
import '../../feeds/server/data/wire/listed-operations.ts'
import '../../feeds/server/data/wire/merger-wire.ts'
import { ServerFeed, type ServerFeedOptions } from '../../feeds/server/data/feed.ts'
import type { HistoryStore, Kept } from '../../feeds/server/data/history/kept.ts'
import '../../feeds/server/data/later.ts'
import { WIDGETS, type WidgetType } from '../../feeds/server/data/wire/widgets.ts'
import type { OtherFacts } from '../../features/triage/data/facts.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json, settle, type FakeSocket } from '../fake-raven.ts'
import { requestsOf } from '../filled-feeds.ts'
import { recordedJson } from '../recorded.ts'
import { triageFeed } from './judged-feed.ts'
import { DOCUMENTS } from './server-documents.ts'
import { nodeFrame, serverTime, widgetFrame, type ServerMoment } from './server-frames.ts'
import { healthyAt, secondsAgo, SERVER_NOW, troubleAt, type ServerLoad } from './server-load.ts'
import { stubCapture, type StubCapture } from '../stub-capture.ts'

const STARTED_SECONDS = 53 * 3600

/** How often the server sends a widget, s; the others once, when they are subscribed to. */
const PACES: Partial<Record<WidgetType, number>> = {
  CpuUsage: 1,
  IoStats: 1,
  StorageUsage: 60,
  DatabaseStorageUsage: 60,
  Traffic: 3,
  DatabaseTraffic: 3,
  Indexing: 3,
  DatabaseIndexing: 3,
  DatabaseOverview: 3,
  GcInfo: 3,
}

export interface FakeServerOptions {
  /** Facts of other feeds, for the findings. */
  readonly others?: () => OtherFacts
  /** How long before `SERVER_NOW` it begins, s. */
  readonly seconds: number
  /** By how many seconds are left until then. */
  readonly loadAt?: (leftSeconds: number) => ServerLoad
  /** How long before that the server started. */
  readonly startedSeconds?: number
  /** By how much the clock of the page is ahead of the server's, s. */
  readonly aheadSeconds?: number
}

interface Page {
  readonly feed: ServerFeed
  readonly governor: Governor
  readonly respond: ReturnType<typeof requestsOf>
}

/**
 * A server in memory that has the load it is given while its clock goes on, and the feed that watches it as the worker of a
 * page does.
 */
export class FakeServer {
  readonly raven = new FakeRaven()
  readonly #loadAt: (leftSeconds: number) => ServerLoad
  readonly #startTicks: Ticks
  #aheadMs: number
  readonly #options: ServerFeedOptions
  readonly #others: (() => OtherFacts) | undefined
  readonly #counts = { requests: 0, received: 0, sent: 0, resent: 0, collections: 0 }
  /** Sockets that got the first frames. */
  readonly #served = new WeakSet<FakeSocket>()
  #page: Page
  #second = 0
  #known: ServerMoment | null = null

  constructor(options: FakeServerOptions) {
    const { seconds, loadAt = healthyAt, startedSeconds = STARTED_SECONDS, aheadSeconds = 0, others } = options
    this.#aheadMs = aheadSeconds * 1000
    this.#loadAt = loadAt
    this.#startTicks = secondsAgo(startedSeconds)
    this.#options = { store: memoryHistory(), tabs: null }
    this.#others = others
    const { raven } = this
    raven.clock.nowMs = msFromTicks(secondsAgo(seconds)) + this.#aheadMs
    for (const { name, isOnline } of this.#moment.load.databases)
      raven.databases.set(name, isOnline ? 'loaded' : 'unloaded')
    for (const [route, document] of DOCUMENTS)
      raven.on(route, (path) => {
        const made = document(this.#moment, path)
        return typeof made === 'string' ? text(made) : json(made)
      })
    this.#page = this.#open()
  }

  get feed(): ServerFeed {
    return this.#page.feed
  }

  get governor(): Governor {
    return this.#page.governor
  }

  /** By its own clock. */
  get nowTicks(): Ticks {
    return ticksFromMs(this.raven.clock.nowMs - this.#aheadMs)
  }

  /** Sets the server’s clock ahead by so much, or back. */
  setAhead(seconds: number): void {
    this.#aheadMs -= seconds * 1000
  }

  /** A panel of the server is shown, for so long. */
  async watch(seconds: number): Promise<void> {
    this.governor.overhead.setFront(['server'])
    // Its code is loaded: from then on findings are judged.
    await this.#page.respond('triage.now', null)
    for (let second = 0; second < seconds; second++) {
      if (second % 10 === 0) await this.#page.respond('server.want', null)
      await this.pass(1)
    }
  }

  /** The page is hidden, for so long. */
  async hide(seconds: number): Promise<void> {
    this.governor.setHidden(true)
    await this.pass(seconds)
    this.governor.setHidden(false)
  }

  /** The page is closed, and opened again after so long: it knows what it kept. */
  async leave(seconds: number): Promise<void> {
    this.governor.setHidden(true)
    await this.pass(seconds)
    this.#page = this.#open()
  }

  /** Lets time pass; at the end of each second sockets get their frames. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.raven.clock.advance(1000)
      this.#second++
      this.#count(this.#moment.load)
      for (const socket of this.raven.sockets) if (socket.readyState < 2) this.#serve(socket)
      await settle()
    }
  }

  /** A client whose requests to the feed it responds to; `calls` and `responses` are those of `stubCapture`. */
  capture(): StubCapture {
    const { respond } = this.#page
    const stub = stubCapture({ nowTicks: this.nowTicks })
    return {
      ...stub,
      request: (name, params, signal) => {
        if (stub.responses.has(name) || !/^(server|triage)\./.test(name)) return stub.request(name, params)
        stub.calls.push([name, params])
        return respond(name, params, signal)
      },
    }
  }

  #open(): Page {
    const feed = new ServerFeed(this.#options)
    const governor = new Governor(this.raven.env)
    return { feed, governor, respond: requestsOf([feed, triageFeed(feed, this.#others)], governor) }
  }

  get #moment(): ServerMoment {
    const { nowTicks } = this
    if (this.#known?.nowTicks !== nowTicks)
      this.#known = {
        load: this.#loadAt((SERVER_NOW - nowTicks) / TICKS_PER_SECOND),
        counts: this.#counts,
        nowTicks,
        startTicks: this.#startTicks,
      }
    return this.#known
  }

  #count({ requests, segments, gc }: ServerLoad): void {
    this.#counts.requests += requests
    this.#counts.received += segments.received
    this.#counts.sent += segments.sent
    this.#counts.resent += segments.resent
    this.#counts.collections += gc.perMinute / 60
  }

  #serve(socket: FakeSocket): void {
    const { pathname, searchParams } = new URL(socket.url)
    const moment = this.#moment
    const node = moment.load.nodes.find(({ tag }) => tag === searchParams.get('node'))
    if (node?.figures === null) return socket.cut()
    if (socket.readyState === 0) socket.accept()
    const isNew = !this.#served.has(socket)
    this.#served.add(socket)
    const send = (frame: object): void => socket.frame(JSON.stringify(frame))
    if (pathname === '/debug/queries/running/live') send(moment.load.queries)
    if (pathname === '/server/notification-center/watch' && isNew) moment.load.alerts.forEach(send)
    if (pathname !== '/cluster-dashboard/watch') return
    if (isNew) send(serverTime(moment.nowTicks))
    for (const type of watchedBy(socket))
      if (isNew || this.#second % (PACES[type] ?? Number.POSITIVE_INFINITY) === 0)
        send(node === undefined ? widgetFrame(type, moment) : nodeFrame(type, node, moment))
  }
}

const text = (body: string): Response => new Response(body, { headers: { 'content-type': 'text/plain' } })

const watchedBy = (socket: FakeSocket): WidgetType[] => {
  const commands = socket.sent.map((sent) => JSON.parse(sent) as { readonly Command: string; readonly Id: number })
  return WIDGETS.filter((_, row) => commands.findLast(({ Id }) => Id === row + 1)?.Command === 'watch')
}

/** In-memory store for data that a browser keeps between visits. */
export function memoryHistory(): HistoryStore & { readonly kept: Map<string, Kept>; fails: boolean } {
  const kept = new Map<string, Kept>()
  const store = {
    kept,
    fails: false,
    load: (server: string) =>
      store.fails ? Promise.reject(new Error('no space')) : Promise.resolve(kept.get(server) ?? null),
    save: (server: string, meta: Kept['meta'], series: Kept['series']) => {
      if (store.fails) return Promise.reject(new Error('no space'))
      const old = (kept.get(server)?.series ?? []).filter(
        (one) => !series.some(({ key, tier, block }) => key === one.key && tier === one.tier && block === one.block),
      )
      kept.set(server, { meta, series: [...old, ...series] })
      return Promise.resolve()
    },
  }
  return store
}

/** Watched up to `SERVER_NOW`. */
export async function healthyServer(seconds = 90): Promise<FakeServer> {
  const server = new FakeServer({ seconds })
  await server.watch(seconds)
  return server
}

/** In trouble for the last minutes, with a certificate that may not read the log of low memory. */
export async function troubledServer(seconds = 720): Promise<FakeServer> {
  const server = new FakeServer({ seconds, loadAt: troubleAt })
  server.raven.on(/low-mem-log/, () => json(recordedJson('7.1', 'error-403-operator-required.json'), 403))
  await server.watch(seconds)
  return server
}
