import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { exportAs } from '../support/export.ts'
import type { Summary } from '../support/studio.ts'
import { Checks } from './checks.ts'
import { heardOfBatches } from './accounts.ts'
import { clock, msOfTicks } from './clock.ts'
import { boundOf, falseGaps, falseWords, stretchedMs, type Episode, type LateBetween, type Said } from './episodes.ts'
import { eventProblems } from './exact.ts'
import { play } from './faults.ts'
import { FAULTS, planOf, type Fault, type Step } from './plan.ts'
import { busiest, pathsOf } from './traffic.ts'
import type { Tab } from './tabs.ts'
import { KEPT_TABS, SOURCE, World } from './world.ts'

export interface SoakOptions {
  readonly version: string
  readonly seed: number
  readonly minutes: number
  /** The faults to play; all when left out. */
  readonly faults?: readonly Fault[]
  readonly say: (text: string) => void
}

/** Figures of one run, and what was wrong. */
export interface SoakReport {
  readonly version: string
  readonly seed: number
  readonly minutes: number
  readonly faults: number
  readonly checks: number
  readonly events: number
  readonly bytes: number
  /** I/O events that the server's live socket left out. */
  readonly unsent: number
  readonly batches: number
  /** Events that the first tab lacks, all of them in gaps that it declares or in roll-ups. */
  readonly lacking: number
  /** Greatest lateness of timers, pages and frames, ms; all waits are longer by what was measured of their time. */
  readonly latest: number
  readonly slowestRecovery: { readonly fault: string; readonly seconds: number }
  /** Connections, requests and sockets of all tabs, in the busiest ten seconds of any fault. */
  readonly mostAsked: number
  readonly heapMegabytes: readonly number[]
  readonly problems: readonly string[]
}

/** The end of a run: the last figures are checked. */
const END_MS = 35_000
const READ_EVERY_MS = 3000
const RECOVERY_EVERY_MS = 1000
const FRAME_MS = 3500
const MOST_RESTART_MS = 120_000
const TRIES = 3
/** Requests that one tab may send in ten seconds while it comes back. */
const MOST_REQUESTS_BY_TAB = 40
/** JavaScript objects of a tab with its worker may grow by so much, beside what its tables hold. */
const HEAP_GROWTH = 1.5
const HEAP_SLACK_BYTES = 40 * 2 ** 20
/** Share of events that the server's live socket may leave out: a few in a million when it is short of CPU. */
const MOST_UNSENT = 0.002
/** Requests of a page that comes back, one after the other: for the server, the state of its database and a socket. */
const REQUESTS_IN_TURN = 4
/** Response time to another client from which on a user sees the server as unresponsive, ms. */
const SLOW_MS = 2000

/** Plays faults for so long, and checks what the pages made of them. */
export async function soak(page: Page, options: SoakOptions): Promise<SoakReport> {
  const endMs = Date.now() + options.minutes * 60_000
  const world = await World.make(page.context(), options.version)
  try {
    return await new Story(world, options, endMs).report(page)
  } finally {
    await world.close()
  }
}

class Story {
  readonly #world: World
  readonly #options: SoakOptions
  readonly #endMs: number
  readonly #beganMs = Date.now()
  readonly #episodes: Episode[] = []
  readonly #reported: Said[] = []
  readonly #problems: string[] = []
  readonly #heaps: number[] = []
  #isOver = false
  #checks = 0

  constructor(world: World, options: SoakOptions, endMs: number) {
    this.#world = world
    this.#options = options
    this.#endMs = endMs
  }

