import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { setHidden, summaryOf, type Summary } from '../support/studio.ts'
import { watchPage } from '../support/watched-page.ts'
import type { Said } from './episodes.ts'
import { WorkerHeap } from './worker-heap.ts'

export type Panel = 'io' | 'indexing' | 'triage' | 'server' | 'databases'

/** Messages of the browser itself about a request that failed. */
const NETWORK_NOISE = /Failed to load resource|WebSocket connection|net::ERR_/
/** A page that does not return its summary within this time hangs, ms. */
const ANSWER_MS = 20_000

/** A tab of the browser with one panel of the studio. */
export class Tab {
  readonly page: Page
  readonly panel: Panel
  readonly name: string
  readonly openedMs = Date.now()
  /** Errors that it should not have. */
  readonly complaints: string[] = []
  /** Number of times its worker was ended: each time a new one begins with nothing. */
  workersKilled = 0
  #isAway = false
  #cdp: CDPSession | null = null
  #workerHeap: WorkerHeap | null = null

  constructor(page: Page, panel: Panel, name: string) {
    this.page = page
    this.panel = panel
    this.name = name
  }

  async open(studio: string, database: string): Promise<void> {
    await watchPage(this.page, this.complaints)
    await this.page.goto(`${studio}#/${this.panel}?v=1&s=db:${database}`)
    await this.page.waitForFunction(() => 'rookery' in globalThis)
    this.#cdp = await this.page.context().newCDPSession(this.page)
    this.#workerHeap = await WorkerHeap.of(this.#cdp)
  }

  /** Hidden or frozen: the page reports nothing, and is not read. */
  isAway(): boolean {
    return this.#isAway
  }

  async hide(ms: number): Promise<void> {
    this.#isAway = true
    await setHidden(this.page, true)
    await sleep(ms)
    await setHidden(this.page, false)
    this.#isAway = false
  }

  /** Freezes the tab like browsers do when it has been hidden for long: no timer of it runs. */
  async freeze(ms: number): Promise<void> {
    this.#isAway = true
    await setHidden(this.page, true)
    await this.#cdp?.send('Page.setWebLifecycleState', { state: 'frozen' })
    await sleep(ms)
    await this.#cdp?.send('Page.setWebLifecycleState', { state: 'active' })
    await setHidden(this.page, false)
    this.#isAway = false
  }

  /** Ends the capture worker without a word, as a crash would. */
  async killWorker(): Promise<void> {
    this.workersKilled++
    // The worker may be gone before it responds.
    await this.page
      .workers()[0]
      ?.evaluate(() => globalThis.close())
      .catch(() => undefined)
  }

  get errors(): readonly string[] {
    return this.complaints.filter((text) => !NETWORK_NOISE.test(text)).map((text) => `${this.name}: ${text}`)
  }

  /** Summary of the page, at most a second old. */
  summaryNow(): Promise<Summary> {
    return this.#inTime(this.page.evaluate(() => globalThis.rookery.summary()))
  }

  /** Summary of the page, once all data that arrived is in tables. */
  summary(): Promise<Summary> {
    return this.#inTime(summaryOf(this.page))
  }

  /** Texts of the header, the notices, and the findings of Triage. */
  async read(): Promise<Said[]> {
    const texts = await this.#inTime(
      this.page.evaluate(() =>
        [
          ...document.querySelectorAll<HTMLElement>('header > :not(nav):not(:last-child), [role=alert], [role=status]'),
        ].map((element) => element.innerText.replaceAll(/\s+/g, ' ')),
      ),
    )
    const atMs = Date.now()
    return texts.filter((text) => text !== '').map((text) => ({ atMs, tab: this.name, text }))
  }

  /** Bytes of JavaScript objects that are in use, of page and worker, after a collection. */
  async heapBytes(): Promise<number> {
    if (this.#cdp === null) return 0
    await this.#cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#cdp.send('Runtime.getHeapUsage')
    return usedSize + ((await this.#workerHeap?.usedBytes()) ?? 0)
  }

  async #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.name} has not answered for ${ANSWER_MS / 1000} s`)
    })
    return Promise.race([answer, late])
  }
}
