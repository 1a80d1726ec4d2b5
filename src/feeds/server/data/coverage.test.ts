import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { Coverage } from './coverage.ts'

const at = (second: number): Ticks => (second * TICKS_PER_SECOND) as Ticks
const ALL = { startTicks: at(0), endTicks: at(1e6) }

const receive = (coverage: Coverage, from: number, to: number): void => {
  for (let second = from; second <= to; second++) coverage.received(at(second))
}

describe('what was seen in an earlier visit', () => {
  it('does not make a server that was gone when the page was closed gone until the next visit', () => {
    const before = new Coverage(5 * TICKS_PER_SECOND)
    receive(before, 10, 20)
    before.ended('server-stopped', 'gone')
    const after = new Coverage(5 * TICKS_PER_SECOND)
    receive(after, 30_000, 30_010)
    // The page was closed 100 s later.
    after.restore(before.spans, at(120))
    expect(after.gaps(ALL)).toMatchObject([
      { reason: 'server-stopped', startTicks: at(20), endTicks: at(120) },
      { reason: 'not-watched', startTicks: at(120), endTicks: at(30_000) },
    ])
  })

  it('of the worker before says that its recording was lost, whenever what it kept is read', () => {
    const before = new Coverage(5 * TICKS_PER_SECOND)
    receive(before, 100, 160)
    for (const isReadFirst of [true, false]) {
      const after = new Coverage(5 * TICKS_PER_SECOND)
      if (isReadFirst) after.restore(before.spans, at(160))
      after.lost(at(90), true)
      receive(after, 190, 200)
      if (!isReadFirst) after.restore(before.spans, at(160))
      expect(after.gaps(ALL)).toMatchObject([{ reason: 'worker-restarted', startTicks: at(160), endTicks: at(190) }])
    }
  })

  it('is unknown from the beginning of the worker before on, where that kept nothing', () => {
    const after = new Coverage(5 * TICKS_PER_SECOND)
    after.lost(at(90), true)
    receive(after, 190, 200)
    expect(after.gaps(ALL)).toMatchObject([{ reason: 'worker-restarted', startTicks: at(90), endTicks: at(190) }])
    const earlier = new Coverage(5 * TICKS_PER_SECOND)
    receive(earlier, 10, 20)
    after.restore(earlier.spans, at(20))
    expect(after.gaps(ALL)).toMatchObject([
      { reason: 'not-watched', startTicks: at(20), endTicks: at(90) },
      { reason: 'worker-restarted', startTicks: at(90), endTicks: at(190) },
    ])
  })

  it('is as it was reported when the pages stopped listening', () => {
    const before = new Coverage(5 * TICKS_PER_SECOND)
    receive(before, 10, 20)
    before.ended('not-watched', 'closed')
    const after = new Coverage(5 * TICKS_PER_SECOND)
    after.restore(before.spans, at(50))
    receive(after, 300, 310)
    expect(after.gaps(ALL)).toMatchObject([{ reason: 'not-watched', startTicks: at(20), endTicks: at(300) }])
  })
})
