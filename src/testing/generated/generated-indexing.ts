import { seededRandom } from '../../base/random.ts'
import { addSpan, msFromTicks, spanFromMs, type Ticks, type TickSpan } from '../../base/ticks.ts'
import type { SourceId } from '../../capture/client/state.ts'
import { coraxTree, GENERATED_BEGIN, operation, wireBatch } from './generated-batches.ts'
import { FAKE_START, INDEX_NAMES } from './generated-io.ts'

export interface FakeIndex {
  readonly key: string
  readonly source: SourceId
  readonly name: string
  readonly isFaulty: boolean
}

export interface FakeBatch {
  readonly index: FakeIndex
  readonly id: number
  /** After `FAKE_START`. */
  readonly atMs: number
  readonly ms: number
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  /** Open batches go on beyond the generated time. */
  readonly state: 'worked' | 'empty' | 'failed' | 'open'
  /** An open one that waits for its turn, and does nothing yet. */
  readonly waits: boolean
  readonly documents: number
  readonly reason: string | null
  readonly checkedBytes: number
  /** Granted budget; 0: the batch requested nothing. */
  readonly budgetBytes: number
}

export interface GeneratedIndexing {
  readonly indexes: readonly FakeIndex[]
  /** Sorted by start. */
  readonly batches: readonly FakeBatch[]
  readonly startTicks: Ticks
  readonly endTicks: Ticks
}

export interface GenerateIndexingOptions {
  readonly seed: number
  readonly databases: readonly string[]
  readonly indexes: number
  readonly seconds: number
}

const MIB = 1024 * 1024
/** `wireBatch` counts from another beginning. */
const OFFSET_MS = msFromTicks(FAKE_START) - msFromTicks(GENERATED_BEGIN)
const INITIAL = 32 * MIB
const STEP = 16 * MIB

const REASON = {
  done: 'No more documents to index',
  size: 'Reached maximum configured map batch size (4,096).',
  memory: 'The batch was stopped after processing 128 documents because of low memory',
  refused: 'Cannot budget additional memory for batch',
  errors: 'Number of errors (516) reached maximum number of allowed errors per batch (500)',
}

/** Batches like those of a server under load: most short, some stopped early, a few failed, two fifths empty. */
export function generateIndexing({ seed, databases, indexes: count, seconds }: GenerateIndexingOptions) {
  const next = seededRandom(seed)
  const around = (median: number, spread: number): number =>
    median * Math.exp(spread * (next() + next() + next() - 1.5) * 1.6)
  const endMs = seconds * 1000
  const batches: FakeBatch[] = []

  function batch(index: FakeIndex, atMs: number, weight: number): FakeBatch {
    const isEmpty = next() < 0.4
    const ms = Math.round((isEmpty ? around(1.2, 0.6) : around(60 + 1900 * weight, 0.9)) * 100) / 100
    const times = { atMs, ms, startTicks: timeAt(atMs), durationTicks: spanFromMs(ms) }
    const rest = { index, id: 0, ...times, waits: false }
    if (isEmpty) return { ...rest, state: 'empty', documents: 0, reason: REASON.done, checkedBytes: 0, budgetBytes: 0 }
    const documents = Math.max(1, Math.round((ms / 1000) * around(3_100, 0.5)))
    const draw = next()
    const others: [below: number, reason: string | null][] = [
      [0.06, REASON.memory],
      [0.11, REASON.refused],
      [0.13, null],
    ]
    const other = others.find(([below]) => draw < below)
    const stopped = documents >= 4096 ? REASON.size : other === undefined ? REASON.done : other[1]
    const isFailed = draw < 0.025 && documents > 516
    const requests = documents > 900
    const checkedBytes = Math.round((requests ? 34 + documents / 90 : 3 + documents / 60) * MIB * (1 + next() * 0.6))
    return {
      ...rest,
      state: isFailed ? 'failed' : 'worked',
      documents,
      reason: isFailed ? REASON.errors : stopped,
      checkedBytes,
      budgetBytes: requests ? checkedBytes + STEP : 0,
    }
  }

  const indexes = databases.flatMap((database) => {
    const source: SourceId = `db:${database}`
    const named = (name: string, isFaulty = false): FakeIndex => ({ key: `${source}|${name}`, source, name, isFaulty })
    const working = Array.from({ length: count }, (_, i) => named(INDEX_NAMES[i] ?? `Generated/Index${i}`))
    working.forEach((index, place) => {
      let atMs = Math.round(next() * 4000)
      const own: FakeBatch[] = []
      while (atMs < endMs) {
        // All indexes rest in the last quarter of every 40 s.
        const phaseMs = atMs % 40_000
        if (phaseMs > 30_000) {
          atMs += Math.round(40_000 - phaseMs + next() * 1000)
          continue
        }
        const made = batch(index, atMs, 1 / (1 + (place % 9)))
        own.push(made)
        atMs = Math.ceil(atMs + made.ms + around(made.state === 'empty' ? 700 : 320, 0.8))
      }
      // At the end the first one works, and the third one waits for its turn.
      const last = own.pop()
      const isOpen = last !== undefined && (place === 0 || place === 2)
      if (isOpen) own.push({ ...openEnded(last, endMs - last.atMs + 20_000), waits: place === 2 })
      else if (last !== undefined) own.push(last)
      batches.push(...own)
    })
    return count > 5 ? [...working, named('Orders/Broken', true)] : working
  })
  return {
    indexes,
    batches: batches
      .toSorted((a, b) => a.startTicks - b.startTicks)
      .map((each, i): FakeBatch => Object.assign({}, each, { id: i + 1 })),
    startTicks: FAKE_START,
    endTicks: timeAt(endMs),
  } satisfies GeneratedIndexing
}