  async report(page: Page): Promise<SoakReport> {
    const world = this.#world
    await world.openTab('io', page)
    await world.openTab('indexing')
    await world.load.prepare()
    world.startLoad()
    world.probe.start()
    const checks = new Checks(world)
    const reading = this.#read()
    const { seed, faults = FAULTS } = this.#options
    await this.#measureHeap()
    for (const step of planOf(seed, faults)) {
      if (Date.now() + step.seconds * 1000 + END_MS > this.#endMs) break
      await this.#play(step)
      if (!step.isCheckPoint) continue
      await this.#check(checks)
      world.startLoad()
    }
    const lacking = await this.#check(checks)
    await this.#checkEvents(checks)
    this.#isOver = true
    await reading
    return this.#report(lacking)
  }

  async #play(step: Step): Promise<void> {
    const { proxy, tabs } = this.#world
    this.#say(`#${step.number} ${step.fault}${step.seconds > 0 ? ` for ${step.seconds} s` : ''}`)
    const episode: Episode = { step, beginMs: Date.now(), endMs: Infinity, recoveredMs: Infinity }
    this.#episodes.push(episode)
    await play(this.#world, step)
    episode.endMs = Date.now()
    const missing = await this.#recovered(episode)
    episode.recoveredMs = Date.now()
    const took = ((episode.recoveredMs - episode.endMs) / 1000).toFixed(1)
    const requested = busiest(proxy.requested, episode.beginMs, episode.recoveredMs)
    this.#say(`   new events after ${took} s, ${requested.length} asked in 10 s: ${pathsOf(requested)}`)
    for (const tab of missing)
      this.#fail(`#${step.number} ${step.fault}: ${tab} saw no new event within ${took} s of its end.`)
    if (requested.length > MOST_REQUESTS_BY_TAB * tabs.length)
      this.#fail(
        `#${step.number} ${step.fault}: ${tabs.length} tabs asked ${requested.length} times within 10 s: ${pathsOf(requested)}.`,
      )
    await sleep(step.calmSeconds * 1000)
  }

