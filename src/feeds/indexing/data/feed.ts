import { DURATION, START } from '../../../base/columns/event-chunk.ts'
import { joinExtents } from '../../../base/far-events.ts'
import { msFromSpan, msFromTicks, type Ticks, type TickSpan } from '../../../base/ticks.ts'
import type { FeedSummaryRow } from '../../../capture/client/summary.ts'
import type {
  FeedSpan,
  FeedWatch,
  LaterPart,
  SourceFeed,
  TableChange,
  WatchContext,
} from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { GapLog } from '../../../capture/worker/gap-log.ts'
import { MainBodies } from '../../../capture/worker/main-bodies.ts'
import type { DocumentReader } from '../../../capture/reading/document.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { parseSourceId } from '../../../capture/client/state.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { indexesResponse } from './responses/indexes.ts'
import { marksResponse } from './responses/marks.ts'
import { overviewResponse } from './responses/overview.ts'
import { summaryResponse } from './responses/summary.ts'
import { CoverageGaps, recordLosses } from './coverage-gaps.ts'
import { BudgetLog, THREAD_HOLD_TICKS } from './budget-log.ts'
import type { BatchScratch } from './batches/batch.ts'
import { besideKindOf } from './reading/auxiliary-reader.ts'
import { batchReader } from './reading/decode.ts'
import { IndexFactsStore } from './facts.ts'
import { FileKnowledge } from './file-knowledge.ts'
import { LIVE_MACHINE, reportsMemory, MemoryLogs } from './memory-log.ts'
import { WANTED_MS } from '../../../capture/client/requests/wanted.ts'
import type { IndexingLaterRequests, IndexingRequests } from '../contract.ts'
import type { IndexingWantResponse, IndexingWantParams } from '../contract/want.ts'
import type { IndexStats } from './watching/server-wire.ts'
import { collectionsMapped } from './names.ts'
import type { ServerWatch, ServerWatchHost } from './watching/server-watch.ts'
import { SourceWatch, type SourceWatchHost } from './watching/source-watch.ts'
import type { Ingest, OnBatch } from './table.ts'
import { BUDGET, CHECKED, CLASSES, DOCUMENTS_IN, ID, indexKey, REASON } from './index-table.ts'
import { BatchStore } from './table.ts'
import type { ThreadAllocation, ThreadCandidate } from './batches/threads.ts'
import { joinThreads } from './batches/threads.ts'
import { BudgetWatch } from './watching/watch.ts'

/**
 * Feed of index batches and of the memory that indexes compete for: `indexes/performance`, threads, memory; also reads
 * files of batches.
 */
