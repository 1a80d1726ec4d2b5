import { describe, expect, it } from 'vitest'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { STILL_MS, StillWatch } from './stillness.ts'

describe('a server that is unresponsive', () => {
  it('is reported when it is over; a shorter pause is not', async () => {
    const { env, clock } = new FakeRaven()
    const watch = new StillWatch(env)
    watch.receive(clock.nowMs)
    const fromMs = clock.nowMs
    await clock.advance(STILL_MS + 5000)
    expect(watch.receive(clock.nowMs)).toEqual({ fromMs, toMs: fromMs + STILL_MS + 5000 })
    await clock.advance(STILL_MS - 1)
    expect(watch.receive(clock.nowMs)).toBeNull()
  })

  it('is not believed by a page that slept itself: its timer came late', async () => {
    const { env, clock } = new FakeRaven()
    let sleptMs = 0
    const watch = new StillWatch({
      ...env,
      now: () => clock.nowMs + sleptMs,
      setTimeout: env.setTimeout,
      clearTimeout: env.clearTimeout,
    })
    watch.receive(clock.nowMs)
    sleptMs = 60_000
    await clock.advance(STILL_MS)
    expect(watch.receive(clock.nowMs + sleptMs)).toBeNull()
  })

  it('is forgotten with the connection, unless it was unresponsive already', async () => {
    const { env, clock } = new FakeRaven()
    const watch = new StillWatch(env)
    watch.receive(clock.nowMs)
    watch.pause()
    await clock.advance(10 * STILL_MS)
    expect(watch.receive(clock.nowMs)).toBeNull()
    const fromMs = clock.nowMs
    await clock.advance(STILL_MS)
    watch.pause()
    await clock.advance(1000)
    expect(watch.receive(clock.nowMs)).toEqual({ fromMs, toMs: clock.nowMs })
    await clock.advance(STILL_MS)
    watch.reset()
    expect(watch.receive(clock.nowMs)).toBeNull()
  })
})