  /** Names the tabs that saw nothing that began after the fault's end in time. */
  async #recovered({ step, endMs }: Episode): Promise<string[]> {
    const isBack = async (tab: Tab): Promise<boolean> => {
      const { rows } = await tab.summaryNow()
      return rows.some(({ feed, lastMs }) => feed === tab.panel && (lastMs ?? 0) > endMs)
    }
    const { tabs, listener } = this.#world
    let missing = tabs.slice(0, KEPT_TABS)
    // A machine that is busy takes its time to load the database, and to end a batch: only from then on there is something
    // to see for each of them.
    let workedMs = endMs
    const mostMs = endMs + MOST_RESTART_MS
    while (!(listener.hasNewSince(endMs, 'io') && listener.hasNewSince(endMs, 'batches')) && workedMs < mostMs) {
      await sleep(RECOVERY_EVERY_MS)
      workedMs = Date.now()
    }
    while (
      Date.now() <
      workedMs + boundOf(step) + this.#late(workedMs, Date.now()) + this.#waited(workedMs, Date.now())
    ) {
      const back = await Promise.all(missing.map(isBack))
      missing = missing.filter((_, i) => back[i] !== true)
      if (missing.length === 0) break
      await sleep(RECOVERY_EVERY_MS)
    }
    return missing.map(({ name }) => name)
  }

  /** Time that a server short of CPU may have kept a returning page waiting, plus the polls that spare it, ms. */
  #waited(fromMs: number, toMs: number): number {
    const answerMs = this.#world.probe.range('answerMs', fromMs, toMs)?.most ?? 0
    return REQUESTS_IN_TURN * answerMs + stretchedMs(this.#reported, fromMs, toMs)
  }

  /** Stops the load. How many events the first tab lacks. */
  async #check(checks: Checks): Promise<number> {
    const { load, tabs } = this.#world
    await load.stop()
    let lacking = 0
    for (const [i, tab] of tabs.entries()) {
      const result = await checks.check(tab)
      if (result === null) continue
      this.#checks++
      if (i === 0) lacking = result.lacking
      const { problems, events, lacking: missing, tookMs, summary } = result
      const words = `${tab.name}: ${events} received, ${missing} in gaps, checked in ${(tookMs / 1000).toFixed(1)} s`
      this.#say(`   ${words}${problems.length > 0 ? `, ${problems.length} problems` : ''}`)
      for (const problem of [...problems, ...this.#falseGaps(summary)]) this.#fail(problem)
    }
    await this.#measureHeap()
    return lacking
  }

  /** Compares each single event of the first tab, once all have arrived. */
  async #checkEvents(checks: Checks): Promise<void> {
    const { listener, tabs } = this.#world
    const [first] = tabs
    if (first === undefined) return
    for (let last = TRIES - 1; ; last--) {
      const before = listener.io.events
      const gaps = checks.declared(first, await first.summary())
      const { bytes } = await exportAs(first.page, /^I\/O metrics/)
      // The server itself still writes a little, which reaches each page at its own time.
      await sleep(FRAME_MS)
      await listener.catchUp()
      const events = { before, after: listener.io.events }
      const problems = eventProblems(bytes.toString(), SOURCE, events, gaps, listener)
      if (last > 0 && problems.length > 0) continue
      for (const problem of problems) this.#fail(problem)
      return
    }
  }

  readonly #late: LateBetween = (fromMs, toMs) => this.#world.lateness.most(fromMs, toMs)

  #falseGaps({ gaps }: Summary): string[] {
    const batches = heardOfBatches(SOURCE, this.#world.listener.batches.completed)
    const lastBatchMs = (ofLane: string, beforeMs: number): number =>
      batches
        .filter(({ lane, endTicks }) => lane === ofLane && msOfTicks(endTicks) <= beforeMs)
        .reduce((last, { endTicks }) => Math.max(last, msOfTicks(endTicks)), -Infinity)
    return falseGaps(gaps, this.#episodes, this.#reported, this.#late, lastBatchMs)
  }

  async #measureHeap(): Promise<void> {
    this.#heaps.push((await this.#world.tabs[0]?.heapBytes()) ?? 0)
  }

  /** Reads all tabs now and then for what they say. */
  async #read(): Promise<void> {
    while (!this.#isOver) {
      for (const tab of this.#world.tabs) {
        if (tab.isAway()) continue
        try {
          const requestedMs = Date.now()
          this.#reported.push(...(await tab.read()))
          this.#world.lateness.note(requestedMs, Date.now())
        } catch (error) {
          if (!tab.page.isClosed() && !tab.isAway()) this.#fail(`${tab.name} could not be read: ${String(error)}`)
        }
      }
      await sleep(READ_EVERY_MS)
    }
  }

  #report(lacking: number): SoakReport {
    const { listener, proxy, probe } = this.#world
    const events = listener.io.events
    // A server that kept another client waiting on a busy machine is rightly reported.
    const reported = this.#reported.filter(
      ({ atMs }) => (probe.range('answerMs', atMs - 15_000, atMs)?.most ?? 0) < SLOW_MS,
    )
    for (const words of falseWords(reported, this.#episodes, this.#late)) this.#fail(words)
    for (const error of this.#world.errors) this.#fail(error)
    if (listener.unsentIo.length > events.length * MOST_UNSENT)
      this.#fail(`The live socket left out ${listener.unsentIo.length} of ${events.length} events.`)
    const [first = 0] = this.#heaps
    const last = this.#heaps.at(-1) ?? 0
    if (last > first * HEAP_GROWTH + HEAP_SLACK_BYTES)
      this.#fail(`JavaScript objects of the first tab grew from ${megabytes(first)} to ${megabytes(last)} MB.`)
    const slowest = this.#episodes.toSorted((a, b) => b.recoveredMs - b.endMs - (a.recoveredMs - a.endMs))[0]
    const { version, seed, minutes } = this.#options
    return {
      version,
      seed,
      minutes,
      faults: this.#episodes.length,
      checks: this.#checks,
      events: events.length,
      bytes: events.reduce((sum, { bytes }) => sum + bytes, 0),
      unsent: listener.unsentIo.length,
      batches: listener.batches.completed.length,
      lacking,
      latest: this.#late(this.#beganMs, Date.now()),
      slowestRecovery: {
        fault: slowest?.step.fault ?? '',
        seconds: slowest === undefined ? 0 : (slowest.recoveredMs - slowest.endMs) / 1000,
      },
      mostAsked: Math.max(
        0,
        ...this.#episodes.map(({ beginMs, recoveredMs }) => busiest(proxy.requested, beginMs, recoveredMs).length),
      ),
      heapMegabytes: this.#heaps.map(megabytes),
      problems: this.#problems,
    }
  }

  #fail(problem: string): void {
    if (this.#problems.includes(problem)) return
    this.#problems.push(problem)
    this.#say(`   PROBLEM ${problem}`)
  }

  #say(text: string): void {
    const seconds = (Date.now() - this.#beganMs) / 1000
    this.#options.say(`${clock(Date.now())} ${seconds.toFixed(1).padStart(7)} s  ${text}`)
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
