import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settled } from '../../charts/timeline/settle.ts'
import { hurry, openAsks } from './flush-policy.ts'
import { LatestAsk } from './latest-request.ts'

interface Open {
  readonly ask: number
  readonly resolve: (answer: string) => void
  readonly reject: (error: Error) => void
  readonly signal: AbortSignal
}

describe('LatestAsk', () => {
  let open: Open[] = []
  let answers: string[] = []
  let errors: unknown[] = []
  let built: LatestAsk<number, string>[] = []
  const build = (everyMs: number): LatestAsk<number, string> => {
    const latest = new LatestAsk<number, string>({
      send: (ask, signal) => new Promise((resolve, reject) => open.push({ ask, resolve, reject, signal })),
      onAnswer: (answer) => answers.push(answer),
      onError: (error) => errors.push(error),
      same: (a, b) => a === b,
      everyMs,
    })
    built.push(latest)
    return latest
  }
  beforeEach(() => {
    open = []
    answers = []
    errors = []
    vi.useFakeTimers()
  })
  afterEach(() => {
    for (const latest of built) latest.dispose()
    built = []
    vi.useRealTimers()
  })

  it('has one question under way and then asks only the newest', async () => {
    const latest = build(0)
    for (const ask of [1, 2, 3]) latest.want(ask)
    expect(open.map((each) => each.ask)).toEqual([1])
    open[0]!.resolve('one')
    await vi.advanceTimersByTimeAsync(1)
    expect(answers).toEqual(['one'])
    expect(open.map((each) => each.ask)).toEqual([1, 3])
  })

  /** Wants each number and answers it at once. */
  const asked = async (latest: LatestAsk<number, string>, wants: readonly number[]): Promise<void> => {
    for (const want of wants) {
      latest.want(want)
      open.at(-1)?.resolve(`${want}`)
      await vi.advanceTimersByTimeAsync(1)
    }
  }

  it('asks a few times at once, then keeps the pace and still asks the last want', async () => {
    const latest = build(250)
    await asked(latest, [1, 2, 3, 4, 5])
    expect(open.map((each) => each.ask)).toEqual([1, 2, 3])
    await vi.advanceTimersByTimeAsync(250)
    expect(open.map((each) => each.ask)).toEqual([1, 2, 3, 5])
    open.at(-1)?.resolve('five')
    await vi.advanceTimersByTimeAsync(1)
    await asked(latest, [6])
    expect(open).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(250)
    expect(open.map((each) => each.ask)).toEqual([1, 2, 3, 5, 6])
  })

  it('rests as long as an answer took', async () => {
    const latest = build(0)
    latest.want(1)
    await vi.advanceTimersByTimeAsync(600)
    open[0]!.resolve('one')
    await vi.advanceTimersByTimeAsync(1)
    latest.want(2)
    await vi.advanceTimersByTimeAsync(500)
    expect(open).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(open).toHaveLength(2)
  })

  it('asks at once what it held back when there is reason to hurry', async () => {
    const latest = build(10_000)
    await asked(latest, [1, 2, 3, 4])
    expect(open).toHaveLength(3)
    hurry()
    await vi.advanceTimersByTimeAsync(1)
    expect(open.map((each) => each.ask)).toEqual([1, 2, 3, 4])
    expect(openAsks()).toBe(1)
    open.at(-1)?.resolve('four')
    await vi.advanceTimersByTimeAsync(1)
    expect(openAsks()).toBe(0)
    await vi.advanceTimersByTimeAsync(1000)
    await asked(latest, [5])
    expect(open).toHaveLength(4)
  })

  it('does not ask again for what it was asked last', async () => {
    const latest = build(0)
    latest.want(1)
    open[0]!.resolve('one')
    await vi.advanceTimersByTimeAsync(1)
    latest.want(1)
    expect(open).toHaveLength(1)
    latest.want(2)
    latest.want(1)
    open[1]!.resolve('two')
    await vi.advanceTimersByTimeAsync(1)
    expect(open.map((each) => each.ask)).toEqual([1, 2, 1])
  })

  it('goes on after an error, and is silent after dispose', async () => {
    const latest = build(0)
    latest.want(1)
    open[0]!.reject(new Error('no'))
    await vi.advanceTimersByTimeAsync(1)
    expect(errors).toHaveLength(1)
    latest.want(2)
    latest.dispose()
    expect(open[1]!.signal.aborted).toBe(true)
    open[1]!.resolve('two')
    latest.want(3)
    await vi.advanceTimersByTimeAsync(1)
    expect(answers).toEqual([])
    expect(open).toHaveLength(2)
    await settled()
  })
})
