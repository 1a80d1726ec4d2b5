import { expect } from 'vitest'
import fc from 'fast-check'
import { seededRandom } from '../../../base/random.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import {
  generatedTime,
  wireBatch,
  wireDocument,
  type BatchParts,
} from '../../../testing/generated/generated-batches.ts'
import { law } from '../../../testing/law.ts'
import { recordLosses } from './coverage-gaps.ts'
import { RING_BATCHES } from '../contract/limits.ts'
import { readBatches } from './reading/decode.ts'
import { BatchStore } from './table.ts'

const SOURCE = 'db:a'
const NAMES = ['X', 'Y', 'Z']
const LENGTH_MS = 20_000
/** Time between the reading of two lists, at most: the server writes one after another. */
const APART_MS = 400

/** Batches of all indexes, whose ids run through them. `quickMs`: of the quickest batch and pause. */
function batchesOf(random: () => number, quickMs: number): ReadonlyMap<string, readonly BatchParts[]> {
  const all = NAMES.flatMap((name) => {
    const own: { name: string; atMs: number; ms: number }[] = []
    // The last is created while others are watched.
    let atMs = name === 'Z' ? LENGTH_MS / 3 : random() * 100
    while (atMs < LENGTH_MS) {
      const ms = quickMs * (1 + random() * 3)
      own.push({ name, atMs, ms })
      atMs += ms + (random() < 0.02 ? 3000 * random() : quickMs * random())
    }
    return own
  }).toSorted((a, b) => a.atMs - b.atMs)
  const parts = all.map(({ name, atMs, ms }, i) => ({ name, batch: { id: i + 1, atMs, ms, documents: 1 } }))
  return new Map(NAMES.map((of) => [of, parts.flatMap(({ name, batch }) => (name === of ? [batch] : []))]))
}

const runningAt = (batch: BatchParts, nowMs: number): BatchParts => ({
  ...batch,
  ms: nowMs - batch.atMs,
  isOpen: true,
})

/** The list of an index as the server keeps it at a moment. */
const ringAt = (batches: readonly BatchParts[], nowMs: number): readonly BatchParts[] =>
  batches
    .filter(({ atMs }) => atMs <= nowMs)
    .slice(-RING_BATCHES)
    .map((batch) => (batch.atMs + batch.ms <= nowMs ? batch : runningAt(batch, nowMs)))

law(
  'each batch that passes between two responses is in a gap of its index, however quick batches are',
  [fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 2, max: 60, noNaN: true })],
  { numRuns: 30, endOnFailure: true },
  (seed, quickMs) => {
    const random = seededRandom(seed)
    const all = batchesOf(random, quickMs)
    const [store, gapLog, seen] = [new BatchStore(), new GapLog(), new Set<number>()]
    let lastAskedMs = 0
    for (let requestedMs = 500; requestedMs < LENGTH_MS; requestedMs += 200 + random() * 3000) {
      const rings = NAMES.map((name) => [name, ringAt(all.get(name) ?? [], requestedMs + random() * APART_MS)] as const)
      for (const [, ring] of rings) for (const { id, isOpen } of ring) if (isOpen !== true) seen.add(id)
      const ingest = store.begin(SOURCE, generatedTime(requestedMs + APART_MS), generatedTime(requestedMs))
      const filled = rings.filter(([, ring]) => ring.length > 0)
      readBatches(
        bytesOf(wireDocument(Object.fromEntries(filled.map(([name, ring]) => [name, ring.map(wireBatch)])))),
        store.names,
        ingest.take,
      )
      recordLosses(gapLog, SOURCE, ingest.end(true))
      lastAskedMs = requestedMs
    }
    const gaps = gapLog.snapshot(null)
    const unreported = [...all].flatMap(([name, batches]) => {
      // Before the first response nothing was watched, and what follows the last is not yet lost.
      const firstSeen = name === 'Z' ? 0 : batches.findIndex(({ id }) => seen.has(id))
      return batches
        .slice(firstSeen)
        .filter(({ id, atMs, ms }) => !seen.has(id) && atMs + ms < lastAskedMs)
        .filter(
          ({ atMs, ms }) =>
            !gaps.some(
              ({ lane, startTicks, endTicks }) =>
                lane === `${SOURCE}|${name}` && startTicks < generatedTime(atMs + ms) && generatedTime(atMs) < endTicks,
            ),
        )
        .map(({ id }) => `${name} ${id}`)
    })
    expect(unreported).toEqual([])
  },
)
