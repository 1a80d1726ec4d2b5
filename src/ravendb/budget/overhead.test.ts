import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inGate } from '../../testing/gate.ts'
import { FakeRaven, json, type FakeSocket } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'

function setup(): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  return { raven, governor: new Governor(raven.env) }
}

describe('the overhead limit', () => {
  const quiet = { onResponse: () => {}, onError: () => {} }

  it('is kept by going slower, and can be changed', () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    governor.poll('ioMetrics', { database: 'db' }, { everyMs: 3000, jitter: 0, ...quiet })
    expect(governor.meter().cost).toMatchObject({
      limits: { attended: 0.02, background: 0.005 },
      slowedPolls: [{ endpoint: '/databases/db/debug/io-metrics', plannedMs: 3000 }],
    })
    expect(governor.meter().cost.slowedPolls[0]!.everyMs).toBeCloseTo(66_244, 0)
    governor.overhead.setLimits({ attended: 0.02, background: 0.15 })
    expect(governor.meter()).toMatchObject({ slowed: null, cost: { slowedPolls: [] } })
    for (const [requested, kept] of [
      [1, 0.2],
      [0, 0.0005],
      [Number.NaN, 0.005],
    ] as const) {
      governor.overhead.setLimits({ attended: 0.02, background: requested })
      expect(governor.overhead.limits).toEqual({ attended: 0.02, background: kept })
    }
  })

  it('law: whatever is polled, no minute after the first answers costs more than the limit', async () => {
    const polls = fc.array(
      fc.record({
        key: fc.constantFrom('storageReport' as const, 'indexesStats' as const, 'indexesPerformance' as const),
        everyMs: fc.integer({ min: 1000, max: 20_000 }),
        kilobytes: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(polls, fc.double({ min: 0.002, max: 0.02, noNaN: true }), async (requested, limit) => {
        const { raven, governor } = setup()
        governor.overhead.setLimits({ attended: 0.2, background: limit })
        for (const [at, { key, everyMs, kilobytes }] of requested.entries()) {
          raven.databases.set(`db${at}`, 'loaded')
          raven.on(new RegExp(`^/databases/db${at}/`), () => ({ x: 'x'.repeat(kilobytes * 1000) }))
          governor.poll(key, { database: `db${at}` }, { everyMs, ...quiet })
        }
        await raven.clock.advance(20_000)
        let before = governor.meter().cost.serverMs
        for (let minute = 0; minute < 2; minute++) {
          await raven.clock.advance(60_000)
          const { serverMs } = governor.meter().cost
          // A minute may contain a call more or less.
          expect((serverMs - before) / 60_000).toBeLessThanOrEqual(limit * 1.1)
          before = serverMs
        }
      }),
      { numRuns: inGate(3, 10), endOnFailure: true },
    )
  }, 30_000)

  it('is another one for what the panel in front of an attentive user shows', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    const of = (feed: string) => ({
      everyMs: 1000,
      jitter: 0,
      costMs: () => 12,
      audience: { feed },
      ...quiet,
    })
    governor.poll('storageReport', { database: 'db' }, of('io'))
    governor.poll('perfMetrics', { database: 'db' }, of('indexing'))
    const everyMs = (): (number | undefined)[] =>
      ['storage/report', 'perf-metrics'].map(
        (path) => governor.meter().cost.slowedPolls.find(({ endpoint }) => endpoint.includes(path))?.everyMs,
      )
    await raven.clock.advance(2000)
    // 1.2 % each: 0.225 % for each of them, or 1.8 % and 0.45 %.
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([5333, 5333])
    governor.overhead.setFront(['io'])
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([0, 2667])
    governor.overhead.setFront(['server', 'indexing'])
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([2667, 0])
    expect(governor.overhead.limitOf({ feed: 'indexing' })).toBe(0.02)
    governor.overhead.setFront(null)
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([5333, 5333])
    expect(governor.overhead.limitOf({ feed: 'indexing' })).toBe(0.005)
  })

  it('counts what was measured: a poll that takes long is asked less often', async () => {
    const { raven, governor } = setup()
    await governor.json('buildVersion')
    raven.latencyMs = 200
    governor.poll('databases', {}, { everyMs: 1000, jitter: 0, ...quiet })
    await raven.clock.advance(20_000)
    const before = raven.paths(/^\/databases/).length
    await raven.clock.advance(60_000)
    // 2 × 5.2 ms a second would be 1 % of a core.
    expect(governor.meter().cost.slowedPolls[0]!.everyMs).toBeCloseTo(2311, 0)
    expect(raven.paths(/^\/databases/).length - before).toBeLessThan(36)
    expect(governor.meter().cost.shareOfCore).toBeLessThanOrEqual(0.005)
    expect(governor.meter().cost.serverMs).toBeGreaterThan(100)
  })

  it('slows down while the server says that it is short of something', async () => {
    const { raven, governor } = setup()
    governor.poll('serverId', {}, { everyMs: 1000, jitter: 0, ...quiet })
    await raven.clock.advance(10_000)
    const before = raven.paths().length
    governor.overhead.setStress('The machine has no CPU to spare')
    expect(governor.meter().slowed).toBe('The machine has no CPU to spare: polls go 4 times slower than planned.')
    await raven.clock.advance(40_000)
    expect(raven.paths().length - before).toBeLessThanOrEqual(11)
    governor.overhead.setStress(null)
    expect(governor.meter().slowed).toBeNull()
  })

  it('law: a vital poll and a vital socket are never held back, whatever the others want', async () => {
    const others = fc.record({
      polls: fc.array(fc.integer({ min: 100, max: 20_000 }), { maxLength: 4 }),
      frameKilobytes: fc.integer({ min: 1, max: 2000 }),
      limit: fc.double({ min: 0.0005, max: 0.02, noNaN: true }),
      isStressed: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(others, async ({ polls, frameKilobytes, limit, isStressed }) => {
        const { raven, governor } = setup()
        governor.overhead.setLimits({ attended: limit, background: limit })
        raven.databases.set('db', 'loaded')
        const responsesAtMs: number[] = []
        const vital = { vital: true, jitter: 0, onError: () => {} }
        governor.poll(
          'serverId',
          {},
          { everyMs: 5000, ...vital, onResponse: (_, atMs) => void responsesAtMs.push(atMs) },
        )
        const ignore = { onPhase: () => {}, onFrame: () => {} }
        governor.openSocket('runningQueries', {}, ignore, { vital: true })
        for (const everyMs of polls) governor.poll('databases', {}, { everyMs, jitter: 0, ...quiet })
        governor.openSocket('ioMetricsLive', { database: 'db' }, ignore)
        if (isStressed) governor.overhead.setStress('The machine has no CPU to spare')
        const queries = (): FakeSocket => raven.sockets.findLast(({ url }) => url.includes('queries/running'))!
        const frame = JSON.stringify([{ x: 'x'.repeat(frameKilobytes * 1000) }])
        for (let second = 0; second < 60; second++) {
          for (const socket of raven.sockets) {
            if (socket.readyState === 0) socket.accept()
            if (socket.readyState === 1) socket.frame(frame)
          }
          await raven.clock.advance(1000)
          expect(queries().readyState).not.toBe(3)
        }
        expect(responsesAtMs.length).toBeGreaterThanOrEqual(12)
      }),
      { numRuns: inGate(6, 25) },
    )
  }, 60_000)

  it('a server that fails to answer gets vital polls at half their pace, and one that asks to wait in 15 s', async () => {
    const { raven, governor } = setup()
    const vital = { everyMs: 5000, vital: true, jitter: 0, ...quiet }
    governor.poll('serverId', {}, vital)
    raven.up = false
    await raven.clock.advance(300_000)
    const before = raven.paths().length
    await raven.clock.advance(100_000)
    expect(raven.paths().length - before).toBe(10)
    raven.up = true
    raven.on(/server-id/, () => json({}, 429, { 'retry-after': '300' }))
    await raven.clock.advance(100_000)
    const after = raven.paths().length
    await raven.clock.advance(90_000)
    expect(raven.paths().length - after).toBe(6)
  })

  it('a recording continues in a hidden tab, and nothing else does', async () => {
    const { raven, governor } = setup()
    let records = true
    governor.poll('serverId', {}, { everyMs: 1000, jitter: 0, inBackground: () => records, ...quiet })
    governor.poll('clusterTopology', {}, { everyMs: 1000, jitter: 0, ...quiet })
    governor.openSocket(
      'clusterDashboard',
      { node: 'A' },
      { onPhase: () => {}, onFrame: () => {} },
      {
        inBackground: () => records,
      },
    )
    governor.openSocket('threadsInfo', {}, { onPhase: () => {}, onFrame: () => {} })
    await raven.clock.advance(10)
    for (const socket of raven.sockets) socket.accept()
    governor.setHidden(true)
    const before = raven.calls.length
    await raven.clock.advance(5000)
    expect(new Set(raven.calls.slice(before).map((call) => call.path))).toEqual(new Set(['/debug/server-id']))
    expect(raven.sockets.map((socket) => socket.readyState)).toEqual([1, 3])
    records = false
    governor.rearm()
    const after = raven.calls.length
    await raven.clock.advance(5000)
    expect(raven.calls.length).toBe(after)
    expect(raven.sockets.map((socket) => socket.readyState)).toEqual([3, 3])
  })

  it('counts databases that were loaded by a click, and none otherwise', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'unloaded')
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({ kind: 'database-unloaded' })
    expect(governor.meter().cost.databasesLoaded).toBe(0)
    await governor.json('footerStats', { database: 'db' }, { allowLoad: true })
    expect(governor.meter().cost.databasesLoaded).toBe(1)
    raven.databases.set('loaded', 'loaded')
    await governor.json('footerStats', { database: 'loaded' })
    await governor.json('footerStats', { database: 'loaded' }, { allowLoad: true })
    expect(governor.meter().cost.databasesLoaded).toBe(1)
  })
})
