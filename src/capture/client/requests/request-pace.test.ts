import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settled } from '../../../charts/timeline/settle.ts'
import { flushNow, openRequests } from './flush-policy.ts'
import { RequestPace } from './request-pace.ts'

describe('RequestPace', () => {
  let sent: number[] = []
  let built: RequestPace<number>[] = []
  const build = (everyMs: number, firstAfterMs = 0): RequestPace<number> => {
    const pace = new RequestPace<number>({
      send: (request) => sent.push(request),
      same: (a, b) => a === b,
      everyMs,
      firstAfterMs,
    })
    built.push(pace)
    return pace
  }
  beforeEach(() => {
    sent = []
    vi.useFakeTimers()
  })
  afterEach(() => {
    for (const pace of built) pace.dispose()
    built = []
    vi.useRealTimers()
  })

  it('has one request under way and then sends only the newest', () => {
    const pace = build(0)
    for (const request of [1, 2, 3]) pace.want(request)
    expect(sent).toEqual([1])
    pace.settled()
    expect(sent).toEqual([1, 3])
  })

  it('lets others go first with its first request, and no later one', async () => {
    const pace = build(0, 40)
    pace.want(1)
    pace.want(2)
    await vi.advanceTimersByTimeAsync(39)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([2])
    pace.settled()
    pace.want(3)
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toEqual([2, 3])
  })

  /** Wants each number; its response comes a millisecond later. */
  const request = async (pace: RequestPace<number>, wants: readonly number[]): Promise<void> => {
    for (const want of wants) {
      pace.want(want)
      pace.settled()
      await vi.advanceTimersByTimeAsync(1)
    }
  }

  it('sends a few at once, then keeps the pace and still sends the last want', async () => {
    const pace = build(250)
    await request(pace, [1, 2, 3, 4, 5])
    expect(sent).toEqual([1, 2, 3])
    await vi.advanceTimersByTimeAsync(250)
    expect(sent).toEqual([1, 2, 3, 5])
    pace.settled()
    await request(pace, [6])
    expect(sent).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(250)
    expect(sent).toEqual([1, 2, 3, 5, 6])
  })

  it('sends for something else sooner than for newer data', async () => {
    const pace = new RequestPace<number>({
      send: (request) => sent.push(request),
      same: (a, b) => a === b,
      everyMs: 30_000,
      changes: { everyMs: 250, isChange: (request, last) => Math.floor(request) !== Math.floor(last) },
    })
    built.push(pace)
    await request(pace, [1, 1.1, 1.2, 1.3])
    expect(sent).toEqual([1, 1.1, 1.2])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toHaveLength(3)
    await request(pace, [2, 3, 4, 5])
    expect(sent).toEqual([1, 1.1, 1.2, 2, 3, 4])
    await vi.advanceTimersByTimeAsync(250)
    expect(sent.at(-1)).toBe(5)
    pace.settled()
    await request(pace, [5.1])
    await vi.advanceTimersByTimeAsync(9000)
    expect(sent).toHaveLength(7)
    await vi.advanceTimersByTimeAsync(2000)
    expect(sent.at(-1)).toBe(5.1)
  })

  it('rests as long as a response took', async () => {
    const pace = build(0)
    pace.want(1)
    await vi.advanceTimersByTimeAsync(600)
    pace.settled()
    pace.want(2)
    await vi.advanceTimersByTimeAsync(500)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toHaveLength(2)
  })

  it('sends at once what it deferred when that is flushed', async () => {
    const pace = build(10_000)
    await request(pace, [1, 2, 3, 4])
    expect(sent).toHaveLength(3)
    flushNow()
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([1, 2, 3, 4])
    expect(openRequests()).toBe(1)
    pace.settled()
    expect(openRequests()).toBe(0)
    await vi.advanceTimersByTimeAsync(1000)
    await request(pace, [5])
    expect(sent).toHaveLength(4)
  })

  it('does not send again what was wanted last', () => {
    const pace = build(0)
    pace.want(1)
    pace.settled()
    pace.want(1)
    expect(sent).toEqual([1])
    pace.want(2)
    pace.want(1)
    pace.settled()
    expect(sent).toEqual([1, 2, 1])
  })

  it('sends nothing after dispose', async () => {
    const pace = build(0)
    pace.want(1)
    pace.want(2)
    pace.dispose()
    pace.settled()
    pace.want(3)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([1])
    expect(openRequests()).toBe(0)
    await settled()
  })
})
