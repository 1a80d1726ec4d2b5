import { errorText } from '../../../../base/text/error-text.ts'
import type { Bytes } from '../../../../base/brand.ts'
import { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { turn } from '../../../../capture/worker/turns.ts'
import { RavenError } from '../../../../ravendb/errors/errors.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import { stackReader } from '../reading/decode.ts'
import type { StackDocument } from '../reading/document.ts'
import { failureOf, isLasting } from '../failures.ts'
import type { FrameTable } from '../frames.ts'
import type {
  SnapshotCost,
  SnapshotFailure,
  SnapshotOrigin,
  SnapshotProgress,
  SnapshotStep,
  SeriesState,
} from '../../contract/snapshots.ts'
import type { SnapshotId } from '../../contract/ids.ts'
import { SERIES_LIMITS } from '../../contract/snapshots.ts'
import type { StackStore } from '../table.ts'
import type { TabsEnv } from '../../../../ravendb/tabs/tabs.ts'
import { TabSnapshots, type TabOutcome } from './tab-snapshots.ts'

/** Minimum time, ms, from the end of a snapshot to the next; a click within it gets the existing snapshot. */
const MIN_INTERVAL_MS = 3000
/** Pause of a series as a multiple of the duration of its snapshots, which thus take at most a fifth of the time. */
const REST_FACTOR = 4
/** Random variation of a series' interval, as a share in both directions. */
const JITTER = 0.25
/** Maximum factor by which a series slows down while the server is short of a resource. */
const MOST_SLOWED = 4
const MOST_FAILURES = 3
const GIVE_UP_MS = 60_000
/** Bytes that are decoded before other work runs. */
const SLICE_BYTES = 256 * 1024

/** Result of a snapshot. `withdrawn`: the user does not wait for it any more. */
type SnapshotOutcome =
  | { readonly kind: 'taken'; readonly snapshot: SnapshotId }
  | { readonly kind: 'failed'; readonly failure: SnapshotFailure }
  | { readonly kind: 'withdrawn' }

export interface StackSnapshotterHost {
  readonly store: StackStore
  readonly changed: () => void
  /** Access to other tabs; null: not available. */
  readonly tabs: TabsEnv | null
}

/** Takes snapshots: one at a time, with a minimum interval, and only on request. */
export class StackSnapshotter {
  readonly #host: StackSnapshotterHost
  readonly #tabs: TabSnapshots
  #running: { readonly promise: Promise<SnapshotOutcome>; readonly abort: AbortController } | null = null
  #progress: SnapshotProgress | null = null
  #failure: { readonly failure: SnapshotFailure; readonly atMs: number } | null = null
  #lastCost: SnapshotCost | null = null
  #last: { readonly id: SnapshotId; readonly endMs: number } | null = null
  #series: SeriesState | null = null
  #nextSeries = 1
  /** Ends the wait for the next snapshot of the series. */
  #disarm: (() => void) | null = null
  #inRow = 0

  constructor(host: StackSnapshotterHost) {
    this.#host = host
    this.#tabs = new TabSnapshots(host.tabs)
  }

  get progress(): SnapshotProgress | null {
    return this.#progress
  }

  get failure(): { readonly failure: SnapshotFailure; readonly atMs: number } | null {
    return this.#failure
  }

  get lastCost(): SnapshotCost | null {
    return this.#lastCost
  }

  get series(): SeriesState | null {
    return this.#series
  }

  get nextMs(): number {
    return this.#last === null ? 0 : this.#last.endMs + MIN_INTERVAL_MS
  }

  readonly minIntervalMs = MIN_INTERVAL_MS

  /** Takes a snapshot. A request during or shortly after another one gets that one. */
  take(governor: Governor, source: SourceId): Promise<SnapshotOutcome> {
    if (this.#running !== null) return this.#running.promise
    const { store } = this.#host
    if (this.#last !== null && governor.env.now() < this.nextMs && store.snapshots.has(this.#last.id))
      return Promise.resolve({ kind: 'taken', snapshot: this.#last.id })
    return this.#begin(governor, source, 'click')
  }

  /** A sampling thread of the runtime was seen: the helper is attached and samples. */
  sawSampling(governor: Governor): void {
    if (this.#progress?.step === 'attaching') this.#step(governor, 'sampling')
  }

  startSeries(governor: Governor, source: SourceId, everyMs: number, count: number): void {
    this.#endSeries('stopped')
    this.#series = {
      id: this.#nextSeries++,
      everyMs: within(everyMs, SERIES_LIMITS.minEveryMs, SERIES_LIMITS.maxEveryMs),
      count: within(count, 1, SERIES_LIMITS.maxCount),
      done: 0,
      failed: 0,
      nextMs: governor.env.now(),
      slowed: null,
      phase: 'running',
      tookMs: 0,
      bytes: 0 as Bytes,
    }
    this.#inRow = 0
    this.#arm(governor, source, 0)
  }

  stop(): void {
    this.#endSeries('stopped')
    this.#running?.abort.abort()
    this.#host.changed()
  }

  #begin(governor: Governor, source: SourceId, origin: SnapshotOrigin): Promise<SnapshotOutcome> {
    const abort = new AbortController()
    const promise = this.#run(governor, source, origin, abort.signal).finally(() => {
      this.#running = null
      this.#progress = null
      this.#host.changed()
    })
    this.#running = { promise, abort }
    return promise
  }

  async #run(
    governor: Governor,
    source: SourceId,
    origin: SnapshotOrigin,
    signal: AbortSignal,
  ): Promise<SnapshotOutcome> {
    const { env } = governor
    const requestedMs = env.now()
    this.#failure = null
    this.#progress = {
      step: 'queued',
      requestedMs,
      giveUpMs: requestedMs + GIVE_UP_MS,
      isElsewhere: false,
    }
    this.#host.changed()
    try {
      const outcome = await this.#tabs.one({
        clock: env,
        signal,
        freshMs: MIN_INTERVAL_MS,
        take: () => this.#request(governor, signal),
        onElsewhere: () => this.#set({ isElsewhere: true }),
      })
      if (outcome === null) return { kind: 'withdrawn' }
      if ('failure' in outcome) return this.#failed(outcome.failure, env.now())
      const { bytes, tookMs } = outcome
      const cost = { tookMs, bytes: bytes.length as Bytes, pauseMs: null }
      this.#step(governor, 'joining')
      const { store } = this.#host
      const { frames } = store
      const { document, cut } = await decodeWhole(bytes, frames)
      const problems = cut === null ? document.problems : [...document.problems, cut]
      const series = origin === 'series' ? (this.#series?.id ?? null) : null
      const { info } = store.add({ ...document, problems }, { source, origin, cost, series })
      this.#lastCost = cost
      this.#last = { id: info.id, endMs: env.now() }
      return { kind: 'taken', snapshot: info.id }
    } catch (error) {
      return this.#failed(failureOf(error, 'joining'), env.now())
    }
  }

  #failed(failure: SnapshotFailure, atMs: number): SnapshotOutcome {
    this.#failure = { failure, atMs }
    return { kind: 'failed', failure }
  }

  /** Requests the stacks of the server; null: the user withdrew. */
  async #request(governor: Governor, signal: AbortSignal): Promise<TabOutcome | null> {
    const { env } = governor
    let sentMs = env.now()
    this.#set({ isElsewhere: false })
    try {
      const bytes = await governor.bytes(
        'threadsStackTrace',
        {},
        {
          signal,
          onBegun: () => {
            sentMs = env.now()
            this.#step(governor, 'attaching')
          },
        },
      )
      return { bytes, tookMs: env.now() - sentMs }
    } catch (error) {
      if (error instanceof RavenError && error.kind === 'aborted') return null
      return { failure: failureOf(error, this.#progress?.step ?? 'queued') }
    }
  }

  #step(governor: Governor, step: SnapshotStep): void {
    const now = governor.env.now()
    this.#set({ step, ...(step === 'attaching' ? { giveUpMs: now + GIVE_UP_MS } : {}) })
  }

  #set(parts: Partial<SnapshotProgress>): void {
    if (this.#progress === null) return
    this.#progress = { ...this.#progress, ...parts }
    this.#host.changed()
  }

  #arm(governor: Governor, source: SourceId, delayMs: number): void {
    this.#update({ nextMs: governor.env.now() + delayMs })
    const timer = governor.env.setTimeout(() => void this.#next(governor, source), delayMs)
    this.#disarm = () => governor.env.clearTimeout(timer)
    this.#host.changed()
  }

  async #next(governor: Governor, source: SourceId): Promise<void> {
    const series = this.#series
    if (series === null || series.phase !== 'running') return
    this.#update({ nextMs: null })
    // A snapshot for a click is running, which is not part of the series.
    if (this.#running !== null) await this.#running.promise
    if (!this.#isOn(series.id)) return
    const outcome = await this.#begin(governor, source, 'series')
    const now = this.#series
    if (now === null || !this.#isOn(series.id)) return
    if (outcome.kind !== 'taken') {
      this.#inRow++
      this.#update({ failed: now.failed + 1 })
    } else {
      this.#inRow = 0
      this.#update({
        done: now.done + 1,
        tookMs: now.tookMs + (this.#lastCost?.tookMs ?? 0),
        bytes: (now.bytes + (this.#lastCost?.bytes ?? 0)) as Bytes,
      })
    }
    const isOver = outcome.kind === 'failed' && isLasting(outcome.failure)
    if (outcome.kind !== 'taken' && (this.#inRow >= MOST_FAILURES || isOver)) {
      this.#endSeries('failed')
    } else if (now.done + now.failed + 1 >= now.count) this.#endSeries('finished')
    else this.#arm(governor, source, this.#pause(governor))
  }

  /** Pause before the next snapshot: the interval, varied, and longer if snapshots are slow. */
  #pause(governor: Governor): number {
    const everyMs = this.#series?.everyMs ?? SERIES_LIMITS.minEveryMs
    const tookMs = this.#lastCost?.tookMs ?? 0
    const pauseMs = Math.max(MIN_INTERVAL_MS, tookMs * REST_FACTOR)
    const { factor, why } = governor.pace
    const paceMs = everyMs * Math.min(MOST_SLOWED, factor)
    const leastMs = Math.max(pauseMs, paceMs)
    const isSlowed = leastMs > everyMs
    const wait = `the next one waits ${(leastMs / 1000).toFixed(1)} s`
    const because =
      paceMs > pauseMs && why !== null
        ? `${why} So does the series: ${wait}.`
        : `A snapshot took ${(tookMs / 1000).toFixed(1)} s: ${wait}, to leave the server time between them.`
    this.#update({ slowed: isSlowed ? because : null })
    const variedMs = everyMs * (1 + JITTER * (2 * governor.env.random() - 1)) - tookMs
    return Math.max(isSlowed ? leastMs : 0, variedMs, SERIES_LIMITS.minEveryMs * (1 - JITTER))
  }

  /** A function, because the value may change during an await. */
  #isOn(id: number): boolean {
    return this.#series?.id === id && this.#series.phase === 'running'
  }

  #update(parts: Partial<SeriesState>): void {
    if (this.#series !== null) this.#series = { ...this.#series, ...parts }
  }

  #endSeries(phase: SeriesState['phase']): void {
    if (this.#series?.phase !== 'running') return
    this.#update({ phase, nextMs: null, slowed: null })
    this.#disarm?.()
    this.#disarm = null
    this.#host.changed()
  }
}

const within = (value: number, min: number, max: number): number =>
  Number.isFinite(value) ? Math.min(max, Math.max(min, Math.round(value))) : max

/** `cut`: why the response is incomplete; null: it is complete. Throws if it has no stacks at all. */
async function decodeWhole(
  bytes: Uint8Array,
  frames: FrameTable,
): Promise<{ document: StackDocument; cut: string | null }> {
  const documents: StackDocument[] = []
  const wrong: string[] = []
  const json = new JsonBytes()
  const reader = stackReader(frames, (document) => documents.push(document))
  const walk = new JsonWalk(json, reader.rule, (at, expected) => wrong.push(`byte ${at}: expected ${expected}`))
  let cut: string | null = null
  try {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      json.feed(bytes.subarray(at, at + SLICE_BYTES))
      json.isLast = at + SLICE_BYTES >= bytes.length
      walk.run()
      await turn()
    }
    if (walk.isOpen) throw new Error('the answer ends in the middle')
  } catch (error) {
    cut = `The answer could not be read to its end: ${errorText(error)}.`
    reader.salvage()
  }
  const [document] = documents
  if (document === undefined || (document.entries.length === 0 && document.threads.length === 0))
    throw new Error(cut ?? wrong[0] ?? 'The response holds neither stacks nor threads.')
  return { document, cut: cut ?? (wrong[0] === undefined ? null : `Parts make no sense: ${wrong[0]}.`) }
}
