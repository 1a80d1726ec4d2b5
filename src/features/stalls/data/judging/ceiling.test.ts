import { expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import type { GeneratedEvent } from '../../../../testing/stalls/generated-stalls.ts'
import { judged } from '../../../../testing/stalls/scored-stalls.ts'

/** Ten calm times, each followed by one at 10 kB a ms, in which small writes of another environment wait for large ones. */
function inLine(random: () => number): { readonly large: GeneratedEvent[]; readonly small: GeneratedEvent[] } {
  const large: GeneratedEvent[] = []
  const small: GeneratedEvent[] = []
  const add = (to: GeneratedEvent[], start: number, end: number, bytes: number): void => {
    to.push({ start, end, bytes, truth: null })
  }
  for (let period = 0; period < 10; period++) {
    let at = period * 20_000
    for (let i = 0; i < 30; i++, at += 300) {
      add(large, at, at + 5, 1_000_000 * (0.7 + random()))
      add(small, at + 50, at + 52, 8192)
    }
    for (let i = 0; i < 12; i++) {
      const bytes = 1_000_000 * (0.7 + random())
      const end = at + bytes / 10_000
      add(large, at, end, bytes)
      if (i % 3 === 1) add(small, at + 10, end + 8, 8192)
      at = end
    }
  }
  return { large, small }
}

it('a ceiling is the cause of small writes that wait in line behind large ones', async () => {
  const { large, small } = inLine(seededRandom(3))
  const lane = { volume: 'one', syncs: [] }
  const { stalls } = await judged(
    [
      { ...lane, environment: '/large', writes: large },
      { ...lane, environment: '/small', writes: small },
    ],
    1,
  )
  expect(stalls).toHaveLength(160)
  expect(stalls.filter(({ cause }) => cause === 'ceiling').length).toBeGreaterThan(155)
})

it('a write that claims to have lasted for ten years keeps nobody waiting', async () => {
  const random = seededRandom(3)
  const { large, small } = inLine(random)
  // The limit is not exact, and nothing is faster: so it is looked for in what a second let through.
  const slow = large
    .filter(({ start, end }) => end - start > 5)
    .map(({ start, end, bytes, truth }) => ({ start, end: end - 6 * random(), bytes, truth }))
  slow.push({ start: 0, end: 10 * 365 * 86_400_000, bytes: 4096, truth: null })
  const writes = [...slow, ...small].toSorted((a, b) => a.start - b.start)
  const { stalls } = await judged([{ environment: '/one', volume: 'one', writes, syncs: [] }], 1)
  expect(stalls.length).toBeGreaterThan(150)
})

/** Thirty environments whose writes take `ownMs` each, one after the other, on a device that stands still every seven seconds. */
function afterStandstills(ownMs: number, random: () => number): GeneratedEvent[][] {
  const lanes: GeneratedEvent[][] = Array.from({ length: 30 }, () => [])
  for (let period = 0; period < 40; period++) {
    const stillFrom = period * 7000
    let free = stillFrom + 400
    for (const writes of lanes) {
      const start = Math.floor(stillFrom + 300 * random())
      free += ownMs * (0.95 + 0.1 * random())
      writes.push({ start, end: Math.floor(free), bytes: 8192, truth: null })
    }
    for (const [lane, writes] of lanes.entries())
      for (let round = 1; round <= 5; round++) {
        const start = stillFrom + 1000 * round + 30 * lane
        writes.push({ start, end: Math.floor(start + ownMs), bytes: 8192, truth: null })
      }
  }
  return lanes
}

it.each([0.6, 6])('what a device works off at its own speed, %d ms each, is no ceiling', async (ownMs) => {
  const lanes = afterStandstills(ownMs, seededRandom(5)).map((writes, id) => {
    return { environment: `/${id}`, volume: 'one', writes, syncs: [] }
  })
  const { stalls } = await judged(lanes, 1)
  expect(stalls).toHaveLength(1200)
  expect(stalls.filter(({ cause }) => cause !== 'unexplained')).toEqual([])
})

it('stalls that are just longer than the least one, beside writes that are just shorter, are no ceiling', async () => {
  const random = seededRandom(9)
  const writes: GeneratedEvent[] = []
  for (let period = 0; period < 20; period++) {
    let at = period * 20_000
    for (let i = 0; i < 100; i++) {
      const ownMs = i >= 20 ? 8 : i % 2 === 0 ? 42 : 53
      const start = at
      at += ownMs * (0.97 + 0.06 * random())
      writes.push({ start, end: at, bytes: 8192, truth: null })
      at += i < 20 ? 1 : 50
    }
  }
  const { stalls } = await judged([{ environment: '/one', volume: 'one', writes, syncs: [] }], 1)
  expect(stalls).toHaveLength(200)
  expect(stalls.filter(({ cause }) => cause !== 'unexplained')).toEqual([])
})

it('a write that waits for a sync, while others are let through at a limit, is put down to the sync', async () => {
  const lanes: GeneratedEvent[][] = [[], [], []]
  const syncs: GeneratedEvent[] = []
  for (let period = 0; period < 20; period++) {
    const calm = period * 20_000
    for (const [lane, writes] of lanes.entries())
      for (let i = 0; i < 30; i++) {
        const start = calm + 100 * i + 30 * lane
        writes.push({ start, end: start + 2, bytes: 8192, truth: null })
      }
    // The first waits for its sync, the others take turns; 40 a second.
    const [blocked, first, second] = lanes as [GeneratedEvent[], GeneratedEvent[], GeneratedEvent[]]
    const from = calm + 5000
    const turns = 40
    for (let turn = 1; turn <= turns; turn++) {
      const writes = turn % 2 === 0 ? first : second
      const end = from + 25 * turn
      writes.push({ start: Math.max(from, end - 50), end, bytes: 8192, truth: null })
    }
    const end = from + 25 * turns + 25
    blocked.push({ start: from + 100, end, bytes: 8192, truth: 'sync' })
    syncs.push({ start: from + 50, end: end - 1, bytes: 1 << 20, truth: null })
  }
  const { stalls } = await judged(
    lanes.map((writes, id) => ({ environment: `/${id}`, volume: 'one', writes, syncs: id === 0 ? syncs : [] })),
    1,
  )
  const causesOf = (lane: number): Set<string> =>
    new Set(stalls.filter((stall) => stall.lane === lane).map(({ cause }) => cause))
  expect(causesOf(0)).toEqual(new Set(['sync']))
  expect(causesOf(1)).toEqual(new Set(['ceiling']))
})

it('a limit that holds for one or two periods is too short to tell; in many there is no evidence of one', async () => {
  const verdictIn = async (periods: number): Promise<string | undefined> => {
    const random = seededRandom(9)
    const writes: GeneratedEvent[] = []
    let at = 0
    const add = (count: number, gapMs: number, durationMs: () => number): void => {
      for (let i = 0; i < count; i++, at += gapMs) {
        writes.push({ start: at, end: (at += durationMs()), bytes: 65_536, truth: null })
      }
    }
    for (let period = 0; period < periods; period++) {
      add(400, 50, () => 2)
      add(24 / periods, 0, () => 150 + 400 * random())
    }
    add(400, 50, () => 2)
    const { judgements } = await judged([{ environment: '/one', volume: 'one', writes, syncs: [] }], 1)
    return judgements.find(({ cause }) => cause === 'ceiling')?.verdict
  }
  expect([await verdictIn(1), await verdictIn(2), await verdictIn(8)]).toEqual(['too-few', 'too-few', 'no-evidence'])
})

/** Three environments of three clients each, which send again as soon as they are answered; of 40 s they do so for 16 without a pause. */
function ofClients(random: () => number): GeneratedEvent[][] {
  const [stepMs, perStep, mostLeft] = [250, 1_250_000, 5_000_000]
  const lanes = Array.from({ length: 3 }, () => ({
    writes: [] as GeneratedEvent[],
    freeAt: 0,
    clients: [0, 1, 2].map(() => 300 * random()),
  }))
  let [left, step] = [mostLeft, 0]
  for (;;) {
    const startOf = ({ freeAt, clients }: (typeof lanes)[number]): number => Math.max(freeAt, Math.min(...clients))
    const lane = lanes.reduce((first, each) => (startOf(each) < startOf(first) ? each : first))
    const start = startOf(lane)
    if (start > 200_000) return lanes.map(({ writes }) => writes)
    const sent = lane.clients.filter((at) => at <= start).length
    const bytes = Array.from({ length: sent }, () => 30_000 * Math.exp(1.5 * random())).reduce(
      (sum, each) => sum + each,
    )
    const now = Math.floor(start / stepMs)
    left = Math.min(mostLeft, left + Math.max(0, now - step) * perStep) - bytes
    step = Math.max(step, now)
    // What was let through before it has the bytes of the steps until then.
    const letThrough = left >= 0 ? start : (step + Math.ceil(-left / perStep)) * stepMs
    const end = letThrough + 0.5 + 2 * random()
    lane.writes.push({ start, end, bytes, truth: left < 0 ? 'ceiling' : null })
    lane.freeAt = end
    const isBusy = end % 40_000 < 16_000
    lane.clients = lane.clients.map((at) => (at <= start ? end + (isBusy ? 3 : 400) * -Math.log(1 - random()) : at))
  }
}

it('a limit that is filled in steps is found where clients fill each step to the same amount', async () => {
  const lanes = ofClients(seededRandom(7)).map((writes, id) => {
    return { environment: `/${id}`, volume: 'one', writes, syncs: [] }
  })
  const { stalls } = await judged(lanes, 1)
  const limited = stalls.filter(({ lane, row }) => lanes[lane]?.writes[row]?.truth === 'ceiling')
  expect(limited.length).toBeGreaterThan(200)
  expect(limited.filter(({ cause }) => cause === 'ceiling').length).toBeGreaterThan(0.9 * limited.length)
})

it('a gate that lets equal writes through at regular times is no limit of bytes', async () => {
  const random = seededRandom(11)
  const lanes = [8192, 16_384, 32_768].map((bytes, id) => {
    const writes: GeneratedEvent[] = []
    for (let period = 0; period < 6; period++) {
      const calm = period * 60_000
      for (let i = 0; i < 200; i++) {
        const start = calm + 200 * i + 50 * id
        writes.push({ start, end: start + 0.5 + random(), bytes, truth: null })
      }
      // As a process is that has used up its share of the CPU.
      for (let gate = 1; gate <= 60; gate++) {
        const opens = calm + 42_000 + 250 * gate
        const start = Math.max(opens - 248, writes.at(-1)?.end ?? 0)
        writes.push({ start, end: opens + 0.5 + 2 * random(), bytes, truth: null })
      }
    }
    return { environment: `/${id}`, volume: 'one', writes, syncs: [] }
  })
  const { stalls, judgements } = await judged(lanes, 1)
  expect(stalls.length).toBeGreaterThan(1000)
  expect(judgements.find(({ cause }) => cause === 'ceiling')?.limit?.unit).not.toBe('bytes')
})
