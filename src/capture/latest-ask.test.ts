import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settled } from '../charts/settle.ts'
import { LatestAsk } from './latest-ask.ts'

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

  it('keeps the pace and still asks the last want', async () => {
    const latest = build(250)
    latest.want(1)
    open[0]!.resolve('one')
    await vi.advanceTimersByTimeAsync(10)
    latest.want(2)
    latest.want(3)
    expect(open).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(250)
    expect(open.map((each) => each.ask)).toEqual([1, 3])
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
