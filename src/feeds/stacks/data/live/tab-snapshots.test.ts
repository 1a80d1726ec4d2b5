import { describe, expect, it } from 'vitest'
import { FakeRaven, settle } from '../../../../testing/fake-raven.ts'
import { snapshotBy } from '../../../../testing/snapshot-outcome.ts'
import { recordedText } from '../../../../testing/recorded.ts'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { StacksFeed } from '../feed.ts'
import { LocalTabs } from '../../../../ravendb/tabs/local-tabs.ts'

const SAMPLE = recordedText('7.1', 'stack-trace-writing.json')
const whole = (): Response => new Response(SAMPLE, { headers: { 'content-type': 'application/json' } })

function stage() {
  const raven = new FakeRaven()
  const tabs = new LocalTabs()
  const tab = () => {
    // Each has a governor of its own, and so shares no request.
    const governor = new Governor(raven.env)
    const feed = new StacksFeed({ tabs })
    const { responses } = feed
    return {
      state: () => responses['stacks.state'](),
      snapshot: () => snapshotBy(feed, governor),
      stop: () => responses['stacks.stop'](),
    }
  }
  return {
    raven,
    one: tab(),
    two: tab(),
    requested: () => raven.paths(/stack-trace/).length,
    advance: async (ms: number) => {
      for (let at = 0; at < ms; at += 50) {
        await raven.clock.advance(50)
        for (let i = 0; i < 12; i++) await settle()
      }
    },
  }
}

describe('tabs of one browser', () => {
  it('take one snapshot for two who click, and say that the other is at it', async () => {
    const { raven, one, two, requested, advance } = stage()
    raven.latencyMs = 2000
    raven.on(/stack-trace/, whole)
    const first = one.snapshot()
    await advance(500)
    const second = two.snapshot()
    await advance(500)
    expect([one.state().progress, two.state().progress]).toMatchObject([
      { step: 'attaching', isElsewhere: false },
      { step: 'queued', isElsewhere: true },
    ])
    await advance(3000)
    expect(await Promise.all([first, second])).toEqual([
      { kind: 'taken', snapshot: 1 },
      { kind: 'taken', snapshot: 1 },
    ])
    expect(requested()).toBe(1)
    const [ours, theirs] = [one.state(), two.state()]
    expect(theirs.snapshots).toMatchObject([{ sampled: 33, cost: ours.snapshots[0]!.cost }])
    expect(theirs.progress).toBeNull()
  })

  it('hand a snapshot that just ended to one who asks, and take a new one later', async () => {
    const { raven, one, two, requested, advance } = stage()
    raven.on(/stack-trace/, whole)
    void one.snapshot()
    // That tab received nothing of it: it opened its channel later.
    await advance(500)
    const second = two.snapshot()
    await advance(500)
    expect(await second).toEqual({ kind: 'taken', snapshot: 1 })
    expect(requested()).toBe(1)
    await advance(4000)
    void two.snapshot()
    await advance(500)
    expect([requested(), two.state().snapshots.length]).toEqual([2, 2])
  })

  it('share why it failed, too; each can try again at once', async () => {
    const { raven, one, two, requested, advance } = stage()
    raven.latencyMs = 1000
    raven.on(/stack-trace/, () => new TypeError('Failed to fetch'))
    void one.snapshot()
    await advance(200)
    void two.snapshot()
    await advance(2000)
    expect(requested()).toBe(1)
    for (const { state } of [one, two])
      expect(state()).toMatchObject({ progress: null, failure: { kind: 'server-stopped', step: 'attaching' } })
    void two.snapshot()
    await advance(2000)
    expect(requested()).toBe(2)
  })

  it('continue when the tab that took the lock withdraws, and can withdraw while they wait', async () => {
    const { raven, one, two, requested, advance } = stage()
    raven.latencyMs = 2000
    raven.on(/stack-trace/, whole)
    const first = one.snapshot()
    await advance(500)
    const second = two.snapshot()
    await advance(200)
    one.stop()
    await advance(3000)
    expect([await first, await second]).toEqual([{ kind: 'withdrawn' }, { kind: 'taken', snapshot: 1 }])
    expect(requested()).toBe(2)

    await advance(4000)
    void one.snapshot()
    await advance(300)
    const withdrawn = two.snapshot()
    await advance(200)
    two.stop()
    await withdrawn
    expect(two.state()).toMatchObject({ progress: null, failure: null })
    await advance(3000)
    expect([requested(), one.state().snapshots.length, two.state().snapshots.length]).toEqual([3, 1, 1])
  })
})
