import { describe, expect, it } from 'vitest'
import { FakeRaven, never, settle } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'
import { LocalTabs } from '../tabs/local-tabs.ts'
import type { TabsEnv } from '../tabs/tabs.ts'
import type { UnresponsiveSpan } from './witness.ts'

const JOINING_MS = 12_000

/** A page that is a witness, and receives a heartbeat each second until they stop. */
function page(raven = new FakeRaven(), tabs: TabsEnv | null = null) {
  let lateMs = 0
  const env = { ...raven.env, tabs, now: () => raven.clock.nowMs + lateMs }
  const governor = new Governor(env)
  const { witness } = governor
  const over: UnresponsiveSpan[] = []
  const late: number[] = []
  const stop = witness.watch({ onOver: (span) => over.push(span), onLate: (from, to) => late.push(to - from) })
  witness.expectHeartbeat(true)
  const beat = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await raven.clock.advance(1000)
      witness.received(env.now())
    }
  }
  const sleep = (ms: number): void => {
    lateMs += ms
  }
  return { raven, governor, witness, over, late, beat, sleep, stop, env }
}

const stopServer = (raven: FakeRaven): void => raven.on(/build\/version/, never)
const goOn = (raven: FakeRaven): void => {
  raven.routes.shift()
}

describe('whether the server answers', () => {
  it('a stopped process: the heartbeat is silent and a request unanswered; the duration is from the last sign of life to the next', async () => {
    const { raven, witness, over, beat } = page()
    await beat(JOINING_MS / 1000)
    const fromMs = raven.clock.nowMs
    stopServer(raven)
    await raven.clock.advance(3500)
    expect(raven.paths(/build\/version/)).toHaveLength(1)
    expect(witness.unresponsive).toBeNull()
    await raven.clock.advance(3000)
    expect(witness.unresponsive).toMatchObject({ fromMs, isRefused: false })
    await raven.clock.advance(7500)
    goOn(raven)
    await beat(1)
    expect(witness.unresponsive).toBeNull()
    expect(over).toMatchObject([{ fromMs, toMs: fromMs + 15_000 }])
    expect(witness.confirms(fromMs + 1000, fromMs + 2000)).toBe(true)
    expect(witness.confirms(fromMs + 16_000, fromMs + 20_000)).toBe(false)
  })

  it('a server that is gone: the request fails, and that is evidence at once', async () => {
    const { raven, witness, beat } = page()
    await beat(JOINING_MS / 1000)
    raven.up = false
    await raven.clock.advance(6000)
    expect(witness.unresponsive).toMatchObject({ isRefused: true })
  })

  it('a silent socket alone is no evidence: the request is answered', async () => {
    const { raven, witness, over, beat } = page()
    await beat(JOINING_MS / 1000)
    await raven.clock.advance(60_000)
    expect(witness.unresponsive).toBeNull()
    expect(over).toEqual([])
    expect(raven.paths(/build\/version/).length).toBeLessThanOrEqual(20)
  })

  it('a refusal is an answer, that of a gateway in its place is none', async () => {
    const refused = page()
    refused.raven.on(/build\/version/, () => new Response('', { status: 403 }))
    await refused.beat(JOINING_MS / 1000)
    await refused.raven.clock.advance(10_000)
    expect(refused.witness.unresponsive).toBeNull()
    const behind = page()
    behind.raven.on(/build\/version/, () => new Response('', { status: 502 }))
    await behind.beat(JOINING_MS / 1000)
    await behind.raven.clock.advance(10_000)
    expect(behind.witness.unresponsive).not.toBeNull()
  })

  it('a page whose timers were late says nothing of that time', async () => {
    const { raven, witness, over, late, beat, sleep, env } = page()
    await beat(JOINING_MS / 1000)
    sleep(8000)
    await raven.clock.advance(3000)
    expect(late).toEqual([10_000])
    witness.received(env.now())
    await beat(3)
    expect([witness.unresponsive, over]).toEqual([null, []])
  })

  it('a page that has just joined says nothing', async () => {
    const { raven, witness, over, beat } = page()
    await beat(1)
    stopServer(raven)
    await raven.clock.advance(8000)
    goOn(raven)
    await beat(5)
    expect([witness.unresponsive, over]).toEqual([null, []])
  })

  it('another page received from the server meanwhile: nothing is reported', async () => {
    const tabs = new LocalTabs()
    const raven = new FakeRaven()
    const [deaf, hearing] = [page(raven, tabs), page(raven, tabs)]
    await Promise.all([deaf.beat(JOINING_MS / 1000), settle()])
    hearing.witness.received(raven.clock.nowMs)
    stopServer(raven)
    await hearing.beat(15)
    expect([deaf.witness.unresponsive, deaf.over]).toEqual([null, []])
    await raven.clock.advance(10_000)
    expect(deaf.witness.unresponsive).not.toBeNull()
    expect(hearing.witness.unresponsive).not.toBeNull()
  })

  it('reports since when nothing arrived, once that is more than two heartbeats', async () => {
    const { raven, witness, beat } = page()
    await beat(5)
    const receivedMs = raven.clock.nowMs
    expect(witness.silentSinceMs).toBeNull()
    stopServer(raven)
    await raven.clock.advance(4000)
    expect(witness.silentSinceMs).toBe(receivedMs)
    goOn(raven)
    await beat(1)
    expect(witness.silentSinceMs).toBeNull()
  })

  it('asks nothing while no page watches', async () => {
    const { raven, witness, beat, stop } = page()
    await beat(5)
    stop()
    await raven.clock.advance(60_000)
    expect(raven.calls).toEqual([])
    expect(witness.silentSinceMs).toBeNull()
  })
})
