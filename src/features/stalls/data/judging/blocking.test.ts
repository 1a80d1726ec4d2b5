import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import { DEFAULT_RULE, type StallCause } from '../../contract.ts'
import { medianWriteMs } from './baseline.ts'
import type { Events, JudgedStall, Lane } from './events.ts'
import { judgeStalls } from './judge.ts'

interface Span {
  readonly start: number
  readonly end: number
}

const LASTS_MS = 9 * 60_000

/** `every` (mean) ms one of 150 to 350 ms. */
function spansOf(random: () => number, everyMs: number, most = Number.POSITIVE_INFINITY): Span[] {
  const spans: Span[] = []
  for (let at = 1000; spans.length < most;) {
    at += everyMs * (0.5 + random())
    if (at > LASTS_MS - 1000) break
    spans.push({ start: at, end: at + 150 + 200 * random() })
  }
  return spans
}

const eventsOf = (spans: readonly Span[]): Events => ({
  start: Float64Array.from(spans, ({ start }) => start),
  end: Float64Array.from(spans, ({ end }) => end),
  bytes: new Float64Array(spans.length).fill(4096),
})

/** Lanes of one volume whose syncs hold up their own writes; what runs in a pause of the server returns when it ends. */
async function scoreOf(
  seed: number,
  {
    lanes,
    writeEveryMs,
    syncEveryMs,
    pauses,
  }: Readonly<Record<'lanes' | 'writeEveryMs' | 'syncEveryMs', number>> & {
    readonly pauses: (random: () => number) => readonly Span[]
  },
): Promise<
  Readonly<Record<'due' | 'found' | 'claimed', number>> & {
    readonly stalls: readonly JudgedStall[]
  }
> {
  const random = seededRandom(seed)
  const paused = pauses(random)
  const returns = (start: number, end: number): { readonly end: number; readonly isPaused: boolean } => {
    const pause = paused.find((each) => start < each.end && end >= each.start)
    return pause === undefined ? { end, isPaused: false } : { end: pause.end + random(), isPaused: true }
  }
  const truths: (StallCause | null)[][] = []
  const made = Array.from({ length: lanes }, (_, lane): Lane => {
    const syncs = spansOf(random, syncEveryMs).map(({ start, end }) => ({
      start,
      end: returns(start, end).end,
    }))
    const [writes, own]: [Span[], (StallCause | null)[]] = [[], []]
    for (let at = writeEveryMs * random(); at < LASTS_MS;) {
      const sync = syncs.find(({ start, end }) => at > start && at < end)
      const serviceMs = 1 + 2 * random()
      const returned = returns(at, at + serviceMs)
      const end = sync === undefined || returned.isPaused ? returned.end : Math.max(returned.end, sync.end + random())
      writes.push({ start: at, end })
      own.push(returned.isPaused ? 'unexplained' : sync === undefined ? null : 'sync')
      at = end + writeEveryMs * (0.5 + random())
    }
    truths.push(own)
    const environment = `/data/${String(lane)}`
    return {
      environment,
      volume: 'a',
      isVolumeKnown: true,
      writes: eventsOf(writes),
      syncs: eventsOf(syncs),
      compressions: eventsOf([]),
    }
  })
  const writes = {
    lanes: made,
    medians: made.map(medianWriteMs),
    rule: DEFAULT_RULE,
    summed: 0,
  }
  const { stalls } = await judgeStalls(writes, seededRandom(seed + 1))
  const of = (each: JudgedStall): StallCause | null => truths[each.lane]?.[each.row] ?? null
  const due = stalls.filter((each) => of(each) === 'sync')
  const claimed = stalls.filter(({ cause }) => cause !== 'unexplained')
  return {
    stalls,
    due: due.length,
    found: due.filter(({ cause }) => cause === 'sync').length,
    claimed: claimed.filter((each) => of(each) !== 'sync').length,
  }
}

describe('pauses of the whole server beside guilty syncs', () => {
  it('hide no sync where one of them ends a write of each of many lanes', async () => {
    const freeze = { start: LASTS_MS / 2, end: LASTS_MS / 2 + 400 }
    const { stalls, due, found } = await scoreOf(7, {
      lanes: 60,
      writeEveryMs: 400,
      syncEveryMs: 300_000,
      pauses: () => [freeze],
    })
    expect(stalls.filter(({ end }) => end >= freeze.end && end < freeze.end + 20).length).toBeGreaterThan(50)
    expect(due).toBeGreaterThan(30)
    expect(found).toBeGreaterThan(0.9 * due)
  })

  it.each([1, 2, 3])('are not blamed on syncs, and syncs are found (seed %i)', async (seed) => {
    const { stalls, due, found, claimed } = await scoreOf(seed, {
      lanes: 8,
      writeEveryMs: 30,
      syncEveryMs: 20_000,
      pauses: (random) => spansOf(random, 15_000),
    })
    expect(stalls.length).toBeGreaterThan(due + 20)
    expect(found).toBeGreaterThan(0.9 * due)
    expect(claimed).toBeLessThan(0.02 * stalls.length)
  })
})
