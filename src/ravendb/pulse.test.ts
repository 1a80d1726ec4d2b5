import { describe, expect, it } from 'vitest'
import { FakeRaven, settle } from '../testing/fake-raven.ts'
import { Governor } from './governor.ts'
import { LocalTabs } from './local-tabs.ts'
import { watchPulse } from './pulse.ts'

const QUIET = { jitter: 0, onAnswer: () => {}, onError: () => {} }
const cpuFrame = (percent: number): string =>
  JSON.stringify({ Id: 1, Data: { Type: 'CpuUsage', MachineCpuUsage: percent } })

function server(): { raven: FakeRaven; set: { percents: readonly number[]; credits: unknown } } {
  const raven = new FakeRaven()
  raven.env.tabs = new LocalTabs()
  const set: ReturnType<typeof server>['set'] = { percents: [10, 10], credits: { Used: false } }
  raven.on(/cpu-credits/, () => set.credits)
  raven.on(/cluster\/topology/, () => ({ NodeTag: 'B' }))
  return { raven, set }
}

/** Time goes on, and each look at the dashboard is answered. */
async function pass(raven: FakeRaven, percents: () => readonly number[], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await raven.clock.advance(1000)
    for (const socket of raven.sockets) {
      if (socket.readyState !== 0) continue
      socket.accept()
      await settle()
      for (const percent of percents()) socket.frame(cpuFrame(percent))
    }
    await settle()
  }
}

describe('the pulse of a server', () => {
  it('slows everything down within two looks when the machine has no CPU to spare, and lets it go on after', async () => {
    const { raven, set } = server()
    const governor = new Governor(raven.env)
    watchPulse(governor)
    await pass(raven, () => set.percents, 40)
    expect(governor.pace).toEqual({ factor: 1, why: null })
    expect(raven.sockets[0]?.url).toContain('/cluster-dashboard/watch?node=B')
    set.percents = [97, 99]
    await pass(raven, () => set.percents, 42)
    expect(governor.pace.factor).toBe(4)
    expect(governor.pace.why).toBe('The machine has no CPU to spare (97 %): polls go 4 times slower than planned.')
    set.percents = [97, 60]
    await pass(raven, () => set.percents, 90)
    expect(governor.pace.factor).toBe(1)
  })

  it('slows down when CPU credits are nearly used up', async () => {
    const { raven, set } = server()
    const governor = new Governor(raven.env)
    watchPulse(governor)
    await pass(raven, () => set.percents, 5)
    set.credits = { Used: true, RemainingCpuCredits: 3, BackgroundTasksThreshold: 10, FailoverThreshold: 5 }
    await pass(raven, () => set.percents, 42)
    expect(governor.pace.why).toMatch(/^The machine’s CPU credits are nearly used up/)
  })

  it('is looked at once for all pages of a browser, each of which knows, and costs a sixth of the promise', async () => {
    const { raven, set } = server()
    set.percents = [100, 100]
    const pages = [new Governor(raven.env), new Governor(raven.env), new Governor(raven.env)]
    for (const page of pages) watchPulse(page)
    await pass(raven, () => set.percents, 10)
    for (const { pace } of pages) expect(pace.factor).toBe(4)
    set.percents = [1, 1]
    await pass(raven, () => set.percents, 120)
    raven.sockets.length = 0
    await pass(raven, () => set.percents, 120)
    expect(raven.sockets.length).toBeLessThanOrEqual(9)
    const costs = pages.map((page) => page.meter().cost.shareOfCore)
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeLessThan(0.00085)
  })

  it('is not looked at while a page follows the dashboard', async () => {
    const { raven, set } = server()
    const governor = new Governor(raven.env)
    const other = new Governor(raven.env)
    watchPulse(other)
    for (let second = 0; second < 60; second += 5) {
      governor.setStress('dashboard', null)
      await pass(raven, () => set.percents, 5)
    }
    expect(raven.sockets.length).toBeLessThanOrEqual(1)
  })

  it('says nothing of a server that tells nothing, and does not keep a page from asking', async () => {
    const { raven } = server()
    raven.on(/cpu-credits/, () => new Response('{"Type":"InvalidAuth","Message":"no"}', { status: 403 }))
    const governor = new Governor(raven.env)
    watchPulse(governor)
    let answers = 0
    governor.poll('serverId', {}, { everyMs: 1000, ...QUIET, onAnswer: () => void answers++ })
    for (let second = 0; second < 60; second++) {
      await raven.clock.advance(1000)
      for (const socket of raven.sockets) if (socket.readyState === 0) socket.cut()
    }
    expect(governor.pace.factor).toBe(1)
    expect(answers).toBeGreaterThan(50)
  })
})
