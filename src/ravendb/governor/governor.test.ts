import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeRaven, json, settle } from '../../testing/fake-raven.ts'
import { inGate } from '../../testing/gate.ts'
import { Governor } from './governor.ts'

function setup(): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  return { raven, governor: new Governor(raven.env) }
}

/** Advances the clock without running what waits for it: as if the page had been busy. */
async function quiet(raven: FakeRaven, ms: number): Promise<void> {
  await settle()
  raven.clock.nowMs += ms
}

describe('the meter', () => {
  it('counts requests, bytes and failures by route from the first on', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    raven.databases.set('other', 'loaded')
    raven.latencyMs = 7
    const calls = Promise.all([
      governor.json('footerStats', { database: 'db' }),
      governor.json('footerStats', { database: 'other' }),
      governor.json('databases'),
    ])
    await raven.clock.advance(1000)
    await calls
    raven.on(/server-id/, () => json({}, 500))
    const failing = governor.json('serverId').catch(() => {})
    await raven.clock.advance(1000)
    await failing
    const meter = governor.meter()
    expect(meter.requests).toBe(raven.calls.length)
    expect(meter.endpoints.find((row) => row.endpoint === '/databases/{database}/studio/footer/stats')).toEqual({
      endpoint: '/databases/{database}/studio/footer/stats',
      requests: 2,
      bytes: 4,
      failures: 0,
      lastMs: 7,
      // They took no longer than the shortest request, which is what any call costs.
      serverMs: 4.8,
    })
    expect(meter.endpoints.find((row) => row.endpoint === '/debug/server-id')).toMatchObject({
      requests: 1,
      failures: 1,
    })
    expect(meter.bytes).toBe(meter.endpoints.reduce((sum, row) => sum + row.bytes, 0))
    expect(meter.slowed).toBeNull()
  })
})

describe('laws', () => {
  it('over any schedule: no request or socket reaches an unloaded database, nothing twice at once, at most four', async () => {
    const names = ['a', 'b', 'c']
    const name = fc.constantFrom(...names)
    const step = fc.oneof(
      fc.record({
        do: fc.constant('json' as const),
        name,
        key: fc.constantFrom('footerStats' as const, 'perfMetrics' as const, 'storageReport' as const),
      }),
      fc.record({ do: fc.constant('poll' as const), name, everyMs: fc.integer({ min: 500, max: 8000 }) }),
      fc.record({ do: fc.constant('socket' as const), name }),
      fc.record({
        do: fc.constant('set' as const),
        name,
        state: fc.constantFrom('loaded' as const, 'unloaded' as const, 'disabled' as const),
      }),
      fc.record({ do: fc.constant('hide' as const), hidden: fc.boolean() }),
      fc.record({ do: fc.constant('power' as const), up: fc.boolean() }),
      fc.record({ do: fc.constant('retry' as const) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (steps, chances) => {
          const { raven, governor } = setup()
          raven.randomValue = () => Number(chances.next().value)
          for (const known of names) raven.databases.set(known, 'unloaded')
          // Answers take no time here: a database cannot change between the gate's answer and the call.
          const check = (): void => {
            expect(raven.loads).toEqual([])
            expect(raven.underWay.length).toBeLessThanOrEqual(4)
            const paths = raven.underWay.map((call) => call.path)
            expect(new Set(paths).size).toBe(paths.length)
          }
          for (const it of steps) {
            if (it.do === 'json') governor.json(it.key, { database: it.name }).catch(() => {})
            else if (it.do === 'poll')
              governor.poll(
                'footerStats',
                { database: it.name },
                { everyMs: it.everyMs, onResponse: () => {}, onError: () => {} },
              )
            else if (it.do === 'socket')
              governor.openSocket('ioMetricsLive', { database: it.name }, { onPhase: () => {}, onFrame: () => {} })
            else if (it.do === 'hide') governor.setHidden(it.hidden)
            else if (it.do === 'power') raven.up = it.up
            else if (it.do === 'retry') governor.retryNow()
            else if (it.do === 'wait') await raven.clock.advance(it.ms)
            else {
              // The gate may believe a response for two seconds: a change is judged after that.
              await settle()
              raven.databases.set(it.name, it.state)
              if (it.state !== 'loaded') {
                for (const socket of raven.sockets) if (socket.url.includes(`/${it.name}/`)) socket.cut()
                await quiet(raven, 2000)
              }
            }
            await settle()
            for (const socket of raven.sockets) if (socket.readyState === 0 && raven.up) socket.accept()
            check()
          }
          governor.close()
          await raven.clock.advance(120_000)
          check()
          expect(raven.underWay).toEqual([])
        },
      ),
      { numRuns: inGate(50, 150) },
    )
  }, 60_000)
})
