import { pushedOutOf } from '../../../base/columns/pushed-out.ts'
import { msFromTicks, type Ticks } from '../../../base/ticks.ts'
import type { TableRows } from '../../../capture/archive/tables.ts'
import type { FeedSummaryRow } from '../../../capture/client/summary.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { FeedSpan, FeedWatch, SourceFeed, WatchContext } from '../../../capture/worker/feed.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { StackSnapshotter } from './live/snapshotter.ts'
import { stackReader } from './reading/decode.ts'
import { isOfStacks } from './reading/recognised.ts'
import { LiveThreads } from './live/live.ts'
import { NO_MACHINE_CPU, type MachineCpu } from './live/machine-cpu.ts'
import type { StacksLaterRequests, StacksRequests } from '../contract.ts'
import type { StacksState } from '../contract/snapshots.ts'
import { StackStore } from './table.ts'
import { browserTabs, type TabsEnv } from '../../../ravendb/tabs/tabs.ts'

export interface StacksFeedOptions {
  /** Tabs that share snapshots; null: each tab on its own. The browser's by default. */
  readonly tabs?: TabsEnv | null | undefined
  /** Not reported by default. */
  readonly machineCpu?: MachineCpu
}

/**
 * Stack traces and threads of the server's process, from `/admin/debug/threads/stack-trace`, `/threads-info/watch`, and
 * files.
 */
export class StacksFeed implements SourceFeed {
  readonly name = 'stacks'
  readonly store = new StackStore()
  readonly #listeners = new Set<() => void>()
  readonly #snapshotter: StackSnapshotter
  readonly #live: LiveThreads

  constructor({ tabs = browserTabs(), machineCpu = NO_MACHINE_CPU }: StacksFeedOptions = {}) {
    this.#live = new LiveThreads(
      machineCpu,
      () => this.#changed(),
      (governor) => this.#snapshotter.sawSampling(governor),
    )
    this.#snapshotter = new StackSnapshotter({ store: this.store, changed: () => this.#changed(), tabs })
  }

  readonly responses = {
    'stacks.state': () => this.#state(),
    'stacks.snapshot': async ({ source }: { source: SourceId }, governor: Governor) => {
      await this.#snapshotter.take(governor, source)
      return null
    },
    'stacks.series': (params: { source: SourceId; everyMs: number; count: number }, governor: Governor) => {
      this.#snapshotter.startSeries(governor, params.source, params.everyMs, params.count)
      return this.#state()
    },
    'stacks.stop': () => {
      this.#snapshotter.stop()
      return this.#state()
    },
    'stacks.pushedOut': ({ sources, range }) =>
      pushedOutOf(sources.map((source) => this.store.pushedOut.get(source)?.within(range) ?? null)),
    'threads.want': (_, governor) => this.#live.want(governor),
    'threads.history': (params) => this.#live.history.response(params),
  } satisfies Handlers<Exclude<keyof StacksRequests, keyof StacksLaterRequests>>

  /** Watching a source takes no snapshot and opens no socket: a click, or a visible table, requests those. */
  watch(context: WatchContext): FeedWatch | null {
    if (context.ref.kind === 'file') return null
    const notify = (): void => context.changed()
    this.#listeners.add(notify)
    return { close: () => void this.#listeners.delete(notify), loadNow: () => {}, retryNow: () => {} }
  }

  async later() {
    return (await import('./later.ts')).laterPart(this.store, this.#live)
  }

  readonly recognises = isOfStacks

  readonly reader: SourceFeed['reader'] = (source, _gapLog, _problem, _paths, note) => {
    const { frames } = this.store
    return stackReader(frames, (document) => {
      for (const sentence of document.problems) note(sentence)
      this.store.add(document, { source, origin: 'file', cost: null, series: null })
    })
  }

  async takeRows(rows: TableRows, sourceOf: (own: SourceId) => SourceId): Promise<boolean> {
    return rows.table === 'stacks' && (await import('./reading/archive-rows.ts')).takeRows(this.store, rows, sourceOf)
  }

  extent() {
    let startTicks = Number.POSITIVE_INFINITY
    let endTicks = Number.NEGATIVE_INFINITY
    for (const { info } of this.store.snapshots.values()) {
      if (Number.isNaN(info.atTicks)) continue
      startTicks = Math.min(startTicks, info.atTicks)
      endTicks = Math.max(endTicks, info.atTicks)
    }
    if (startTicks > endTicks) return null
    return { startTicks: startTicks as Ticks, endTicks: Math.max(endTicks, startTicks + 1) as Ticks }
  }

  summary(): FeedSummaryRow[] {
    const rows = new Map<string, FeedSummaryRow>()
    for (const { info } of this.store.snapshots.values()) {
      const key = `${info.source}|${info.nodeTag ?? ''}`
      const before = rows.get(key)
      const atMs = Number.isNaN(info.atTicks) ? null : msFromTicks(info.atTicks)
      rows.set(key, {
        feed: this.name,
        source: info.source,
        environment: info.nodeTag ?? '',
        environmentPath: '',
        kind: 'snapshot',
        count: (before?.count ?? 0) + 1,
        bytes: (before?.bytes ?? 0) + (info.cost?.bytes ?? 0),
        busyMs: (before?.busyMs ?? 0) + (info.cost?.tookMs ?? 0),
        slowestMs:
          info.cost === null ? (before?.slowestMs ?? null) : Math.max(before?.slowestMs ?? 0, info.cost.tookMs),
        firstMs: before?.firstMs ?? atMs,
        lastMs: atMs ?? before?.lastMs ?? null,
        rollUps: { count: 0, events: 0, bytes: 0, busyMs: 0 },
      })
    }
    return [...rows.values()]
  }

  spans(): FeedSpan[] {
    return [...this.store.snapshots.values()].flatMap(({ info: { source, atTicks } }) =>
      Number.isNaN(atTicks) ? [] : [{ source, firstMs: msFromTicks(atTicks), endMs: msFromTicks(atTicks) }],
    )
  }

  byteLength() {
    const { tables, other } = this.store.byteLength
    return { tables, other: other + this.#live.history.byteLength, rows: this.store.rowCount }
  }

  #changed(): void {
    this.store.version++
    // Any of them, since they all report the same host.
    for (const notify of this.#listeners) {
      notify()
      return
    }
  }

  #state(): StacksState {
    const { progress, failure, lastCost, nextMs, series } = this.#snapshotter
    return {
      progress,
      failure: failure?.failure ?? null,
      failedMs: failure?.atMs ?? null,
      lastCost,
      nextMs,
      series,
      snapshots: Array.from(this.store.snapshots.values(), ({ info }) => info),
      dropped: this.store.dropped,
    }
  }
}
