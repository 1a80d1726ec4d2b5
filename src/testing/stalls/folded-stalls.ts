import { seededRandom } from '../../base/random.ts'
import { DEFAULT_RULE } from '../../features/stalls/contract.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'

/** What the server keeps of a file and kind: the newest up to 256 one by one, each 257 before as one sum. */
const FOLD = 257
/** Writes that a journal holds. */
const JOURNAL = { least: 300, most: 3000 }

export interface Folded {
  readonly lanes: GeneratedLane[]
  /** Sums with a write that stalled. */
  readonly summed: number
}

/** What one response of the server has of the lanes: of each journal and data file its newest events. */
export function folded(lanes: readonly GeneratedLane[], seed: number): Folded {
  const random = seededRandom(seed)
  let summed = 0
  const newestOf = (events: readonly GeneratedEvent[], from: number, to: number): GeneratedEvent[] => {
    const kept = to - ((to - from) % FOLD)
    for (let at = from; at < kept; at += FOLD)
      if (events.slice(at, at + FOLD).some(({ start, end }) => end - start >= DEFAULT_RULE.leastMs)) summed++
    return events.slice(kept, to)
  }
  const kept = lanes.map(({ environment, volume, writes, syncs, compressions }): GeneratedLane => {
    const single: GeneratedEvent[] = []
    for (let from = 0; from < writes.length;) {
      const to = Math.min(writes.length, from + JOURNAL.least + Math.floor(random() * (JOURNAL.most - JOURNAL.least)))
      single.push(...newestOf(writes, from, to))
      from = to
    }
    const keptSyncs = syncs.slice(syncs.length - (syncs.length % FOLD))
    return { environment, volume, writes: single, syncs: keptSyncs, ...(compressions && { compressions }) }
  })
  return { lanes: kept, summed }
}
