import { bisectLeft } from '../../../base/columns/bisect.ts'
import { DURATION, START } from '../../../base/columns/event-chunk.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { REPLACEMENT, RING_BATCHES } from '../contract/limits.ts'
import type { LoadStore } from './loads.ts'
import type { IndexKey } from '../contract/batches.ts'
import { indexKey, type IndexTable } from './index-table.ts'

/**
 * Cause of a loss of batches of an index: its ring was full and overwrote them (`lapped`), its ring restarted
 * (`restarted`), the index was removed with its ring (`gone`), or the index that was built side by side replaced it
 * (`replaced`).
 */
export type LossCause = 'lapped' | 'restarted' | 'gone' | 'replaced'

/** A stretch of batches of one index that were never received. */
export interface BatchLoss {
  readonly index: IndexTable
  readonly startTicks: number
  readonly endTicks: number
  /**
   * Maximum number of missing batches; NaN: not known. Computed from ids, which run through all indexes of a database,
   * minus the received batches of other indexes.
   */
  readonly mostMissing: number
  readonly cause: LossCause
}

/** Batches of an index in a document, with the facts that were known before the document. */
export interface ReportedIndex {
  readonly table: IndexTable
  /** Table of the index that was built side by side and may have replaced this one; undefined: there is none. */
  readonly beside: IndexTable | undefined
  readonly lastIdBefore: number
  readonly lastStartBefore: number
  readonly lastEndBefore: number
  readonly epochBefore: number
  count: number
  oldestId: number
  oldestTicks: number
  knowsLast: boolean
  /** Whether one of its batches was received earlier under the name of a replacement. */
  hasBeside: boolean
  newestId: number
  newestTicks: number
}

/** A received document. Times are by the server's clock. */
export interface Received {
  readonly source: SourceId
  readonly reportedTicks: number
  /** Time up to which all batches are known with this document, because of its kind; its newest batch may end later. */
  readonly knownTicks: number
  /** Latest end of a batch in the document; NaN: it has no batch. */
  readonly newestTicks: number
  /** Whether the document has batches of a database load that was not known before. */
  readonly newLoad: boolean
}

/**
 * Indexes that the server had at its last report, with the times up to which all their batches are known. If an index
 * no longer exists, its ring is lost, with the batches in it.
 */
export class RingStore {
  /** Time up to which all reported batches are known, by source. */
  readonly #received = new Map<SourceId, number>()
  /** Time up to which all batches are known, by source and by index that the server had. */
  readonly #present = new Map<SourceId, Map<IndexKey, number>>()
  /** Time at which each index was first reported missing. Later batches under its name began after that time. */
  readonly #gone = new Map<IndexKey, number>()

  /** Time up to which the batches of all indexes that existed then are known; null before the first report. */
  receivedTicks(source: SourceId): number | null {
    return this.#received.get(source) ?? null
  }

  /** Time at which the index was first reported missing; null: it was not. */
  goneTicks(key: IndexKey): number | null {
    return this.#gone.get(key) ?? null
  }

  /** Time up to which all batches of an index are known; null: the server did not have it. */
  knownTicks(source: SourceId, key: IndexKey): number | null {
    return this.#present.get(source)?.get(key) ?? null
  }

  /** Notes that the server had these indexes, and that all their batches until `untilTicks` were received. */
  has(source: SourceId, keys: Iterable<IndexKey>, untilTicks: number): void {
    let present = this.#present.get(source)
    if (present === undefined) this.#present.set(source, (present = new Map<IndexKey, number>()))
    for (const key of keys) {
      present.set(key, untilTicks)
      this.#gone.delete(key)
    }
  }

  /**
   * Removes an index that the server no longer had at `atTicks`. Returns the time up to which its batches are known;
   * null: the server did not have it before either.
   */
  remove(source: SourceId, key: IndexKey, atTicks: number): number | null {
    const present = this.#present.get(source)
    const untilTicks = present?.get(key) ?? null
    if (untilTicks === null) return null
    present?.delete(key)
    this.#gone.set(key, atTicks)
    return untilTicks
  }