const timeAt = (ms: number): Ticks => addSpan(FAKE_START, spanFromMs(ms))

const openEnded = (last: FakeBatch, ms: number): FakeBatch => ({
  ...last,
  ms,
  durationTicks: spanFromMs(ms),
  state: 'open',
  documents: 9000,
  checkedBytes: 90 * MIB,
  budgetBytes: 106 * MIB,
})

export const endOf = ({ startTicks, durationTicks }: FakeBatch): Ticks => addSpan(startTicks, durationTicks)

/** Memory that a batch holds at a moment while it runs. */
export const heldAt = (batch: FakeBatch, atTicks: number): number =>
  batch.waits ? 0 : batch.checkedBytes * Math.min(1, (atTicks - batch.startTicks) / batch.durationTicks)

/** The batch as the server's document has it at a moment. */
export function batchAt(batch: FakeBatch, atTicks: number): object {
  const isOpen = atTicks < endOf(batch)
  const share = isOpen ? (atTicks - batch.startTicks) / batch.durationTicks : 1
  const ms = batch.ms * share
  const checked = Math.round(heldAt(batch, atTicks))
  // A batch requests use + 16 MB where a check finds more in use than granted.
  const granted = INITIAL + STEP * (1 + Math.floor((checked - INITIAL) / STEP))
  const map = {
    BatchCompleteReason: isOpen ? null : batch.reason,
    ProcessPrivateMemory: 5 * 1024 * MIB,
    ProcessWorkingSet: 7 * 1024 * MIB,
    CurrentlyAllocated: checked,
    AllocationBudget: isOpen && batch.budgetBytes > 0 ? (checked > INITIAL ? granted : 0) : batch.budgetBytes,
  }
  const waiting = operation('Indexing', ms, [operation('Wait/ConcurrentlyRunningIndexesLimit', ms)])
  return wireBatch({
    id: batch.id,
    atMs: batch.atMs + OFFSET_MS,
    ms,
    isOpen,
    documents: batch.waits ? 0 : Math.round(batch.documents * share),
    failed: isOpen || batch.state !== 'failed' ? 0 : 516,
    details: batch.waits
      ? waiting
      : batch.state === 'empty'
        ? operation('Indexing', ms)
        : coraxTree(batch.id, ms, 2, map),
  })
}