export class IndexingFeed implements SourceFeed {
  readonly name = 'indexing'
  readonly store = new BatchStore()
  readonly budgets = new BudgetLog()
  readonly memories = new MemoryLogs()
  /** Memory of the watched server. */
  readonly memory = this.memories.of(LIVE_MACHINE)
  readonly facts = new IndexFactsStore()
  readonly watchdog = new BudgetWatch()
  readonly #files = new FileKnowledge(this)
  readonly #coverage = new CoverageGaps(this.store)
  readonly #watches = new Map<SourceId, SourceWatch>()
  readonly #contexts = new Map<SourceId, WatchContext>()
  /** Time up to which every batch was received, for sources that are no longer watched. */
  readonly #untilTicks = new Map<SourceId, Ticks>()
  readonly #wantedUntilMs = new Map<SourceId, number>()
  #budgetsUntilMs = 0
  #governor: Governor | null = null
  #timer: ReturnType<Governor['env']['setTimeout']> | null = null
  /** Watch on the server; its code is loaded when budgets are shown for the first time. */
  #server: Promise<ServerWatch> | null = null
  #isServerWanted = false
  readonly #ofServer: ServerWatchHost = {
    onThreads: (atTicks, threads) => this.#takeThreads(atTicks, threads),
    onMemory: (sample) => {
      this.memory.add(sample)
      const available = Number.isNaN(sample.availableForProcessingBytes)
        ? sample.availableBytes
        : sample.availableForProcessingBytes
      if (!Number.isNaN(available))
        this.watchdog.take({ kind: 'memory', atTicks: sample.atTicks, availableBytes: available })
      this.#changed('samples')
    },
    onLowMemory: (rows) => {
      if (this.memory.addEvents(rows)) this.#changed()
    },
    onLowLimit: (limit) => {
      this.memory.lowLimit = limit
      this.#changed()
    },
  }

  readonly #bodies = new MainBodies({
    version: () => this.store.version,
    spans: () => Array.from(this.store.indexes.values(), (index) => [index.source, index] as const),
    rowsOf: (source) =>
      [...this.store.indexes.values()].flatMap((index) =>
        index.source === source ? CLASSES.map((kind) => index.tables[kind]) : [],
      ),
  })

  readonly responses = {
    'indexing.want': (params, governor) => this.#want(params, governor),
    'indexing.indexes': ({ sources }) => ({
      ...indexesResponse(this.store, this.facts, sources),
      reportsMemory: reportsMemory(this.memories.ofSources(sources)),
      awaited: sources.filter((source) => this.#watches.get(source)?.isAwaited === true),
      knownTicks: Object.fromEntries(
        sources.flatMap((source) => {
          const sinceTicks = this.#watches.get(source)?.sinceTicks ?? null
          return sinceTicks === null ? [] : [[source, sinceTicks] as const]
        }),
      ),
    }),
    'indexing.marks': (params) => marksResponse(this.store, params),
    'indexing.overview': (params) => overviewResponse(this.store, params),
    'indexing.summary': (params, _governor, signal) => summaryResponse(this.store, params, signal),
    'indexing.idle': ({ sources, minTicks }) => ({
      version: this.store.version,
      spans: this.store.activity.idle(minTicks, sources),
    }),
  } satisfies Handlers<Exclude<keyof IndexingRequests, keyof IndexingLaterRequests>>

  constructor() {
    this.store.onBatch = this.#onBatch
  }

  watch(context: WatchContext): FeedWatch | null {
    const { ref, source } = context
    if (ref.kind !== 'database') return null
    const { store, facts } = this
    const host = {
      store,
      facts,
      coverage: this.#coverage,
      isRecorded: () => this.#wantedUntilMs.get(source) === Number.POSITIVE_INFINITY,
      onStats: (...reported: Parameters<SourceWatchHost['onStats']>) => this.#takeStats(...reported),
    }
    const watch = new SourceWatch(host, context, ref.name)
    this.#watches.set(source, watch)
    this.#contexts.set(source, context)
    this.#apply(context.governor)
    return {
      close: () => {
        watch.stop()
        if (watch.untilTicks !== null) this.#untilTicks.set(source, watch.untilTicks)
        // The source may have been watched again meanwhile.
        if (this.#watches.get(source) === watch) {
          this.#watches.delete(source)
          this.#contexts.delete(source)
        }
        this.#apply(context.governor)
      },
      // Another client may load the database; polling continues once it is loaded.
      loadNow: () => undefined,
      retryNow: () => watch.retryNow(),
    }
  }

  /** Time up to which every batch of a live source was received. */
  knownUntil(source: SourceId): Ticks | null {
    return this.#watches.get(source)?.untilTicks ?? this.#untilTicks.get(source) ?? null
  }

  #watchServer(governor: Governor, isWanted: boolean): void {
    this.#isServerWanted = isWanted
    if (isWanted)
      this.#server ??= import('./watching/server-watch.ts').then((part) => new part.ServerWatch(this.#ofServer))
    void this.#server?.then(
      (watch) => (this.#isServerWanted ? watch.start(governor) : watch.stop()),
      // Loading the code failed: the next request that wants budgets tries again.
      () => (this.#server = null),
    )
  }

  async later() {
    const { laterPart } = await import('./later.ts')
    const { store, facts, budgets, memories, watchdog } = this
    return laterPart({
      store,
      facts,
      budgets,
      memories,
      watchdog,
    }) satisfies LaterPart
  }

  recognises(paths: ReadonlySet<string>): boolean {
    return (
      paths.has('$.Results[].Performance') ||
      paths.has('$[].Performance') ||
      paths.has('$[].Results[].Performance') ||
      besideKindOf(paths) !== null
    )
  }

  reader(
    source: SourceId,
    gapLog: GapLog,
    problem: (at: number, expected: string) => void,
    paths: ReadonlySet<string>,
  ): DocumentReader {
    const beside = besideKindOf(paths)
    if (beside !== null) return this.#files.reader(source, beside, problem)
    let ingest: Ingest | null = null
    let isEmpty = true
    const settle = (): void => {
      if (ingest !== null) recordLosses(gapLog, source, ingest.end(true))
      ingest = null
      this.#files.settle(source)
    }
    const reader = batchReader(
      this.store.names,
      (index, batch) => {
        isEmpty = false
        ;(ingest ??= this.store.begin(source, Number.NaN)).take(index, batch)
      },
      problem,
      settle,
    )
    return {
      rule: reader.rule,
      salvage: () => {
        reader.salvage()
        settle()
      },
      describeEmpty: () => (isEmpty ? 'It holds no batches.' : null),
    }
  }

  extent() {
    const batches = this.#bodies.extent()
    const files = this.#files.extent()
    if (batches === null) return this.#files.extentAlone()
    return joinExtents(files === null ? [batches] : [batches, files])
  }

  /** Summary per index, by how batches ended. Bytes are those of documents. */
  summary(): FeedSummaryRow[] {
    return [...this.store.indexes.values()].flatMap((index) =>
      CLASSES.flatMap((kind): FeedSummaryRow[] => {
        const { totals, length, firstTicks, lastTicks } = index.tables[kind]
        if (length === 0) return []
        return [
          {
            feed: this.name,
            source: index.source,
            environment: index.name,
            environmentPath: index.key,
            kind: `batch ${kind}`,
            count: totals.count,
            bytes: totals.bytes,
            busyMs: msFromSpan(totals.busy as TickSpan),
            slowestMs: msFromSpan(totals.slowestDuration as TickSpan),
            firstMs: msFromTicks(firstTicks as Ticks),
            lastMs: msFromTicks(lastTicks as Ticks),
            rollUps: { count: 0, events: 0, bytes: 0, busyMs: 0 },
          },
        ]
      }),
    )
  }

  spans(): FeedSpan[] {
    return this.#bodies.spans()
  }

  byteLength() {
    const { tables, other } = this.store.byteLength
    let rows = 0
    for (const index of this.store.indexes.values()) rows += index.length
    return {
      tables,
      other: other + this.budgets.byteLength + this.memories.byteLength + this.facts.byteLength,
      rows,
    }
  }

  #want({ sources, budgets, record }: IndexingWantParams, governor: Governor): IndexingWantResponse {
    const untilMs = record === true ? Number.POSITIVE_INFINITY : governor.env.now() + WANTED_MS
    for (const source of sources) {
      const before = this.#wantedUntilMs.get(source) ?? 0
      this.#wantedUntilMs.set(source, record === false ? untilMs : Math.max(before, untilMs))
    }
    if (budgets) this.#budgetsUntilMs = record === false ? untilMs : Math.max(this.#budgetsUntilMs, untilMs)
    this.#apply(governor)
    return {
      untilMs: Math.max(untilMs, ...sources.map((source) => this.#wantedUntilMs.get(source) ?? 0)),
      ways: sources.map(
        (source) =>
          this.#watches.get(source)?.way() ?? {
            source,
            way: 'off',
            why: parseSourceId(source)?.kind === 'file' ? 'A file does not change.' : 'Only databases have indexes.',
            bytesPerMinute: null,
            otherBytesPerMinute: null,
            everyTicks: null,
            problem: null,
          },
      ),
    }
  }

  /**
   * Starts the watches that are wanted, stops the others, and schedules the next check for the time when a want
   * expires.
   */
  #apply(governor: Governor): void {
    this.#governor = governor
    const now = governor.env.now()
    let nextMs = Number.POSITIVE_INFINITY
    let isAnyOn = false
    for (const [source, watch] of this.#watches) {
      const untilMs = this.#wantedUntilMs.get(source) ?? 0
      if (untilMs > now) {
        watch.start()
        isAnyOn = true
        nextMs = Math.min(nextMs, untilMs)
      } else watch.stop()
    }
    if (isAnyOn && this.#budgetsUntilMs > now) {
      this.#watchServer(governor, true)
      nextMs = Math.min(nextMs, this.#budgetsUntilMs)
    } else this.#watchServer(governor, false)
    if (this.#timer !== null) governor.env.clearTimeout(this.#timer)
    this.#timer = Number.isFinite(nextMs)
      ? governor.env.setTimeout(() => this.#governor !== null && this.#apply(this.#governor), nextMs - now + 1)
      : null
  }

  readonly #onBatch: OnBatch = (index, row, isOpen, reportedTicks, batch) => {
    const measured = (column: number): number | null => (row[column] === -1 ? null : (row[column] as number))
    const [checkedBytes, budgetBytes] = [measured(CHECKED), measured(BUDGET)]
    if (isOpen && (checkedBytes !== null || budgetBytes !== null)) this.budgets.note(index, row, reportedTicks)
    const startTicks = row[START] as number
    const endTicks = startTicks + (row[DURATION] as number)
    this.facts.meet(index.source, index.name, startTicks)
    // A file contains batches index by index, not in the order of events. Its batches are judged together once they are
    // all read.
    if (Number.isNaN(reportedTicks)) return
    this.watchdog.take({
      kind: 'batch',
      atTicks: isOpen ? reportedTicks : endTicks,
      source: index.source,
      index: index.key,
      name: index.name,
      startTicks,
      id: row[ID] as number,
      isOpen,
      checkedBytes,
      budgetBytes,
      documents: measured(DOCUMENTS_IN),
      passedLastCheck: !isOpen && this.#passedLastCheck(row, batch),
    })
  }

  /**
   * Whether the batch passed its last check: nothing was left to map, so no check had stopped it. False with several
   * collections, because one may have been stopped while another had nothing left: their reasons share one field, which
   * holds the last one.
   */
  #passedLastCheck(row: Float64Array, batch: BatchScratch): boolean {
    const { code } = this.store.reasons.get(row[REASON] as number)
    return code === 'no-more-documents' && batch.reasonIsOfMap && collectionsMapped(batch, this.store.names) <= 1
  }

  #takeStats({ source }: WatchContext, rows: readonly IndexStats[], atTicks: Ticks): void {
    for (const { name, threadAllocationBytes, budgetBytes } of rows) {
      if (threadAllocationBytes === null || budgetBytes === null) continue
      const index = indexKey(source, name)
      this.budgets.of(index).held.add(atTicks, budgetBytes, THREAD_HOLD_TICKS)
      const allocatedBytes = threadAllocationBytes
      this.watchdog.take({ kind: 'held', atTicks, source, index, name, allocatedBytes, budgetBytes })
    }
  }

  #takeThreads(atTicks: number, threads: readonly ThreadAllocation[]): void {
    const joined = joinThreads(threads, this.#candidates())
    for (const [key, bytes] of joined.known) {
      const log = this.budgets.of(key)
      log.thread = 'known'
      log.threads.add(atTicks, bytes ?? Number.NaN, THREAD_HOLD_TICKS)
    }
    for (const key of joined.ambiguous) this.budgets.of(key).thread = 'ambiguous'
    this.watchdog.take({ kind: 'threads', atTicks, bytes: joined.known })
    this.#changed('samples')
  }

  /** Indexes of the watched databases. Those of other databases would only make names ambiguous. */
  #candidates(): ThreadCandidate[] {
    const candidates = new Map<string, ThreadCandidate>()
    const add = (source: SourceId, name: string): void => {
      const ref = this.#contexts.get(source)?.ref
      const key = indexKey(source, name)
      if (ref?.kind === 'database') candidates.set(key, { key, source, database: ref.name, name })
    }
    for (const { source, name } of this.store.indexes.values()) add(source, name)
    for (const key of this.facts.keys()) {
      const known = this.facts.get(key)
      if (known !== undefined && known.trouble !== 'gone') add(known.source, known.name)
    }
    return [...candidates.values()]
  }

  #changed(by?: TableChange): void {
    this.store.version++
    const [context] = this.#contexts.values()
    context?.changed(by)
  }
}