  /**
   * Takes the indexes of a whole response. Returns the losses of indexes that it lacks and of those that were replaced.
   */
  takeWhole(
    reported: ReadonlyMap<string, ReportedIndex>,
    received: Received,
    indexes: ReadonlyMap<IndexKey, IndexTable>,
  ) {
    const { source, reportedTicks, newLoad } = received
    const losses: BatchLoss[] = []
    const byKey = new Map(Array.from(reported.values(), (each) => [each.table.key, each]))
    const present = new Map(this.#present.get(source))
    for (const key of present.keys()) {
      const table = indexes.get(key)
      if (table === undefined || byKey.has(key)) continue
      const untilTicks = this.remove(source, key, reportedTicks)
      // A new load restarts all rings; that is one gap of all indexes.
      if (untilTicks === null || newLoad) continue
      const successor = successorOf(table, reported)
      const loss = (index: IndexTable, startTicks: number, cause: LossCause): void => {
        const endTicks = Math.max(startTicks, reportedTicks)
        losses.push({ index, startTicks, endTicks, mostMissing: Number.NaN, cause })
      }
      if (successor === null) loss(table, untilTicks, 'gone')
      else if (present.has(successor.key)) loss(successor, present.get(successor.key) as number, 'replaced')
    }
    return losses
  }

  /**
   * Takes the names of all indexes of a source at `atTicks`. Returns the losses of the indexes that the list lacks. A
   * socket does not report indexes without news, so only such a list shows that an index is gone. Batches received
   * since `requestedTicks` may be newer than the list. All batches until `knownTicks` were received.
   */
  takeNames(
    source: SourceId,
    names: ReadonlySet<string>,
    { knownTicks, requestedTicks, atTicks }: Readonly<Record<'knownTicks' | 'requestedTicks' | 'atTicks', number>>,
    indexes: ReadonlyMap<IndexKey, IndexTable>,
  ): BatchLoss[] {
    const losses: BatchLoss[] = []
    for (const [key, untilTicks] of this.#present.get(source) ?? []) {
      const table = indexes.get(key)
      if (table === undefined) continue
      if (names.has(table.name)) this.has(source, [key], Math.max(untilTicks, knownTicks))
      if (names.has(table.name) || untilTicks >= requestedTicks) continue
      this.remove(source, key, atTicks)
      const target = replacedBy(table)
      const successor = target === null || !names.has(target) ? undefined : indexes.get(indexKey(source, target))
      const [index, cause] = successor === undefined ? ([table, 'gone'] as const) : ([successor, 'replaced'] as const)
      losses.push({ index, startTicks: untilTicks, endTicks: atTicks, mostMissing: Number.NaN, cause })
    }
    return losses
  }

  /**
   * Notes the indexes of a document. The server reads one list after another, so the newest batch of an index may have
   * ended after the list of another index was read. Up to that batch, only the batches of its own index are known.
   */
  take(reported: ReadonlyMap<string, ReportedIndex>, { source, knownTicks }: Received): void {
    this.#received.set(source, knownTicks)
    for (const { table, newestTicks } of reported.values())
      this.has(source, [table.key], newestTicks >= knownTicks ? newestTicks : knownTicks)
  }
}

/** Name of the index that this one is built to replace; null: it is not a replacement. */
const replacedBy = ({ name }: IndexTable): string | null =>
  name.startsWith(REPLACEMENT) ? name.slice(REPLACEMENT.length) : null

/**
 * Loss of an index that was reset or created again at `createdTicks`. The loss begins at `knownTicks`, up to which all
 * of its batches are known, or at the end of its last batch before that time, whichever is later. For a part of it the
 * index may not have existed.
 */
export function resetLoss(index: IndexTable, createdTicks: number, knownTicks: number): BatchLoss {
  let startTicks = knownTicks
  for (const events of Object.values(index.tables)) {
    const row = events.lowerBound(createdTicks) - 1
    if (row >= 0) startTicks = Math.max(startTicks, events.read(START, row) + events.read(DURATION, row))
  }
  const cause = 'restarted'
  return {
    index,
    startTicks: Math.min(startTicks, createdTicks),
    endTicks: createdTicks,
    mostMissing: Number.NaN,
    cause,
  }
}

/**
 * The index that this replacement has become; null: it is not a replacement, or its batches were not reported under the
 * new name.
 */
function successorOf(table: IndexTable, reported: ReadonlyMap<string, ReportedIndex>): IndexTable | null {
  const name = replacedBy(table)
  const next = name === null ? undefined : reported.get(name)
  return next?.hasBeside === true ? next.table : null
}

/** State of the ring of an index before a whole response; from {@link RingStore}. */
export interface RingBefore {
  readonly goneTicks: number | null
  /** Time up to which the batches of all indexes are known. */
  readonly receivedTicks: number | null
  /** Time up to which the batches of this index are known. */
  readonly knownTicks: number | null
}

/** Loss whose `mostMissing` still includes the batches of other indexes, which have ids of the same sequence. */
interface Candidate {
  readonly loss: BatchLoss
  /** End of the last known batch of the index. */
  readonly sinceTicks: number
}

/**
 * Finds losses in a whole response: indexes whose oldest batch in the ring is newer than their newest known batch, if
 * batches in between are missing. O(n log n) in batches since then, indexes and losses.
 */
export function ringLosses(
  reported: Iterable<ReportedIndex>,
  before: (table: IndexTable) => RingBefore,
  loads: LoadStore,
  indexes: Iterable<IndexTable>,
): BatchLoss[] {
  const candidates: Candidate[] = []
  for (const each of reported) {
    const candidate = candidateOf(each, before(each.table), loads)
    if (candidate !== null) candidates.push(candidate)
  }
  const counted = candidates.filter(({ loss }) => !Number.isNaN(loss.mostMissing))
  const source = counted[0]?.loss.index.source
  const startsBefore =
    source === undefined
      ? null
      : countStarts(
          counted.flatMap(({ loss, sinceTicks }) => [sinceTicks, loss.endTicks]),
          [...indexes].filter((index) => index.source === source),
        )
  return candidates.flatMap(({ loss, sinceTicks }) => {
    if (startsBefore === null || Number.isNaN(loss.mostMissing)) return [loss]
    const { index, endTicks } = loss
    const own = startsWithin(index, sinceTicks, endTicks)
    const ofOthers = (startsBefore.get(endTicks) ?? 0) - (startsBefore.get(sinceTicks) ?? 0) - own
    const mostMissing = loss.mostMissing - ofOthers
    return mostMissing <= 0 ? [] : [{ ...loss, mostMissing }]
  })
}

/** Finds the loss of an index; null: no batch is missing. `mostMissing` includes the batches of other indexes. */
function candidateOf(
  { table, count, knowsLast, lastIdBefore, oldestId, oldestTicks, lastEndBefore, epochBefore }: ReportedIndex,
  { goneTicks, receivedTicks, knownTicks }: RingBefore,
  loads: LoadStore,
): Candidate | null {
  const isNewRing = count < RING_BATCHES - 1
  if (Number.isNaN(lastIdBefore)) {
    // Without a known batch, the index was created since the last response. A full ring has overwritten its first
    // batches.
    const isLapped = !isNewRing && receivedTicks !== null && receivedTicks < oldestTicks
    if (!isLapped) return null
    const loss = { index: table, startTicks: receivedTicks, endTicks: oldestTicks, mostMissing: Number.NaN }
    return { loss: { ...loss, cause: 'lapped' }, sinceTicks: receivedTicks }
  }
  if (knowsLast) return null
  const isSameLoad = loads.epochAt(oldestTicks) === epochBefore
  // A new load restarts all rings; that is one gap of all indexes.
  if (isNewRing && !isSameLoad) return null
  // The index was created again after it was gone, and its ring still contains its first batch.
  if (isNewRing && goneTicks !== null) return null
  const between = isSameLoad ? oldestId - lastIdBefore - 1 : Number.NaN
  if (between <= 0) return null
  const sinceTicks = Math.min(Math.max(lastEndBefore, goneTicks ?? lastEndBefore), oldestTicks)
  // Responses since the last batch showed that the index was idle, unless the page's clock is ahead of the server's.
  const untilTicks = knownTicks === null || knownTicks >= oldestTicks ? sinceTicks : Math.max(sinceTicks, knownTicks)
  const startTicks = Math.min(untilTicks, oldestTicks)
  const cause = isNewRing ? 'restarted' : 'lapped'
  return { loss: { index: table, startTicks, endTicks: oldestTicks, mostMissing: between, cause }, sinceTicks }
}

/** For each time, counts the batches of all these indexes that began between the first time and that time. */
function countStarts(times: readonly number[], indexes: Iterable<IndexTable>): ReadonlyMap<number, number> {
  const sorted = Float64Array.from(new Set(times)).toSorted()
  const first = sorted[0] as number
  const last = sorted.at(-1) as number
  /** Number of starts between each time and the one before it. */
  const counts = new Uint32Array(sorted.length)
  for (const { tables } of indexes)
    for (const events of Object.values(tables))
      for (let row = events.lowerBound(first), end = events.lowerBound(last); row < end; row++) {
        const next = bisectLeft(sorted, events.read(START, row) + 1, itself)
        if (next < counts.length) counts[next] = (counts[next] as number) + 1
      }
  let sum = 0
  return new Map(Array.from(sorted, (ticks, i) => [ticks, (sum += counts[i] as number)]))
}

const itself = (ticks: number): number => ticks

function startsWithin({ tables }: IndexTable, fromTicks: number, toTicks: number): number {
  let count = 0
  for (const events of Object.values(tables)) count += events.lowerBound(toTicks) - events.lowerBound(fromTicks)
  return count
}
