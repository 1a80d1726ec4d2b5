import type { BrowserContext, Page } from '@playwright/test'
import { createDatabase, json } from '../../tools/ravendb/client.mjs'
import { Load } from '../audit/load.ts'
import { Recorder } from '../audit/recorder.ts'
import { startRaven } from '../support/raven.ts'
import { Lateness } from './lateness.ts'
import { Listener } from './listener.ts'
import { FaultProxy } from './proxy.ts'
import { Tab, type Panel } from './tabs.ts'

export const DATABASE = 'soaked'
/** Name of the source in pages. */
export const SOURCE = `db:${DATABASE}`
/** The first tabs, of I/O and of index batches, stay open: what they show is checked. */
export const KEPT_TABS = 2
const PROBE_EVERY_MS = 1000
const PROBE_MS = 5000
const WRITE_EVERY_MS = 700
const READ_EVERY_MS = 1000

/** A server under load, watched by pages through a proxy that breaks connections, and by a listener without one. */
export class World {
  readonly raven: Awaited<ReturnType<typeof startRaven>>
  readonly proxy: FaultProxy
  readonly listener: Listener
  /** Lateness of this process, of pages that are read, and of frames from the server. */
  readonly lateness: Lateness
  readonly load: Load
  /** Response times of the server to a client that is not the page, ms. */
  readonly probe: Recorder
  readonly tabs: Tab[] = []
  /** The errors of tabs that were closed. */
  readonly pastErrors: string[] = []
  readonly #context: BrowserContext
  #opened = 0

  static async make(context: BrowserContext, version: string): Promise<World> {
    const raven = await startRaven({ version })
    await createDatabase(raven.url, DATABASE)
    const lateness = new Lateness()
    lateness.start()
    const listener = new Listener(raven.url, DATABASE, lateness)
    await listener.opened()
    const proxy = await FaultProxy.open(raven.url)
    return new World(context, raven, proxy, listener, lateness)
  }

  private constructor(
    context: BrowserContext,
    raven: World['raven'],
    proxy: FaultProxy,
    listener: Listener,
    lateness: Lateness,
  ) {
    this.#context = context
    this.raven = raven
    this.proxy = proxy
    this.listener = listener
    this.lateness = lateness
    this.load = new Load(raven.url, DATABASE, { isPatient: true })
    this.probe = new Recorder(PROBE_EVERY_MS, async () => {
      const sentMs = Date.now()
      await json(raven.url, '/build/version', { timeout: PROBE_MS }).catch(() => undefined)
      return { answerMs: Date.now() - sentMs }
    })
  }

  startLoad(): void {
    this.load.start(WRITE_EVERY_MS, READ_EVERY_MS)
  }

  async openTab(panel: Panel, page?: Page): Promise<Tab> {
    const tab = new Tab(page ?? (await this.#context.newPage()), panel, `tab ${++this.#opened} (${panel})`)
    await tab.open(`${this.proxy.url}/studio/index.html`, DATABASE)
    this.tabs.push(tab)
    return tab
  }

  async closeTab(tab: Tab): Promise<void> {
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    this.pastErrors.push(...tab.errors)
    await tab.page.close()
  }

  get errors(): readonly string[] {
    return [...this.pastErrors, ...this.tabs.flatMap(({ errors }) => errors)]
  }

  async close(): Promise<void> {
    await Promise.all([this.load.stop(), this.probe.stop(), this.lateness.stop()])
    this.listener.close()
    await this.proxy.close()
    await this.raven.close()
  }
}
