import { setTimeout as sleep } from 'node:timers/promises'
import { TICKS_PER_SECOND } from '../../src/base/ticks.ts'
import { ticksNow, type Summary } from '../support/studio.ts'
import {
  accountOf,
  afterwards,
  AT_FIRST,
  eventId,
  heardOfBatches,
  heardOfIo,
  shownOfBatches,
  shownOfIo,
  type Account,
  type Before,
  type Heard,
} from './accounts.ts'
import type { Listener, Span } from './listener.ts'
import type { Tab } from './tabs.ts'
import { SOURCE } from './world.ts'

/** A frame comes every 3 s, to the page and to the listener. */
const AGAIN_MS = 2500
const SETTLE_MS = 40_000
const WORKER_RESTARTED = 'worker-restarted'
/** A page that needs longer until it is live is a fault of its own. */
const LIVE_WITHIN_TICKS = 20 * TICKS_PER_SECOND

/** Parts of a listener that are compared with pages. */
type Received = Pick<Listener, 'io' | 'unsentIo' | 'ioGaps' | 'batches' | 'batchGaps' | 'catchUp'>
type Checkable = Pick<Tab, 'name' | 'panel' | 'workersKilled' | 'summary'>

interface Checkables {
  readonly listener: Received
  readonly tabs: readonly Checkable[]
}

interface Kind {
  readonly received: (listener: Received) => Heard[]
  readonly shown: (summary: Summary) => ReturnType<typeof shownOfIo>
  readonly gaps: (listener: Received) => readonly Span[]
  readonly unsent: (listener: Received) => ReadonlySet<string>
}

const IO: Kind = {
  received: ({ io }) => heardOfIo(SOURCE, io.events),
  shown: ({ rows }) => shownOfIo(rows, SOURCE),
  gaps: ({ ioGaps }) => ioGaps,
  unsent: ({ unsentIo }) => new Set(heardOfIo(SOURCE, unsentIo).map(eventId)),
}
const BATCHES: Kind = {
  received: ({ batches }) => heardOfBatches(SOURCE, batches.completed),
  shown: ({ rows }) => shownOfBatches(rows, SOURCE),
  gaps: ({ batchGaps }) => batchGaps,
  unsent: () => new Set(),
}

interface Checked {
  readonly before: Before
  /** Number of restarts of its worker: all that it knew was lost each time. */
  readonly restarts: number
  /** Number of the listener's gaps at that time. */
  readonly gaps: number
}

export interface CheckResult {
  readonly tab: string
  readonly problems: readonly string[]
  readonly events: number
  readonly bytes: number
  /** Events that the page lacks, all in gaps or roll-ups unless there are problems. */
  readonly lacking: number
  readonly tookMs: number
  readonly summary: Summary
}

/** Checks the figures of tabs again and again, each time what came since. */
export class Checks {
  readonly #listener: Received
  readonly #beganTicks = ticksNow()
  readonly #checked = new Map<Checkable, Checked>()

  constructor({ listener, tabs }: Checkables) {
    this.#listener = listener
    // The tabs are open before the first event, so their figures are known from it on.
    for (const tab of tabs) this.#checked.set(tab, { before: AT_FIRST, restarts: 0, gaps: 0 })
  }

  /**
   * Gaps, and after a restart of the worker the time before the page was live: it had not recorded that, but got it from the
   * server. The gap of what was recorded begins there, on a busy machine some seconds after the load did.
   */
  declared(tab: Checkable, summary: Summary): Summary['gaps'] {
    if (tab.workersKilled === 0) return summary.gaps
    const lost = summary.gaps.filter(({ reason }) => reason === WORKER_RESTARTED)
    const firstTicks = lost.length === 0 ? 0 : Math.min(...lost.map(({ startTicks }) => startTicks))
    const liveTicks = firstTicks - this.#beganTicks > LIVE_WITHIN_TICKS ? 0 : firstTicks
    const early = {
      reason: WORKER_RESTARTED,
      source: SOURCE,
      startTicks: 0,
      endTicks: Math.max(this.#beganTicks, liveTicks),
      kind: null,
      missingCount: null,
      missingBytes: null,
      detail: '',
    }
    return [...summary.gaps, { ...early, lane: null }, { ...early, lane: `indexes:${SOURCE}` }]
  }

  /** Checks the figures of a tab while the load rests: events of the server itself are rare enough. */
  async check(tab: Checkable): Promise<CheckResult | null> {
    const kind = tab.panel === 'io' ? IO : tab.panel === 'indexing' ? BATCHES : null
    if (kind === null) return null
    const beganMs = Date.now()
    const checked = this.#checked.get(tab)
    for (;;) {
      const summary = await tab.summary()
      // The check compares figures and not events: a surplus of the page would hide as many events that it lacks, until the
      // next check. So the listener reads all that the server has, after the page was read. A live socket may also leave
      // events out, which the server's rings have.
      await this.#listener.catchUp()
      const received = kind.received(this.#listener)
      const gaps = kind.gaps(this.#listener)
      const restarts = tab.workersKilled
      const known = checked?.before ?? AT_FIRST
      const isRestarted = restarts > (checked?.restarts ?? 0)
      // A restarted worker may have read again from the server what the listener missed.
      const isWhole = !isRestarted && gaps.length === (checked?.gaps ?? 0)
      const before = isRestarted ? { ...AT_FIRST, unheard: known.unheard } : known
      const account = accountOf(received, kind.shown(summary), this.declared(tab, summary), {
        isWhole,
        before,
        unsent: kind.unsent(this.#listener),
      })
      const isLate = Date.now() - beganMs > SETTLE_MS
      // A tab that was opened later has only those earlier events that the server still kept then.
      const isFirst = checked === undefined
      const isSettled = isFirst ? Date.now() - beganMs > AGAIN_MS : account.problems.length === 0
      if (isSettled || isLate) {
        const next = afterwards(account, received, isWhole && !isFirst, before)
        this.#checked.set(tab, { before: next, restarts, gaps: gaps.length })
        return resultOf(tab, received, isFirst ? { ...account, problems: [] } : account, summary, Date.now() - beganMs)
      }
      await sleep(AGAIN_MS)
    }
  }
}

const resultOf = (
  tab: Checkable,
  received: readonly Heard[],
  { problems, differences }: Account,
  summary: Summary,
  tookMs: number,
): CheckResult => ({
  tab: tab.name,
  problems: problems.map((problem) => `${tab.name}: ${problem}`),
  events: received.length,
  bytes: received.reduce((sum, { bytes }) => sum + bytes, 0),
  lacking: differences.reduce((sum, { count }) => sum + Math.max(0, count), 0),
  tookMs,
  summary,
})
